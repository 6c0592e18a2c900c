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
 * All connections of one process to tenants' databases. Each server has a separate pool, so a failing server
 * affects only the tenants on it.
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

/** Creates the pools. Nothing is opened before the first caller. */
export function createTenantPools(options: PoolOptions): TenantPools {
  const currentByServerId = new Map<string, { readonly addresses: string; readonly pool: ServerPool }>();
  /** Pools of earlier addresses that still have open sessions. */
  const retired = new Set<ServerPool>();
  /** Finds the pool by the server object. Nearly all calls need the pool, so the lookup must be fast. */
  const poolByServer = new WeakMap<PoolServer, ServerPool>();
  let isClosed = false;
  const timer = setInterval(() => {
    for (const { pool } of currentByServerId.values()) pool.closeIdle();
  }, options.idleSweepMs);
  timer.unref();

  function poolOf(server: PoolServer): ServerPool {
    const found = poolByServer.get(server);
    if (found !== undefined) return found;
    const addresses = nameAddresses(server);
    const current = currentByServerId.get(server.id);
    const pool =
      current?.addresses === addresses ? current.pool : replacePool(server, addresses, current?.pool);
    poolByServer.set(server, pool);
    return pool;
  }

  /**
   * Creates the pool for new addresses of a server. The previous pool still serves requests that have the old
   * addresses, and closes each session when it returns.
   */
  function replacePool(server: PoolServer, addresses: string, previous: ServerPool | undefined): ServerPool {
    const pool = createServerPool(server, options);
    currentByServerId.set(server.id, { addresses, pool });
    if (previous !== undefined) {
      pool.setLimit(previous.stats().limit);
      retired.add(previous);
      void previous.retire().then(() => retired.delete(previous));
    }
    return pool;
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
    for (const { pool } of currentByServerId.values()) pool.watchNodes();
  }, SWEEP_MS);
  sweepTimer.unref();

  return {
    acquire,
    expect(server, account) {
      if (!isClosed) poolOf(server).expect(account);
    },
    release,
    executor,
    forgetAccount: (serverId, user) => currentByServerId.get(serverId)?.pool.forgetAccount(user),
    setLimit: (serverId, connections) => currentByServerId.get(serverId)?.pool.setLimit(connections),
    stats: () => [...currentByServerId].map(([serverId, { pool }]) => ({ serverId, ...pool.stats() })),
    async close(drainMs) {
      isClosed = true;
      clearInterval(timer);
      const pools = [...[...currentByServerId.values()].map(({ pool }) => pool), ...retired];
      await Promise.all(pools.map((pool) => pool.close(drainMs)));
      // The timer runs until all pools are closed, because it ends shared sessions whose statement does not
      // stop.
      clearInterval(sweepTimer);
    },
  };
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
