import type { IncomingMessage } from 'node:http';
import { AppError } from '@rowhouse/errors';
import { findHeaderFault } from '@rowhouse/runtime';
import { readCredential } from '../tenant/read-credential.js';
import type { Gateway } from './gateway.js';
import { resolveTenant } from './open-tenant.js';
import { takesKey } from './route.js';

/**
 * Returns the error with which a request can be rejected from its headers alone, before its body is read. The
 * causes are an ambiguous header, and a missing or invalid key. Returns null otherwise.
 */
export async function rejectEarly(gateway: Gateway, req: IncomingMessage): Promise<AppError | null> {
  if (!takesKey((req.url ?? '/').split('?', 1)[0] as string)) return null;
  try {
    const fault = findHeaderFault(req);
    if (fault !== null) return fault;
    await resolveTenant(gateway, readCredential(req.headers, gateway.hashKey), {
      address: gateway.readAddress(req),
    });
    return null;
  } catch (error) {
    // Any other error occurs again after the body has arrived.
    return error instanceof AppError ? error : null;
  }
}
