import { isIP } from 'node:net';
import { networkOf } from '@rowhouse/runtime';
import { findLevel } from './judge-sessions.js';
import type { HalfOpenLogin } from './list-sessions.js';

/** What the engines call a session that has not logged in. */
export const UNAUTHENTICATED = 'unauthenticated user';

export interface IntruderBounds {
  /** Sessions that have not logged in, of all addresses together. */
  readonly all: number;
  /** Sessions that one address had open at the look before too, and still has not logged in on. */
  readonly address: number;
}

export interface IntruderWatch {
  /**
   * Returns the sessions to end: those that have not logged in beyond the bounds. Addresses with the most of them give up
   * theirs, the oldest first, since a login takes milliseconds. An IPv6 network of 64 bits counts as one address.
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
      const level = findLevel([...groups.values()].map((ids) => ids.length), all);
      const ended = [...groups.values()].flatMap((ids) => {
        // A gateway that starts opens many at once: only those that stay count against an address.
        const staying = ids.filter((id) => seen.has(id)).length - address;
        return [...ids].sort((a, b) => a - b).slice(0, Math.max(0, staying, ids.length - level));
      });
      seen = new Set([...groups.values()].flat());
      return ended;
    },
  };
}

/** MariaDB appends the port: `192.0.2.1:4711`. */
function readHost(client: string): string {
  return isIP(client) === 0 ? client.replace(/:\d+$/, '') : client;
}
