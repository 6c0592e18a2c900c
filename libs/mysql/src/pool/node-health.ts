import type { PoolServer } from '../types.js';

/**
 * Tracks which addresses of a server respond to this process. All sessions use the first node that serves.
 * All writes therefore go to one node, which prevents certification conflicts between nodes. Each entry is
 * the server with one of its addresses.
 */
export interface NodeHealth {
  readonly isSeveral: boolean;
  /**
   * Returns the nodes in the order in which to try them. Nodes that serve come first, in the server's order.
   * Failed nodes follow, with the oldest failure first.
   */
  order(): readonly PoolServer[];
  failed(endpoint: PoolServer): void;
  served(endpoint: PoolServer): void;
  /** Returns the nodes that should not be used as long as other nodes serve. */
  listFailed(): readonly PoolServer[];
  /** Returns whether a new session would be opened at this node first. */
  isFirst(endpoint: PoolServer): boolean;
}

export function createNodeHealth(server: PoolServer): NodeHealth {
  const endpoints: readonly PoolServer[] = [
    server,
    ...(server.nodes ?? []).map(({ host, port }) => ({ ...server, host, port })),
  ];
  /** The failed nodes, ordered by the time of their failure. */
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
