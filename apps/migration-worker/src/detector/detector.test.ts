import { expect, it, vi } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { createActors, createDetector } from './detector.js';

vi.mock('@rowhouse/queue', () => ({ createChangeSubscriber: () => ({ close: async () => undefined }) }));
vi.mock('../maintenance/sweep-accounts.js', () => ({ createAccountSweep: () => ({}) }));
const createWatch = vi.hoisted(() => ({ close: async (): Promise<unknown> => undefined }));
vi.mock('./watch-server.js', () => ({
  HOLD_LEASE_MS: 1_000,
  createServerWatch: () => ({ isOf: () => true, check: () => undefined, close: () => createWatch.close() }),
}));

it('createActors() returns the last user that was connected alone', () => {
  let nowMs = 0;
  const actors = createActors(() => nowMs);
  expect(actors.find('db_1')).toBe('');
  actors.note('db_1', ['con_a']);
  actors.note('db_1', ['con_a']);
  expect(actors.find('db_1')).toBe('con_a');
  actors.note('db_1', ['con_b']);
  expect(actors.find('db_1')).toBe('');
  nowMs = 1_000;
  actors.note('db_1', ['con_b']);
  expect(actors.find('db_1')).toBe('con_b');
  nowMs = 2_000;
  actors.note('db_1', ['con_a', 'con_b']);
  expect(actors.find('db_1')).toBe('');
  expect(actors.find('db_2')).toBe('');
});

it('stopping the detector waits for a lease request and then releases the lease of the server', async () => {
  const calls: string[] = [];
  let grant = (_isHeld: boolean): void => undefined;
  const ctx = {
    logger: { warn: vi.fn(), info: vi.fn() },
    countIgnored: () => undefined,
    directory: { listServers: async () => [{ id: 'srv_1', capabilities: {} }] },
    detects: {
      holdServer: () => new Promise<boolean>((resolve) => (grant = resolve)),
      releaseServer: async (id: string) => void calls.push(`release ${id}`),
      listRequested: async () => [],
      listRepairs: async () => [],
    },
  } as unknown as WorkerContext;
  const detector = createDetector(ctx, { redisUrl: 'redis://unused' });
  detector.start();
  await new Promise(setImmediate);
  const stopped = detector.stop().then(() => calls.push('stopped'));
  await new Promise(setImmediate);
  grant(true);
  await stopped;
  expect(calls).toEqual(['release srv_1', 'stopped']);
});

it('the lease of a server is renewed while an account repair or a requested database does not respond', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let holds = 0;
  let closes = 0;
  const ctx = {
    logger: { warn: vi.fn(), info: vi.fn() },
    countIgnored: () => undefined,
    directory: {
      listServers: async () => ['lost', 'kept'].map((id) => ({ id, capabilities: {} })),
      readDatabase: () => new Promise(() => undefined),
    },
    detects: {
      async holdServer(id: string) {
        if (id === 'kept') holds += 1;
        return id === 'kept' || holds < 2;
      },
      releaseServer: async () => undefined,
      listRequested: async () => ['db_1'],
      listRepairs: async () => [],
    },
  } as unknown as WorkerContext;
  createWatch.close = () => {
    closes += 1;
    return new Promise(() => undefined);
  };
  const detector = createDetector(ctx, { redisUrl: 'redis://unused' });
  detector.start();
  for (let round = 0; round < 4; round += 1) {
    await new Promise(setImmediate);
    vi.advanceTimersByTime(2_000);
  }
  await new Promise(setImmediate);
  expect(closes).toBe(1);
  expect(holds).toBe(5);
  createWatch.close = async () => undefined;
  await detector.stop();
  vi.useRealTimers();
});
