import { AppError } from '@rowhouse/errors';
import type { Executor } from '../execute/executor.js';
import { createPipelinedExecutor } from '../execute/pipelined-executor.js';
import { createPlainExecutor } from '../execute/plain-executor.js';
import type { SessionSource } from '../execute/run-options.js';
import type { PoolSession } from '../session/pool-session.js';
import type { PoolAccount, PoolServer, ServerPoolStats, SessionNeed } from '../types.js';
import type { PoolOptions } from './pool-options.js';
import { createServerPool, type ServerPool } from './server-pool.js';

/**
 * All connections of one process to tenants' databases. Each address of a server has a separate pool, so a
 * failing server affects only the tenants on it.
 */
export interface TenantPools extends SessionSource {
  /** Runs short statements in the fastest way that this process supports. */
  readonly executor: Executor;
  /**
   * Announces that a request of the account will need a session. If the account has none, one is opened or
   * taken over in the meantime. Never throws.
   */
  expect(server: PoolServer, account: PoolAccount): void;
  /**
   * Closes the idle sessions of an account. It is called after the account's password or server has changed.
   */
  forgetAccount(serverId: string, user: string): void;
  /** Sets the maximum number of open sessions of a server. */
  setLimit(serverId: string, connections: number): void;
  stats(): readonly (ServerPoolStats & { readonly serverId: string })[];
  /**
   * Rejects new work, and waits up to `drainMs` for busy sessions. A session that is still busy then is
   * closed when it returns.
   */
  close(drainMs: number): Promise<void>;
}

/** How often shared sessions and nodes are checked. */
const SWEEP_MS = 200;

/** The pools of one server, by its addresses. Nearly always there is only one. */
interface PoolsOfServer {
  readonly byAddresses: Map<string, ServerPool>;
  /** The maximum number of open sessions of all its pools. */
  limit: number;
}

/** Creates the pools. Nothing is opened before the first caller. */
export function createTenantPools(options: PoolOptions): TenantPools {
  const servers = new Map<string, PoolsOfServer>();
  /** Finds the pool by the server object. Nearly all calls need the pool, so the lookup must be fast. */
  let poolByServer = new WeakMap<PoolServer, ServerPool>();
  /** The number of connection attempts of each pool without sessions or callers, at the last check. */
  const unused = new Map<ServerPool, number>();
  let isClosed = false;
  const timer = setInterval(() => {
    for (const pool of listPools()) pool.closeIdle();
    for (const server of servers.values()) if (server.byAddresses.size > 1) removeUnused(server);
  }, options.idleSweepMs);
  timer.unref();

  const listPools = (): ServerPool[] => [...servers.values()].flatMap(listPoolsOf);

  function poolOf(server: PoolServer): ServerPool {
    const found = poolByServer.get(server);
    if (found !== undefined) return found;
    const addresses = nameAddresses(server);
    const pool = servers.get(server.id)?.byAddresses.get(addresses) ?? addPool(server, addresses);
    poolByServer.set(server, pool);
    return pool;
  }

  /**
   * After an address change, some requests still have the old address for a while. Both pools are then in use,
   * so neither replaces the other.
   */
  function addPool(server: PoolServer, addresses: string): ServerPool {
    const pool = createServerPool(server, options);
    const pools = servers.get(server.id) ?? {
      byAddresses: new Map<string, ServerPool>(),
      limit: pool.stats().limit,
    };
    servers.set(server.id, pools);
    pools.byAddresses.set(addresses, pool);
    if (pools.byAddresses.size > 1) shareLimit(pools);
    return pool;
  }

  /** Removes the pools without sessions and callers at two checks in a row, except for the last pool. */
  function removeUnused(server: PoolsOfServer): void {
    for (const [addresses, pool] of server.byAddresses) {
      const { open, waiting, connects } = pool.stats();
      const isUnused = open === 0 && waiting === 0;
      if (!isUnused || unused.get(pool) !== connects || server.byAddresses.size === 1) {
        if (isUnused) unused.set(pool, connects);
        else unused.delete(pool);
        continue;
      }
      server.byAddresses.delete(addresses);
      // Server objects may still refer to the removed pool.
      poolByServer = new WeakMap();
      shareLimit(server);
      unused.delete(pool);
    }
    if (server.byAddresses.size === 1) for (const pool of server.byAddresses.values()) unused.delete(pool);
  }

  function acquire(
    server: PoolServer,
    account: PoolAccount,
    waitMs: number,
    need: SessionNeed = 'long',
  ): Promise<PoolSession> {
    if (isClosed)
      return Promise.reject(
        new AppError('db.unavailable', { retryAfterSeconds: 1, internal: 'the pool is closed' }),
      );
    return poolOf(server).acquire(account, waitMs, need);
  }
  const release = (session: PoolSession): void => poolOf(session.server).release(session);
  const executor = createExecutor({ acquire, release }, options, (server, account) =>
    poolOf(server).isAlone(account),
  );
  const sweepTimer = setInterval(() => {
    executor.sweep(performance.now());
    for (const pool of listPools()) pool.watchNodes();
  }, SWEEP_MS);
  sweepTimer.unref();

  return {
    acquire,
    expect(server, account) {
      if (!isClosed) poolOf(server).expect(account);
    },
    release,
    executor,
    forgetAccount(serverId, user) {
      for (const pool of listPoolsOf(servers.get(serverId))) pool.forgetAccount(user);
    },
    setLimit(serverId, connections) {
      const pools = servers.get(serverId);
      if (pools === undefined) return;
      pools.limit = connections;
      shareLimit(pools);
    },
    stats: () => [...servers].map(([serverId, pools]) => ({ serverId, ...sumStats(listPoolsOf(pools)) })),
    async close(drainMs) {
      isClosed = true;
      clearInterval(timer);
      await Promise.all(listPools().map((pool) => pool.close(drainMs)));
      // The timer runs until all pools are closed, because it ends shared sessions whose statement does not
      // stop.
      clearInterval(sweepTimer);
    },
  };
}

function listPoolsOf(server: PoolsOfServer | undefined): readonly ServerPool[] {
  return server === undefined ? [] : [...server.byAddresses.values()];
}

/** Divides the limit equally, so that all pools of a server together stay within it. */
function shareLimit({ byAddresses, limit }: PoolsOfServer): void {
  for (const pool of byAddresses.values()) pool.setLimit(Math.floor(limit / byAddresses.size));
}

function sumStats(pools: readonly ServerPool[]): ServerPoolStats {
  return pools
    .map((pool) => pool.stats())
    .reduce((sum, stats) => ({
      open: sum.open + stats.open,
      limit: sum.limit + stats.limit,
      idle: sum.idle + stats.idle,
      waiting: sum.waiting + stats.waiting,
      wanted: sum.wanted + stats.wanted,
      takeovers: sum.takeovers + stats.takeovers,
      connects: sum.connects + stats.connects,
      accounts: sum.accounts + stats.accounts,
      isBreakerOpen: sum.isBreakerOpen || stats.isBreakerOpen,
    }));
}

/** Returns a text with all settings that decide where the sessions of a server connect to. */
function nameAddresses(server: PoolServer): string {
  return [
    ...[server, ...(server.nodes ?? [])].flatMap(({ host, port }) => [host, port]),
    server.tls,
    server.ca ?? '',
    server.isGalera === true ? 'galera' : '',
  ].join('\0');
}

/**
 * Creates the executor. Statements can share connections only if this process reads the packets of the
 * protocol itself.
 */
function createExecutor(
  sessions: SessionSource,
  options: PoolOptions,
  isAlone: (server: PoolServer, account: PoolAccount) => boolean,
): Executor {
  return options.answersReadBy === 'wire'
    ? createPipelinedExecutor(sessions, { ...options, isAlone })
    : createPlainExecutor(sessions);
}
