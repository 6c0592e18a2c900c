import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readServerFault, limitResponseTime } from './admin-session.js';
import type { AdminSession } from './admin-session.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('limitResponseTime ends the connection when a response is late', async () => {
  const drop = vi.fn();
  const never = new Promise<never>(() => undefined);
  const session: AdminSession = {
    rows: (sql) => (sql === 'quick' ? Promise.resolve([]) : never),
    run: () => never,
  };
  const bounded = limitResponseTime(session, () => 1_000, drop);
  expect(await bounded.rows('quick')).toEqual([]);
  const late = Promise.allSettled([bounded.rows('slow'), bounded.run('slow')]);
  await vi.advanceTimersByTimeAsync(999);
  expect(drop).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(
    (await late).map((item) => item.status === 'rejected' && readServerFault(item.reason)?.isConnectionLost),
  ).toEqual([true, true]);
  expect(drop).toHaveBeenCalledTimes(2);
});
