import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConnectionLost } from './pool-fault.js';
import { DEFAULT_POOL_OPTIONS } from './pool-options.js';
import { createServerPool } from './pool-server.js';
import { PoolSession } from './pool-session.js';
import type { PoolAccount, PoolServer } from './pool-types.js';

const SERVER: PoolServer = { id: 'srv_1', host: 'a', port: 1, tls: 'off', engine: 'mariadb', connectionsMax: 8 };
const ACCOUNT: PoolAccount = { user: 'u', password: () => 'p', schema: 's', connectionsMax: 2 };

/** Sessions whose one statement is the one that measures the server. */
function openSessions(measure: () => Promise<unknown>): { readonly destroy: ReturnType<typeof vi.fn> } {
  const destroy = vi.fn();
  vi.spyOn(PoolSession, 'open').mockImplementation(async (server) => ({ place: server, lentFor: null, gone: null, run: measure, destroy, end: vi.fn() }) as unknown as PoolSession);
  return { destroy };
}

const MEASURED = { rows: { rows: [['16382']] } };

describe('sessions for short writes', () => {
  const account: PoolAccount = { ...ACCOUNT, writesMax: 4 };

  afterEach(() => void vi.restoreAllMocks());

  it('come beside those for whatever may take long, and neither waits behind the other', async () => {
    openSessions(() => Promise.resolve(MEASURED));
    const pool = createServerPool({ ...SERVER, connectionsMax: 20 }, DEFAULT_POOL_OPTIONS);
    const long = Array.from({ length: 3 }, () => pool.acquire(account, 2_000));
    const [firstLong] = await Promise.all(long.slice(0, 2));
    expect(pool.stats()).toMatchObject({ open: 2, waiting: 1, wanted: 0 });
    const short = Array.from({ length: 5 }, () => pool.acquire(account, 2_000, 'short'));
    const [firstShort] = await Promise.all(short.slice(0, 4));
    expect(pool.stats()).toMatchObject({ open: 6, waiting: 2, wanted: 0 });
    // The first in line may not have it yet: two that may take long are at work.
    pool.release(firstShort as PoolSession);
    expect(await short[4]).toBe(firstShort);
    pool.release(firstLong as PoolSession);
    expect(await long[2]).toBe(firstLong);
    for (const session of await Promise.all([...long.slice(1), ...short.slice(1)])) pool.release(session);
    expect(pool.stats()).toMatchObject({ open: 6, idle: 6, waiting: 0 });
    // Idle ones do not make more of those that may take long.
    const again = Array.from({ length: 3 }, () => pool.acquire(account, 2_000));
    await Promise.all(again.slice(0, 2));
    expect(pool.stats()).toMatchObject({ open: 6, idle: 4, waiting: 1 });
    const refused = expect(again[2]).rejects.toMatchObject({ code: 'db.unavailable' });
    await pool.close(1);
    await refused;
  });

  it('are no more than others where that would leave nobody room, and more room is asked for', async () => {
    openSessions(() => Promise.resolve(MEASURED));
    const onPressure = vi.fn();
    const pool = createServerPool(SERVER, { ...DEFAULT_POOL_OPTIONS, connectionsFloor: 5, onPressure });
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

describe('a statement that waits for one of its own account, in company', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('has a session once the other is slow, though nothing comes back', async () => {
    openSessions(() => Promise.resolve(MEASURED));
    const pool = createServerPool(SERVER, DEFAULT_POOL_OPTIONS);
    const neighbour = await pool.acquire({ ...ACCOUNT, user: 'n', schema: 'n' }, 2_000);
    const slow = await pool.acquire(ACCOUNT, 2_000);
    const waiting = pool.acquire(ACCOUNT, 2_000);
    expect(pool.stats()).toMatchObject({ open: 2, waiting: 1, wanted: 0 });
    const sessions = [neighbour, slow, await waiting];
    expect(pool.stats()).toMatchObject({ open: 3, waiting: 0 });
    for (const session of sessions) pool.release(session);
    await pool.close(100);
  });
});

describe('a session that is made ready for who is expected', () => {
  afterEach(() => void vi.restoreAllMocks());

  /** Sessions that are as they should be only once `arrive` has been called. */
  function openLate(): { readonly arrive: () => void; readonly become: ReturnType<typeof vi.fn> } {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const become = vi.fn(() => Promise.resolve());
    vi.spyOn(PoolSession, 'open').mockImplementation(async (server) => {
      await arrived;
      return { place: server, lentFor: null, gone: null, run: () => Promise.resolve(MEASURED), become, destroy: vi.fn(), end: vi.fn() } as unknown as PoolSession;
    });
    return { arrive, become };
  }

  it('is the one that the caller has, whether it comes before or after it', async () => {
    const { arrive } = openLate();
    const pool = createServerPool(SERVER, DEFAULT_POOL_OPTIONS);
    pool.expect(ACCOUNT);
    const caller = pool.acquire(ACCOUNT, 2_000);
    expect(pool.stats()).toMatchObject({ open: 1, waiting: 1, connects: 1 });
    arrive();
    pool.release(await caller);
    pool.expect(ACCOUNT);
    pool.release(await pool.acquire(ACCOUNT, 2_000));
    expect(pool.stats()).toMatchObject({ open: 1, idle: 1, connects: 1 });
    await pool.close(100);
  });

  it('is taken over at the limit, from who has one idle, and from nobody while somebody waits', async () => {
    const { arrive, become } = openLate();
    arrive();
    const other = { ...ACCOUNT, user: 'o', schema: 'o' };
    const third = { ...ACCOUNT, user: 't', schema: 't' };
    const pool = createServerPool({ ...SERVER, connectionsMax: 1 }, DEFAULT_POOL_OPTIONS);
    const session = await pool.acquire(ACCOUNT, 2_000);
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

  it('is nobody\'s fault when it cannot be had', async () => {
    const open = vi.spyOn(PoolSession, 'open').mockRejectedValue(new ConnectionLost('ECONNREFUSED'));
    const pool = createServerPool(SERVER, DEFAULT_POOL_OPTIONS);
    pool.expect(ACCOUNT);
    await vi.waitFor(() => expect(pool.stats()).toMatchObject({ open: 0, connects: 1 }));
    expect(open).toHaveBeenCalledTimes(1);
    await pool.close(100);
    pool.expect(ACCOUNT);
    expect(open).toHaveBeenCalledTimes(1);
  });
});

describe('the first session on a server', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('is given up when the server could not be measured, and the next one measures again', async () => {
    const measure = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(new ConnectionLost('ECONNRESET')).mockResolvedValueOnce(MEASURED);
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
