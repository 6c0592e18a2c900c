import type { JsonValue } from '@rowhouse/rest-engine';
import type { Tenant } from '../tenant/tenant.js';
import type { Call } from './call.js';
import type { Gateway } from './gateway.js';
import { checkPlace, resolveTenant } from './open-tenant.js';
import { readLargeJsonBody } from './read-body.js';

/** A large body that has had its turn. */
export interface ReadyBody {
  /** As it is by now: a key may have ended, or lost rights, while its body waited for seconds. */
  readonly tenant: Tenant;
  /** Undefined where it is no JSON. */
  readonly body: JsonValue | undefined;
  /** To be called when its request is done. */
  leave(): void;
}

/** Waits for the body's turn and reads it piece by piece. Null: it is small, and read by the way. Rejects with 401 where the key has ended meanwhile. */
export function awaitLargeBody(gateway: Gateway, call: Call, { keyHash, database }: Tenant, isJson = true): Promise<ReadyBody> | null {
  const { schemaName } = database.record;
  const turn = gateway.bodies.turn(schemaName, call.body);
  return turn === null ? null : turn.then(async (leave) => {
    try {
      const body = isJson ? await readLargeJsonBody(call, () => gateway.turns.turn(schemaName)) : undefined;
      const tenant = await resolveTenant(gateway, keyHash, call);
      checkPlace(tenant);
      return { tenant, body, leave };
    } catch (error) {
      leave();
      throw error;
    }
  });
}
