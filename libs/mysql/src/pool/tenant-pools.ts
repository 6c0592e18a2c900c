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
 * The tenant connections of one process. Each server has a separate pool, so a failing server only affects
 * tenants on it.
 */
export interface TenantPools extends SessionSource {
  /** Runs short statements in the fastest way that this process supports. */
  readonly executor: Executor;
  /**
   * Announces a caller of the account. If the account has no session, one is opened or taken over in the
   * meantime. Never throws.
   */
  expect(server: PoolServer, account: PoolAccount): void;
  /** Closes the idle sessions of an account after its password or location has changed. */
  forgetAccount(serverId: string, user: string): void;
  /** Sets the maximum number of open sessions of a server. */
  setLimit(serverId: string, connections: number): void;
  stats(): readonly (ServerPoolStats & { readonly serverId: string })[];
  /**
   * Rejects new work and waits up to `drainMs` for busy sessions. Sessions that are still busy are closed
   * when they return.
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
  /** Finds the pool of a server object quickly, which nearly every call needs. */
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
   * Creates the pool for new addresses of a server. The previous pool still serves requests that know the old
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
      // Keep the timer until then, because it ends shared sessions whose statement does not stop.
      clearInterval(sweepTimer);
    },
  };
}

/** Returns everything that decides where the sessions of a server connect to. */
function nameAddresses(server: PoolServer): string {
  return [
    ...[server, ...(server.nodes ?? [])].flatMap(({ host, port }) => [host, port]),
    server.tls,
    server.ca ?? '',
    server.isGalera === true ? 'galera' : '',
  ].join('\0');
}

/** Statements share connections when the process reads the packets of the protocol itself. */
function createExecutor(
  sessions: SessionSource,
  options: PoolOptions,
  isAlone: (server: PoolServer, account: PoolAccount) => boolean,
): Executor {
  return options.answersReadBy === 'wire'
    ? createPipelinedExecutor(sessions, { ...options, isAlone })
    : createPlainExecutor(sessions);
}
