import type { AdminConnection } from '@rowhouse/mysql';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Run } from '../run-state.js';
import { sendDdl } from './send-ddl.js';

const HELD = Object.assign(new Error('the table is held'), {
  errno: 1205,
  sqlState: 'HY000',
  sqlMessage: 'Lock wait timeout exceeded',
});
const ALTER = 'ALTER TABLE users ADD COLUMN nick varchar(40)';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates a run. Its statement is rejected `rejections` times, and then takes `lastsMs` milliseconds. */
function makeRun(
  rejections: number,
  lastsMs: number,
  setState: (state: string) => Promise<void> = () => Promise.resolve(),
): { run: Run; reported: string[] } {
  const messages: string[] = [];
  let remaining = rejections;
  const connection = {
    threadId: 7,
    isLost: () => false,
    run: (sql: string) => {
      if (sql !== ALTER) return Promise.resolve({ affectedRows: 0 });
      remaining -= 1;
      return remaining >= 0
        ? Promise.reject(HELD)
        : new Promise((resolve) => setTimeout(() => resolve({ affectedRows: 0 }), lastsMs));
    },
  } as unknown as AdminConnection;
  const run = {
    connection,
    capabilities: { alterNowait: true, performanceSchema: false },
    database: { schemaName: 'p1', settings: { end_idle_transactions_after_seconds: null } },
    state: { current: 'running', mayCancel: false },
    watcher: {},
    lease: {
      signal: new AbortController().signal,
      assertHeld: () => undefined,
      setWaiting: (isWaiting: boolean) => void messages.push(isWaiting ? 'left its place' : 'took a place'),
    },
    ctx: {
      migrations: {
        assertHeld: () => Promise.resolve(),
        setState: async (_: unknown, state: string) => (await setState(state), void messages.push(state)),
      },
    },
  } as unknown as Run;
  return { run, reported: messages };
}

it('the journal reports a wait only while the DDL statement waits for locked tables', async () => {
  const { run, reported: messages } = makeRun(5, 60_000);
  const sending = sendDdl(run, ALTER, ['users']);
  await vi.advanceTimersByTimeAsync(600);
  expect(messages).toEqual(['left its place', 'waiting_for_lock']);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(messages).toEqual(['left its place', 'waiting_for_lock', 'took a place', 'running']);
  await vi.advanceTimersByTimeAsync(60_000);
  await sending;
  expect(messages.filter((item) => item === 'running')).toHaveLength(1);
});

it('the journal is corrected after a failed update when the DDL statement ends', async () => {
  let faults = 0;
  const { run, reported: messages } = makeRun(5, 60_000, (state) =>
    state === 'running' && (faults += 1) === 1
      ? Promise.reject(new Error('the platform database is away'))
      : Promise.resolve(),
  );
  const sending = sendDdl(run, ALTER, ['users']);
  await vi.advanceTimersByTimeAsync(70_000);
  await sending;
  expect(faults).toBe(2);
  expect(messages.at(-1)).toBe('running');
});

it('a DDL statement that succeeds quickly is not reported as waiting', async () => {
  const { run, reported: messages } = makeRun(2, 60_000);
  const sending = sendDdl(run, ALTER, ['users']);
  await vi.advanceTimersByTimeAsync(70_000);
  await sending;
  expect(messages).toEqual(['took a place']);
});
