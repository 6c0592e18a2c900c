import type { PoolServer } from './pool-types.js';

/**
 * Which addresses of a server answer, as far as one process has seen. All sessions go to the first that serves, so that
 * writes meet on one node and are certified without conflicts; each place is the server by one of its addresses.
 */
export interface NodeBook {
  readonly isSeveral: boolean;
  /** In the order in which they are to be tried: those that serve, in the server's order; then those that failed, the longest ago first. */
  order(): readonly PoolServer[];
  failed(place: PoolServer): void;
  served(place: PoolServer): void;
  /** Those not to be used while others serve. */
  listFailed(): readonly PoolServer[];
  /** Whether new sessions would be opened there first. */
  isFirst(place: PoolServer): boolean;
}

export function createNodeBook(server: PoolServer): NodeBook {
  const places: readonly PoolServer[] = [server, ...(server.nodes ?? []).map(({ host, port }) => ({ ...server, host, port }))];
  /** In the order of their failing. */
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
