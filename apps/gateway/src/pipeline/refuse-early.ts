import type { IncomingMessage } from 'node:http';
import { AppError } from '@rowhouse/errors';
import { findHeaderFault } from '@rowhouse/runtime';
import { readCredential } from '../tenant/read-credential.js';
import type { Gateway } from './gateway.js';
import { resolveTenant } from './open-tenant.js';
import { takesKey } from './route.js';

/** Gives what a request can be refused with from its headers alone, before its body is read: an unclear header, no key or a bad one. Null: nothing. */
export async function refuseEarly(gateway: Gateway, req: IncomingMessage): Promise<AppError | null> {
  if (!takesKey((req.url ?? '/').split('?', 1)[0] as string)) return null;
  try {
    const fault = findHeaderFault(req);
    if (fault !== null) return fault;
    await resolveTenant(gateway, readCredential(req.headers, gateway.hashKey), { address: gateway.readAddress(req) });
    return null;
  } catch (error) {
    // Anything else is met again once the body is there.
    return error instanceof AppError ? error : null;
  }
}
