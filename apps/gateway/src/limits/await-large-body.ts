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
  /** The tenant as of now. The key may have expired or lost rights while its body waited for seconds. */
  readonly tenant: Tenant;
  /**
   * Parses the body as JSON in slices. Resolves to undefined without a body. Call it where the value is used,
   * not earlier. The waiting request is old to the garbage collector, and would keep the value alive beyond
   * its use.
   */
  readonly read: () => Promise<JsonValue | undefined>;
  /** Ends the processing. Call it when the request is done. */
  leave(): void;
}

/**
 * Waits until the body may be processed. Returns null for a small body, which is parsed directly. Rejects
 * with 401 when the key has ended while it waited.
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
