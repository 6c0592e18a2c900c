/**
 * A memory budget that owners share. An owner may hold at most as many bytes as remain free afterwards. This
 * is half of the budget for a single owner, and less if others use the budget too.
 */
export interface FairByteBudget {
  /** Reserves bytes. Returns false and reserves nothing if the owner's share has too few left. */
  take(owner: string, bytes: number): boolean;
  give(owner: string, bytes: number): void;
  /**
   * Returns the number of bytes that the owner can still reserve. It is negative if the owner holds more than
   * its share.
   */
  spare(owner: string): number;
}

export function createFairByteBudget(bytesMax: number): FairByteBudget {
  const held = new Map<string, number>();
  let heldByAll = 0;

  function count(owner: string, bytes: number): void {
    heldByAll += bytes;
    const own = (held.get(owner) ?? 0) + bytes;
    if (own === 0) held.delete(owner);
    else held.set(owner, own);
  }

  return {
    take(owner, bytes) {
      const remaining = bytesMax - heldByAll;
      const own = held.get(owner) ?? 0;
      if (bytes > remaining || (own > 0 && own + bytes > remaining)) return false;
      count(owner, bytes);
      return true;
    },
    give: (owner, bytes) => count(owner, -bytes),
    spare: (owner) => (bytesMax - heldByAll - (held.get(owner) ?? 0)) / 2,
  };
}
