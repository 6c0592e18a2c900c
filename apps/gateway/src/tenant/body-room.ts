import { createFairRoom } from '@rowhouse/runtime';
import type { TenantDatabase } from './tenant.js';

/** Whose bytes they are. */
export interface BodyHolder {
  /** What is counted together: databases of projects that one account made. */
  readonly ownerId: string;
  readonly schemaName: string;
}

/** Bytes that bodies hold. An owner has half of the room at most, however many databases it has; one database three quarters of that, so that the owner's others find some. */
export interface BodyRoom {
  /** False: there is no room for so many more, and nothing is taken. */
  take(holder: BodyHolder, bytes: number): boolean;
  give(holder: BodyHolder, bytes: number): void;
}

export function holderOf({ record }: Pick<TenantDatabase, 'record'>): BodyHolder {
  return { ownerId: record.accountId ?? record.projectId, schemaName: record.schemaName };
}

/** Of what its owner may have: one database can hold three times what it leaves. */
const TIMES_LEFT = 3;

export function createBodyRoom(bytesMax: number): BodyRoom {
  const owners = createFairRoom(bytesMax);
  const held = new Map<string, number>();

  function count(schemaName: string, bytes: number): void {
    const own = (held.get(schemaName) ?? 0) + bytes;
    if (own === 0) held.delete(schemaName);
    else held.set(schemaName, own);
  }

  return {
    take({ ownerId, schemaName }, bytes) {
      const own = held.get(schemaName) ?? 0;
      if (own > 0 && own + bytes > TIMES_LEFT * owners.spare(ownerId)) return false;
      if (!owners.take(ownerId, bytes)) return false;
      count(schemaName, bytes);
      return true;
    },
    give({ ownerId, schemaName }, bytes) {
      owners.give(ownerId, bytes);
      count(schemaName, -bytes);
    },
  };
}
