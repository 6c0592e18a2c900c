import { afterEach, expect, it, vi } from 'vitest';
import { PoolSession } from '../session/pool-session.js';
import { makeFakeSession } from '../testing/fake-session.js';
import type { PoolAccount, PoolServer } from '../types.js';
import { DEFAULT_POOL_OPTIONS } from './pool-options.js';
import { createTenantPools } from './tenant-pools.js';

const OLD: PoolServer = {
  id: 'srv_1',
  host: 'old',
  port: 1,
  tls: 'off',
  engine: 'mariadb',
  connectionsMax: 8,
};
const NEW: PoolServer = { ...OLD, host: 'new' };
const ACCOUNT: PoolAccount = { user: 'u', password: () => 'p', schema: 's', connectionsMax: 4 };

afterEach(() => void vi.restoreAllMocks());

/** Fakes sessions and lists the hosts of the sessions that were ended. */
function openSessions(): string[] {
  const endedHosts: string[] = [];
  vi.spyOn(PoolSession, 'open').mockImplementation(async (server) => {
    const finish = (): void => void endedHosts.push(server.host);
    return makeFakeSession({
      server,
      endpoint: server,
      run: async () => ({ rows: { rows: [['16382']] } }),
      finish,
      end: finish,
    });
  });
  return endedHosts;
}

it('the addresses of a server have separate pools, also for requests that still have the old address', async () => {
  const endedHosts = openSessions();
  const pools = createTenantPools(DEFAULT_POOL_OPTIONS);
  const use = async (server: PoolServer): Promise<void> =>
    pools.release(await pools.acquire(server, ACCOUNT, 500));
  for (const server of [OLD, NEW, { ...OLD }, NEW, { ...NEW }, OLD]) await use(server);
  expect(endedHosts).toEqual([]);
  expect(pools.stats()).toMatchObject([{ serverId: 'srv_1', open: 2, idle: 2, connects: 2 }]);
  pools.forgetAccount('srv_1', 'u');
  expect(endedHosts.toSorted()).toEqual(['new', 'old']);
  await pools.close(100);
});

it('the pools of a server share its limit of sessions', async () => {
  openSessions();
  const pools = createTenantPools(DEFAULT_POOL_OPTIONS);
  pools.release(await pools.acquire(OLD, ACCOUNT, 500));
  pools.setLimit('srv_1', 6);
  pools.release(await pools.acquire(NEW, ACCOUNT, 500));
  const take = (server: PoolServer): Promise<PoolSession>[] =>
    ['a', 'b', 'c', 'd'].map((user) => pools.acquire(server, { ...ACCOUNT, user }, 20));
  await Promise.allSettled([...take(OLD), ...take(NEW)]);
  expect(pools.stats()).toMatchObject([{ open: 6, limit: 6 }]);
  pools.setLimit('srv_1', 4);
  await Promise.allSettled([...take({ ...OLD }), ...take({ ...NEW })]);
  expect(pools.stats()).toMatchObject([{ limit: 4 }]);
  await pools.close(10);
});

it('a pool is removed once its address is unused, and the other pool gets the whole limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const endedHosts = openSessions();
  const pools = createTenantPools({ ...DEFAULT_POOL_OPTIONS, connectionsFloor: 8 });
  const use = async (server: PoolServer): Promise<void> =>
    pools.release(await pools.acquire(server, ACCOUNT, 500));
  await use(OLD);
  await use(NEW);
  expect(pools.stats()).toMatchObject([{ limit: 8 }]);
  for (let second = 0; second < 90; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    await use(NEW);
  }
  expect(endedHosts).toEqual(['old']);
  const held = await Promise.all(
    Array.from({ length: 8 }, (_, index) => pools.acquire(NEW, { ...ACCOUNT, user: `u${index}` }, 500)),
  );
  // The address can be used again.
  const again = pools.acquire(OLD, ACCOUNT, 500);
  for (const session of held) pools.release(session);
  pools.release(await again);
  const closed = pools.close(10);
  await vi.advanceTimersByTimeAsync(20);
  await closed;
  vi.useRealTimers();
});
