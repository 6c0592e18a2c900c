import type { JsonValue } from '@rowhouse/rest-engine';
import { bodyOwnerOf } from '../tenant/body-memory-budget.js';
import type { Tenant } from '../tenant/tenant.js';
import type { GatewayRequest } from './gateway-request.js';
import type { Gateway } from './gateway.js';
import { assertPlacementReady, resolveTenant } from './open-tenant.js';
import { readLargeJsonBody } from './read-body.js';

/** A large body that may be processed now. */
export interface LargeBody {
  /** The tenant as of now. The key may have expired or lost rights while its body waited for seconds. */
  readonly tenant: Tenant;
  /**
   * Parses the body as JSON in slices. Resolves to undefined without a body. Call it where the value is used,
   * not earlier. The waiting request is old to the garbage collector, and would keep the value alive beyond
   * its use.
   */
  read(): Promise<JsonValue | undefined>;
  /** Ends the processing. Call it when the request is done. */
  leave(): void;
}

/**
 * Waits until the body may be processed. Returns null for a small body, which is parsed directly. Rejects
 * with 401 when the key has ended while it waited.
 */
export function awaitLargeBody(
  gateway: Gateway,
  request: GatewayRequest,
  { keyHash, database }: Tenant,
): Promise<LargeBody> | null {
  const { schemaName } = database.record;
  const turn = gateway.bodies.turn(bodyOwnerOf(database), request.body);
  return turn === null
    ? null
    : turn.then(async (leave) => {
        try {
          const tenant = await resolveTenant(gateway, keyHash, request);
          assertPlacementReady(tenant);
          return {
            tenant,
            leave,
            read: () => readLargeJsonBody(request, () => gateway.turns.turn(schemaName)),
          };
        } catch (error) {
          leave();
          throw error;
        }
      });
}
