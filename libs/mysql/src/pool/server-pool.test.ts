import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConnectionLostError } from '../faults.js';
import { DEFAULT_POOL_OPTIONS } from './pool-options.js';
import { createServerPool } from './server-pool.js';
import { PoolSession } from '../session/pool-session.js';
import { makeFakeSession } from '../testing/fake-session.js';
import { TEST_ACCOUNT, TEST_SERVER } from '../testing/pool-fixtures.js';
import type { PoolAccount } from '../types.js';

/** Fakes sessions that run only the statement with which the pool reads the server's limits. */
function openSessions(measure: () => Promise<unknown>): { readonly destroy: ReturnType<typeof vi.fn> } {
  const destroy = vi.fn();
  vi.spyOn(PoolSession, 'open').mockImplementation(async (endpoint) =>
    makeFakeSession({ endpoint, run: measure, destroy, end: () => undefined }),
  );
  return { destroy };
}

const MEASURED = { rows: { rows: [['16382']] } };

describe('sessions for short writes', () => {
  const account: PoolAccount = { ...TEST_ACCOUNT, writesMax: 4 };

  afterEach(() => void vi.restoreAllMocks());

  it('short writes and long statements of a pool have separate limits', async () => {
    openSessions(() => Promise.resolve(MEASURED));
    const pool = createServerPool({ ...TEST_SERVER, connectionsMax: 20 }, DEFAULT_POOL_OPTIONS);
    const long = Array.from({ length: 3 }, () => pool.acquire(account, 2_000));
    const [firstLong] = await Promise.all(long.slice(0, 2));
    expect(pool.stats()).toMatchObject({ open: 2, waiting: 1, wanted: 0 });
    const short = Array.from({ length: 5 }, () => pool.acquire(account, 2_000, 'short'));
    const [firstShort] = await Promise.all(short.slice(0, 4));
    expect(pool.stats()).toMatchObject({ open: 6, waiting: 2, wanted: 0 });
    // The first waiting caller cannot get the session yet, because two long statements are running.
    pool.release(firstShort as PoolSession);
    expect(await short[4]).toBe(firstShort);
    pool.release(firstLong as PoolSession);
    expect(await long[2]).toBe(firstLong);
    for (const session of await Promise.all([...long.slice(1), ...short.slice(1)])) pool.release(session);
    expect(pool.stats()).toMatchObject({ open: 6, idle: 6, waiting: 0 });
    // Sessions that become idle do not raise the limit of long statements.
    const moreLong = Array.from({ length: 3 }, () => pool.acquire(account, 2_000));
    await Promise.all(moreLong.slice(0, 2));
    expect(pool.stats()).toMatchObject({ open: 6, idle: 4, waiting: 1 });
    const rejected = expect(moreLong[2]).rejects.toMatchObject({ code: 'db.unavailable' });
    await pool.close(1);
    await rejected;
  });

  it('short writes at the limit of a server wait, and the pool asks for a higher limit', async () => {
    openSessions(() => Promise.resolve(MEASURED));
    const onPressure = vi.fn();
    const pool = createServerPool(TEST_SERVER, { ...DEFAULT_POOL_OPTIONS, connectionsFloor: 5, onPressure });
    const short = Array.from({ length: 4 }, () => pool.acquire(account, 2_000, 'short'));
    await Promise.all(short.slice(0, 2));
    expect(pool.stats()).toMatchObject({ open: 2, limit: 5, waiting: 2, wanted: 2 });
    expect(onPressure).toHaveBeenCalledWith('srv_1');
    pool.setLimit(8);
    for (const session of await Promise.all(short)) pool.release(session);
    expect(pool.stats()).toMatchObject({ open: 4, idle: 4 });
    await pool.close(100);
  });
});

describe('a statement waiting for another one of its account while other tenants are active', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('a long statement waiting for its account gets a session once the running one is slow', async () => {
    openSessions(() => Promise.resolve(MEASURED));
    const pool = createServerPool(TEST_SERVER, DEFAULT_POOL_OPTIONS);
    const neighbour = await pool.acquire({ ...TEST_ACCOUNT, user: 'n', schema: 'n' }, 2_000);
    const slow = await pool.acquire(TEST_ACCOUNT, 2_000);
    const waiting = pool.acquire(TEST_ACCOUNT, 2_000);
    expect(pool.stats()).toMatchObject({ open: 2, waiting: 1, wanted: 0 });
    const sessions = [neighbour, slow, await waiting];
    expect(pool.stats()).toMatchObject({ open: 3, waiting: 0 });
    for (const session of sessions) pool.release(session);
    await pool.close(100);
  });
});

describe('a session prepared for an expected caller', () => {
  afterEach(() => void vi.restoreAllMocks());

  /** Fakes sessions that become ready only when the test calls `arrive`. */
  function openLate(): { readonly arrive: () => void; readonly become: ReturnType<typeof vi.fn> } {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const become = vi.fn(() => Promise.resolve());
    vi.spyOn(PoolSession, 'open').mockImplementation(async (endpoint) => {
      await arrived;
      return makeFakeSession({
        endpoint,
        run: () => Promise.resolve(MEASURED),
        become,
        destroy: () => undefined,
        end: () => undefined,
      });
    });
    return { arrive, become };
  }

  it('an expected caller gets its prepared session, even if that is ready later', async () => {
    const { arrive } = openLate();
    const pool = createServerPool(TEST_SERVER, DEFAULT_POOL_OPTIONS);
    pool.expect(TEST_ACCOUNT);
    const caller = pool.acquire(TEST_ACCOUNT, 2_000);
    expect(pool.stats()).toMatchObject({ open: 1, waiting: 1, connects: 1 });
    arrive();
    pool.release(await caller);
    pool.expect(TEST_ACCOUNT);
    pool.release(await pool.acquire(TEST_ACCOUNT, 2_000));
    expect(pool.stats()).toMatchObject({ open: 1, idle: 1, connects: 1 });
    await pool.close(100);
  });

  it('expect() takes over an idle session at the limit unless another caller waits', async () => {
    const { arrive, become } = openLate();
    arrive();
    const other = { ...TEST_ACCOUNT, user: 'o', schema: 'o' };
    const third = { ...TEST_ACCOUNT, user: 't', schema: 't' };
    const pool = createServerPool({ ...TEST_SERVER, connectionsMax: 1 }, DEFAULT_POOL_OPTIONS);
    const session = await pool.acquire(TEST_ACCOUNT, 2_000);
    const waiting = pool.acquire(other, 2_000);
    pool.expect(third);
    pool.release(session);
    pool.release(await waiting);
    expect(become.mock.calls).toEqual([[other]]);
    pool.expect(third);
    await vi.waitFor(() => expect(pool.stats()).toMatchObject({ open: 1, idle: 1, takeovers: 2 }));
    expect(become.mock.calls).toEqual([[other], [third]]);
    await pool.close(100);
  });

  it('expect() ignores a connection that cannot be opened', async () => {
    const open = vi.spyOn(PoolSession, 'open').mockRejectedValue(new ConnectionLostError('ECONNREFUSED'));
    const pool = createServerPool(TEST_SERVER, DEFAULT_POOL_OPTIONS);
    pool.expect(TEST_ACCOUNT);
    await vi.waitFor(() => expect(pool.stats()).toMatchObject({ open: 0, connects: 1 }));
    expect(open).toHaveBeenCalledTimes(1);
    await pool.close(100);
    pool.expect(TEST_ACCOUNT);
    expect(open).toHaveBeenCalledTimes(1);
  });
});

describe('the accounts of a server that is down', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('an account whose callers were all rejected leaves no entry in the server pool', async () => {
    vi.spyOn(PoolSession, 'open').mockRejectedValue(new ConnectionLostError('ECONNREFUSED'));
    const pool = createServerPool(TEST_SERVER, DEFAULT_POOL_OPTIONS);
    const callers = Array.from({ length: 20 }, (_, index) =>
      pool.acquire({ ...TEST_ACCOUNT, user: `u${index}` }, 500).then(
        () => 'served',
        () => 'rejected',
      ),
    );
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['rejected']));
    await vi.waitFor(() => expect(pool.stats()).toMatchObject({ isBreakerOpen: true, accounts: 0 }));
    await expect(pool.acquire(TEST_ACCOUNT, 500)).rejects.toMatchObject({ code: 'db.unavailable' });
    expect(pool.stats()).toMatchObject({ open: 0, waiting: 0, accounts: 0 });
    await pool.close(100);
  });

  it('a caller that is rejected by a full queue leaves no entry in the server pool', async () => {
    vi.spyOn(PoolSession, 'open').mockReturnValue(new Promise(() => undefined));
    const pool = createServerPool(TEST_SERVER, { ...DEFAULT_POOL_OPTIONS, waitersMax: 1 });
    const first = pool.acquire(TEST_ACCOUNT, 500).catch(() => 'rejected');
    await expect(pool.acquire({ ...TEST_ACCOUNT, user: 'o' }, 500)).rejects.toThrow();
    expect(pool.stats().accounts).toBe(1);
    await pool.close(1);
    expect(await first).toBe('rejected');
  });
});

describe('the first session on a server', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('a session whose server cannot be measured is destroyed, and the next one measures again', async () => {
    const measure = vi
      .fn<() => Promise<unknown>>()
      .mockRejectedValueOnce(new ConnectionLostError('ECONNRESET'))
      .mockResolvedValueOnce(MEASURED);
    const { destroy } = openSessions(measure);
    const pool = createServerPool(TEST_SERVER, DEFAULT_POOL_OPTIONS);
    // After a session has failed, the pool retries once before the caller gets an error.
    const session = await pool.acquire(TEST_ACCOUNT, 2_000);
    expect([measure.mock.calls.length, destroy.mock.calls.length]).toEqual([2, 1]);
    pool.release(session);
    expect(pool.stats()).toMatchObject({ open: 1, idle: 1, connects: 2 });
    await pool.close(100);
  });
});
