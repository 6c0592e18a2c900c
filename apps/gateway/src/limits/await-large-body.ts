import type { SchedulingServices } from '@rowhouse/admission';
import type { JsonValue } from '@rowhouse/rest-engine';
import type { GatewayRequest } from '../http/gateway-request.js';
import { readLargeJsonBody } from '../rest/read-body.js';
import { assertPlacementReady, resolveTenant, type TenantServices } from '../tenant/open-tenant.js';
import type { Tenant } from '../tenant/tenant.js';
import { bodyOwnerOf, type LargeBodies } from './large-bodies.js';

export interface LargeBodyServices extends TenantServices, SchedulingServices {
  readonly largeBodies: LargeBodies;
}

/** A large body that may be processed now. */
export interface LargeBody {
  /** The tenant after the wait, in which the key may have lost rights. */
  readonly tenant: Tenant;
  /**
   * Parses the body as JSON in slices. Resolves to undefined without a body. Call it just before the value is
   * used, because a reference from the request would keep the value in memory for longer.
   */
  readonly read: () => Promise<JsonValue | undefined>;
  /** Ends the processing. Call it when the request is done. */
  leave(): void;
}

/**
 * Waits until a large body may be processed. Returns null for a small body, which is parsed directly.
 *
 * @throws AppError 401 when the key was revoked or expired during the wait
 */
export function awaitLargeBody(
  services: LargeBodyServices,
  request: GatewayRequest,
  { keyHash, database }: Tenant,
): Promise<LargeBody> | null {
  const { schemaName } = database.record;
  const entering = services.largeBodies.enter(bodyOwnerOf(database), request.body);
  return entering === null
    ? null
    : entering.then(async (leave) => {
        try {
          const tenant = await resolveTenant(services, keyHash, request);
          assertPlacementReady(tenant);
          return {
            tenant,
            leave,
            read: () => readLargeJsonBody(request, () => services.scheduler.nextSlice(schemaName)),
          };
        } catch (error) {
          leave();
          throw error;
        }
      });
}
