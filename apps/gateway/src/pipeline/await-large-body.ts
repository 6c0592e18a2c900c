import type { JsonValue } from '@rowhouse/rest-engine';
import { holderOf } from '../tenant/body-room.js';
import type { Tenant } from '../tenant/tenant.js';
import type { Call } from './call.js';
import type { Gateway } from './gateway.js';
import { checkPlace, resolveTenant } from './open-tenant.js';
import { readLargeJsonBody } from './read-body.js';

/** A large body whose turn has come. */
export interface LargeBody {
  /** As it is by now: a key may have ended, or lost rights, while its body waited for seconds. */
  readonly tenant: Tenant;
  /**
   * Reads it as JSON, piece by piece; undefined where there is none. To be called where it is used and not before: what waited
   * is old to the engine's memory, and keeps what it is given beyond its own end.
   */
  read(): Promise<JsonValue | undefined>;
  /** To be called when its request is done. */
  leave(): void;
}

/** Waits for the body's turn. Null: it is small, and read by the way. Rejects with 401 where the key has ended meanwhile. */
export function awaitLargeBody(gateway: Gateway, call: Call, { keyHash, database }: Tenant): Promise<LargeBody> | null {
  const { schemaName } = database.record;
  const turn = gateway.bodies.turn(holderOf(database), call.body);
  return turn === null ? null : turn.then(async (leave) => {
    try {
      const tenant = await resolveTenant(gateway, keyHash, call);
      checkPlace(tenant);
      return { tenant, leave, read: () => readLargeJsonBody(call, () => gateway.turns.turn(schemaName)) };
    } catch (error) {
      leave();
      throw error;
    }
  });
}
