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

it('a pool closes each session at the old address of its server once the session is idle', async () => {
  const endedHosts = openSessions();
  const pools = createTenantPools(DEFAULT_POOL_OPTIONS);
  const [idle, busy] = [await pools.acquire(OLD, ACCOUNT, 500), await pools.acquire(OLD, ACCOUNT, 500)];
  pools.release(idle);
  pools.setLimit('srv_1', 5);
  const moved = await pools.acquire(NEW, ACCOUNT, 500);
  expect(endedHosts).toEqual(['old']);
  pools.release(busy);
  expect(endedHosts).toEqual(['old', 'old']);
  expect(pools.stats()).toMatchObject([{ serverId: 'srv_1', open: 1, limit: 5 }]);
  // A request that still has the old address gets a session, but the session is closed after use.
  pools.release(await pools.acquire(OLD, ACCOUNT, 500));
  expect(endedHosts).toEqual(['old', 'old', 'old']);
  pools.release(moved);
  await pools.close(100);
});
