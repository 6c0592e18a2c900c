import type { PoolServer } from '../types.js';

/**
 * Tracks which addresses of a server respond, as seen by this process. All sessions use the first node that
 * serves, so writes meet on one node and cause no certification conflicts. Each entry is the server with one
 * of its addresses.
 */
export interface NodeHealth {
  readonly isSeveral: boolean;
  /**
   * Returns the nodes in the order to try them: serving ones in the server's order, then failed ones, with
   * the oldest failure first.
   */
  order(): readonly PoolServer[];
  failed(endpoint: PoolServer): void;
  served(endpoint: PoolServer): void;
  /** Returns nodes that should not be used while others serve. */
  listFailed(): readonly PoolServer[];
  /** Returns whether new sessions would be opened there first. */
  isFirst(endpoint: PoolServer): boolean;
}

export function createNodeHealth(server: PoolServer): NodeHealth {
  const endpoints: readonly PoolServer[] = [
    server,
    ...(server.nodes ?? []).map(({ host, port }) => ({ ...server, host, port })),
  ];
  /** Ordered by the time of failure. */
  const failed = new Set<PoolServer>();
  let current = endpoints;
  const settle = (): void => {
    current = [...endpoints.filter((endpoint) => !failed.has(endpoint)), ...failed];
  };
  return {
    isSeveral: endpoints.length > 1,
    order: () => current,
    failed(endpoint) {
      failed.delete(endpoint);
      failed.add(endpoint);
      settle();
    },
    served(endpoint) {
      if (failed.delete(endpoint)) settle();
    },
    listFailed: () => [...failed],
    isFirst: (endpoint) => current[0] === endpoint,
  };
}
