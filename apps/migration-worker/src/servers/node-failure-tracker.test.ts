import type { WorkerServer } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import { createNodeFailureTracker } from './node-failure-tracker.js';

it('server nodes that failed recently are tried last', () => {
  let nowMs = 0;
  const memory = createNodeFailureTracker(1_000, () => nowMs);
  const [a, b, c] = ['a', 'b', 'c'].map((host) => ({ host, port: 1 }) as WorkerServer) as [
    WorkerServer,
    WorkerServer,
    WorkerServer,
  ];
  const order = (): string =>
    memory
      .order([a, b, c])
      .map(({ host }) => host)
      .join('');
  expect(order()).toBe('abc');
  memory.failed(a);
  expect(order()).toBe('bca');
  memory.failed(b);
  expect(order()).toBe('cab');
  memory.served(a);
  expect(order()).toBe('acb');
  nowMs = 1_000;
  expect(order()).toBe('abc');
});
