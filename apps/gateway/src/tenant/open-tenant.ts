import type { Scope } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { GatewayRequest } from '../http/gateway-request.js';
import type { AdmittedRequest, RequestAdmission } from '../limits/request-admission.js';
import type { CredentialHasher } from './credential-hasher.js';
import { readCredential } from './read-credential.js';
import type { TenantDirectory } from './tenant-directory.js';
import type { Tenant } from './tenant.js';

/** The services that find the tenant of a key. */
export interface TenantServices {
  readonly tenants: TenantDirectory;
  /** Returns whether the change log could not be read for so long that keys are no longer trusted. */
  isChangeLogLost(): boolean;
}

/** The services that admit a request with a key. */
export interface RequestServices extends TenantServices {
  readonly hashKey: CredentialHasher;
  readonly admission: RequestAdmission;
}

/** Returns the tenant of a key, from memory if possible. */
export function resolveTenant(
  services: TenantServices,
  keyHash: string,
  request: Pick<GatewayRequest, 'address'>,
): Tenant | Promise<Tenant> {
  if (services.isChangeLogLost())
    throw new AppError('platform.unavailable', {
      retryAfterSeconds: 1,
      internal: 'the change log has been silent for too long',
    });
  return services.tenants.find(keyHash) ?? services.tenants.resolve(keyHash, request.address);
}

/**
 * Checks that the database is available. A database is also available during a move, in which writes wait
 * before their first statement.
 */
export function assertPlacementReady(tenant: Tenant): void {
  const { locationState } = tenant.database.record;
  if (locationState === 'live' || locationState === 'moving') return;
  if (locationState === 'suspended') throw new AppError('db.suspended');
  throw new AppError('db.unavailable', { retryAfterSeconds: 1, internal: `database is ${locationState}` });
}

/**
 * Finds and admits the tenant of a request that is not about a table's rows. Release `admitted` when done.
 */
export async function openTenant(
  services: RequestServices,
  request: GatewayRequest,
): Promise<{ tenant: Tenant; admitted: AdmittedRequest }> {
  const keyHash = readCredential(request.headers, services.hashKey);
  const tenant = await resolveTenant(services, keyHash, request);
  request.trace.tenant(tenant);
  const admitted = services.admission.admit(tenant, request.headers.origin);
  request.trace.mark('auth');
  return { tenant, admitted };
}

export function requireScope(tenant: Tenant, scope: Scope): void {
  if (tenant.key.scopes.includes(scope)) return;
  throw new AppError('auth.scope', { detail: `The key does not have the scope \`${scope}\`.` });
}
