import type { PoolServer } from './pool-types.js';

/**
 * Tracks which addresses of a server respond, as seen by this process. All sessions use the first node that
 * serves, so writes meet on one node and cause no certification conflicts. Each entry is the server with one
 * of its addresses.
 */
export interface NodeBook {
  readonly isSeveral: boolean;
  /**
   * Returns the nodes in the order to try them: serving ones in the server's order, then failed ones, with
   * the oldest failure first.
   */
  order(): readonly PoolServer[];
  failed(place: PoolServer): void;
  served(place: PoolServer): void;
  /** Returns nodes that should not be used while others serve. */
  listFailed(): readonly PoolServer[];
  /** Returns whether new sessions would be opened there first. */
  isFirst(place: PoolServer): boolean;
}

export function createNodeBook(server: PoolServer): NodeBook {
  const places: readonly PoolServer[] = [server, ...(server.nodes ?? []).map(({ host, port }) => ({ ...server, host, port }))];
  /** Ordered by the time of failure. */
  const failed = new Set<PoolServer>();
  let current = places;
  const settle = (): void => {
    current = [...places.filter((place) => !failed.has(place)), ...failed];
  };
  return {
    isSeveral: places.length > 1,
    order: () => current,
    failed(place) {
      failed.delete(place);
      failed.add(place);
      settle();
    },
    served(place) {
      if (failed.delete(place)) settle();
    },
    listFailed: () => [...failed],
    isFirst: (place) => current[0] === place,
  };
}
