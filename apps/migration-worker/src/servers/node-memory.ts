import type { WorkerServer } from '@rowhouse/platform-store';

/** Which nodes did not answer lately: one that stands still would cost every session the whole time of a login in vain. */
export interface NodeMemory {
  /** Those that failed lately behind the others; else as they are given. */
  order(nodes: readonly WorkerServer[]): readonly WorkerServer[];
  failed(node: WorkerServer): void;
  served(node: WorkerServer): void;
}

/** `forMs`: for how long a node is tried last. */
export function createNodeMemory(forMs: number, nowMs: () => number = () => performance.now()): NodeMemory {
  const failedAt = new Map<string, number>();
  const nameOf = ({ host, port }: WorkerServer): string => `${host}:${port}`;
  const isSuspect = (node: WorkerServer): boolean => nowMs() - (failedAt.get(nameOf(node)) ?? Number.NEGATIVE_INFINITY) < forMs;
  return {
    order: (nodes) => (failedAt.size === 0 ? nodes : [...nodes.filter((node) => !isSuspect(node)), ...nodes.filter(isSuspect)]),
    failed: (node) => void failedAt.set(nameOf(node), nowMs()),
    served: (node) => void failedAt.delete(nameOf(node)),
  };
}
