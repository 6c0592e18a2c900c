import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConnectionLost } from './pool-fault.js';
import { createServerPool, DEFAULT_POOL_OPTIONS } from './pool-server.js';
import { PoolSession } from './pool-session.js';
import type { PoolAccount, PoolServer } from './pool-types.js';

const SERVER: PoolServer = { id: 'srv_1', host: 'a', port: 1, tls: 'off', engine: 'mariadb', connectionsMax: 8 };
const ACCOUNT: PoolAccount = { user: 'u', password: () => 'p', schema: 's', connectionsMax: 2 };

/** Sessions whose one statement is the one that measures the server. */
function openSessions(measure: () => Promise<unknown>): { readonly destroy: ReturnType<typeof vi.fn> } {
  const destroy = vi.fn();
  vi.spyOn(PoolSession, 'open').mockImplementation(async (server) => ({ place: server, run: measure, destroy, end: vi.fn() }) as unknown as PoolSession);
  return { destroy };
}

describe('the first session on a server', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('is given up when the server could not be measured, and the next one measures again', async () => {
    const measure = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(new ConnectionLost('ECONNRESET')).mockResolvedValueOnce({ rows: { rows: [['16382']] } });
    const { destroy } = openSessions(measure);
    const pool = createServerPool(SERVER, DEFAULT_POOL_OPTIONS);
    // A failed session is tried once more before the caller hears of it.
    const session = await pool.acquire(ACCOUNT, 2_000);
    expect([measure.mock.calls.length, destroy.mock.calls.length]).toEqual([2, 1]);
    pool.release(session);
    expect(pool.stats()).toMatchObject({ open: 1, idle: 1, connects: 2 });
    await pool.close(100);
  });
});
