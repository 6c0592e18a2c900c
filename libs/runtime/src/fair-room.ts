/** Bytes that several hold together. One has half of the room at most, and as much less as others have: whoever comes finds some. */
export interface FairRoom {
  /** False: there is no room for so many more, and nothing is taken. */
  take(owner: string, bytes: number): boolean;
  give(owner: string, bytes: number): void;
  /** Bytes that the owner could still take until it has its part of the room, in pieces however small. Below 0 where it has more. */
  spare(owner: string): number;
}

export function createFairRoom(bytesMax: number): FairRoom {
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
      const left = bytesMax - heldByAll;
      const own = held.get(owner) ?? 0;
      if (bytes > left || (own > 0 && own + bytes > left)) return false;
      count(owner, bytes);
      return true;
    },
    give: (owner, bytes) => count(owner, -bytes),
    spare: (owner) => (bytesMax - heldByAll - (held.get(owner) ?? 0)) / 2,
  };
}
