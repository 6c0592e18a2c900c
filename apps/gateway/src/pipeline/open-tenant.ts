import { AppError } from '@rowhouse/errors';
import type { Scope } from '@rowhouse/contracts';
import type { Admitted } from '../tenant/admission.js';
import { readCredential } from '../tenant/read-credential.js';
import type { Tenant } from '../tenant/tenant.js';
import type { GatewayRequest } from './gateway-request.js';
import type { Gateway } from './gateway.js';

/** Step 2 of every call with a key: returns the tenant from memory if possible. */
export function resolveTenant(
  gateway: Gateway,
  keyHash: string,
  call: Pick<GatewayRequest, 'address'>,
): Tenant | Promise<Tenant> {
  if (gateway.isBlind())
    throw new AppError('platform.unavailable', {
      retryAfterSeconds: 1,
      internal: 'the change log has been silent for too long',
    });
  return gateway.tenants.find(keyHash) ?? gateway.tenants.resolve(keyHash, call.address);
}

/**
 * Checks that the database can be queried. During a move it can, and its writes wait where they would begin.
 */
export function assertPlacementReady(tenant: Tenant): void {
  const { locationState } = tenant.database.record;
  if (locationState === 'live' || locationState === 'moving') return;
  if (locationState === 'suspended') throw new AppError('db.suspended');
  throw new AppError('db.unavailable', { retryAfterSeconds: 1, internal: `database is ${locationState}` });
}

/** Runs steps 1 to 3 of calls that are not about a table's rows. Release `admitted` when done. */
export async function openTenant(
  gateway: Gateway,
  request: GatewayRequest,
): Promise<{ tenant: Tenant; admitted: Admitted }> {
  const keyHash = readCredential(request.headers, gateway.hashKey);
  const tenant = await resolveTenant(gateway, keyHash, request);
  request.trace.tenant(tenant);
  const admitted = gateway.admission.admit(tenant, request.headers.origin);
  request.trace.mark('auth');
  return { tenant, admitted };
}

export function requireScope(tenant: Tenant, scope: Scope): void {
  if (tenant.key.scopes.includes(scope)) return;
  throw new AppError('auth.scope', { detail: `The key does not have the scope \`${scope}\`.` });
}
