import type { ByteBudget } from './byte-reservation.js';
import { createFairByteBudget } from './fair-byte-budget.js';

/** The owner and the database to which the memory for a body is charged. */
export interface BodyOwner {
  /** The account or project whose databases are counted together. */
  readonly ownerId: string;
  readonly schemaName: string;
}

/**
 * The memory budget for request bodies. All databases of an owner together may use at most half of it. One
 * database may use at most three quarters of its owner's share.
 */
export type BodyMemoryBudget = ByteBudget<BodyOwner>;

/**
 * One database may use three times the memory that it leaves to the other databases of its owner. This is 3/4
 * of the owner's share.
 */
const SPARE_FACTOR = 3;

export function createBodyMemoryBudget(bytesMax: number): BodyMemoryBudget {
  const owners = createFairByteBudget(bytesMax);
  const held = new Map<string, number>();

  function count(schemaName: string, bytes: number): void {
    const own = (held.get(schemaName) ?? 0) + bytes;
    if (own === 0) held.delete(schemaName);
    else held.set(schemaName, own);
  }

  return {
    take({ ownerId, schemaName }, bytes) {
      const own = held.get(schemaName) ?? 0;
      if (own > 0 && own + bytes > SPARE_FACTOR * owners.spare(ownerId)) return false;
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
