import type { WorkerServer } from '@rowhouse/platform-store';

/**
 * Tracks nodes that recently did not respond. Without it, each new session would wait for the login timeout
 * of a stalled node.
 */
export interface NodeFailureTracker {
  /** Returns the nodes, with recently failed ones last and otherwise in the given order. */
  order(nodes: readonly WorkerServer[]): readonly WorkerServer[];
  failed(node: WorkerServer): void;
  served(node: WorkerServer): void;
}

/** Creates a tracker. For `forMs` milliseconds, a failed node is tried last. */
export function createNodeFailureTracker(
  forMs: number,
  nowMs: () => number = () => performance.now(),
): NodeFailureTracker {
  const failedAt = new Map<string, number>();
  const isSuspect = (node: WorkerServer): boolean =>
    nowMs() - (failedAt.get(nameNode(node)) ?? Number.NEGATIVE_INFINITY) < forMs;
  return {
    order: (nodes) =>
      failedAt.size === 0 ? nodes : [...nodes.filter((node) => !isSuspect(node)), ...nodes.filter(isSuspect)],
    failed: (node) => void failedAt.set(nameNode(node), nowMs()),
    served: (node) => void failedAt.delete(nameNode(node)),
  };
}

/** Returns the name of a node, for the log and as a key. The name is unique within its server. */
export function nameNode({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host}:${port}`;
}
