import type { WorkerServer } from '@rowhouse/platform-store';
import { nameNode } from './name-node.js';

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
  const isSuspect = (node: WorkerServer): boolean => nowMs() - (failedAt.get(nameNode(node)) ?? Number.NEGATIVE_INFINITY) < forMs;
  return {
    order: (nodes) => (failedAt.size === 0 ? nodes : [...nodes.filter((node) => !isSuspect(node)), ...nodes.filter(isSuspect)]),
    failed: (node) => void failedAt.set(nameNode(node), nowMs()),
    served: (node) => void failedAt.delete(nameNode(node)),
  };
}
