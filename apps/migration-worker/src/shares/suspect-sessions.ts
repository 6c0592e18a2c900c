import { isIP } from 'node:net';
import { networkOf } from '@rowhouse/runtime';
import { type DirectSession, findLevel } from './judge-sessions.js';
import type { HalfOpenLogin } from './list-sessions.js';
import type { IntruderBounds } from './bounds.js';

/** If an owner has this number of active sessions in one check, it counts as heavy for a while. */
const AT_WORK_MIN = 3;

const HEAVY_MS = 10_000;

/** If a statement runs this long, in milliseconds, it counts as heavy whatever else its owner runs. */
const STATEMENT_MS = 1_000;

interface HeavyOwners {
  /** Returns the sessions whose threads should get a lower priority. */
  find(sessions: readonly (DirectSession & { readonly stateMs: number })[]): Set<number>;
  /** Returns whether any owner was heavy recently. */
  any(): boolean;
}

/** The name by which the engines list a session that has not logged in. */
export const UNAUTHENTICATED = 'unauthenticated user';

export interface IntruderWatch {
  /**
   * Returns the sessions to end: those that have not logged in and exceed the limits. Addresses with the most
   * such sessions lose their oldest ones first, because a genuine login takes only milliseconds. An IPv6
   * network with a prefix of 64 bits counts as one address.
   */
  find(logins: readonly HalfOpenLogin[], bounds: IntruderBounds): number[];
}

export function createIntruderWatch(): IntruderWatch {
  let seen: ReadonlySet<number> = new Set();
  return {
    find(logins, { all, address }) {
      const groups = new Map<string, number[]>();
      for (const { id, client } of logins) {
        const network = networkOf(readHost(client));
        groups.set(network, [...(groups.get(network) ?? []), id]);
      }
      const level = findLevel(
        [...groups.values()].map((ids) => ids.length),
        all,
      );
      const ended = [...groups.values()].flatMap((ids) => {
        // A gateway that starts opens many sessions at once. Only sessions that an earlier check has seen
        // therefore count against an address.
        const staying = ids.filter((id) => seen.has(id)).length - address;
        return [...ids].sort((a, b) => a - b).slice(0, Math.max(0, staying, ids.length - level));
      });
      seen = new Set([...groups.values()].flat());
      return ended;
    },
  };
}

/** Removes the port that MariaDB appends: `192.0.2.1:4711`. */
function readHost(client: string): string {
  return isIP(client) === 0 ? client.replace(/:\d+$/, '') : client;
}

export function createHeavyOwners(now: () => number = () => performance.now()): HeavyOwners {
  const until = new Map<string, number>();
  return {
    find(sessions) {
      const atWork = sessions.filter((item) => item.isAtWork);
      const counts = new Map<string, number>();
      for (const { ownerId } of atWork) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
      for (const [ownerId, count] of counts) if (count >= AT_WORK_MIN) until.set(ownerId, now() + HEAVY_MS);
      for (const [ownerId, endMs] of until) if (endMs <= now()) until.delete(ownerId);
      const heavy = sessions.filter(
        (item) => until.has(item.ownerId) || (item.isAtWork && item.stateMs >= STATEMENT_MS),
      );
      return new Set(heavy.map(({ id }) => id));
    },
    any: () => until.size > 0,
  };
}
