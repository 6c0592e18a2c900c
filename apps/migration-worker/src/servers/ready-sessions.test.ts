import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadySessions } from './ready-sessions.js';

const [workerServer, other] = ['a', 'b'].map((host) => ({ id: 'srv_1', host, port: 1 }) as WorkerServer) as [
  WorkerServer,
  WorkerServer,
];

interface FakeSession extends AdminConnection {
  readonly host: string;
  lost: boolean;
}

function openFakes(): {
  readonly opened: FakeSession[];
  readonly closed: FakeSession[];
  open(node: WorkerServer): Promise<AdminConnection>;
} {
  const [opened, closed]: [FakeSession[], FakeSession[]] = [[], []];
  return {
    opened,
    closed,
    async open({ host }) {
      const session = {
        host,
        lost: false,
        isLost: () => session.lost,
        close: async () => void closed.push(session),
      } as unknown as FakeSession;
      opened.push(session);
      return session;
    },
  };
}

describe('createReadySessions', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('one session per server node is opened and reused until it is lost or idle for long', async () => {
    const { opened, closed, open } = openFakes();
    const sessions = createReadySessions(open, 1_000);
    for (const node of [workerServer, workerServer, other, workerServer])
      await sessions.use(node, async () => undefined);
    expect(opened.map(({ host }) => host)).toEqual(['a', 'b']);
    (opened[0] as FakeSession).lost = true;
    await sessions.use(workerServer, async () => undefined);
    expect(opened.map(({ host }) => host)).toEqual(['a', 'b', 'a']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(new Set(closed)).toEqual(new Set(opened));
    await sessions.use(workerServer, async () => undefined);
    expect(opened).toHaveLength(4);
  });

  it('a ready session is lent to one caller at a time and closed after an error', async () => {
    const { opened, closed, open } = openFakes();
    const sessions = createReadySessions(open, 1_000);
    await sessions.use(workerServer, () => sessions.use(workerServer, async () => undefined));
    expect([opened.length, closed.length]).toEqual([2, 1]);
    await expect(sessions.use(workerServer, () => Promise.reject(new Error('1064')))).rejects.toThrow('1064');
    expect([opened.length, closed.length]).toEqual([2, 2]);
    await sessions.use(workerServer, () => sessions.close());
    expect([opened.length, closed.length]).toEqual([3, 3]);
  });
});
