import { AppError } from '@rowhouse/errors';
import type { Executor } from '../execute/executor.js';
import { createPipelinedExecutor } from '../execute/pipelined-executor.js';
import { createPlainExecutor } from '../execute/plain-executor.js';
import type { SessionSource } from '../execute/run-options.js';
import type { PoolSession } from '../session/pool-session.js';
import type { PoolAccount, PoolServer, SessionNeed } from '../types.js';
import type { PoolOptions } from './pool-options.js';
import { createServerPool, type ServerPool, type ServerPoolStats } from './server-pool.js';

/**
 * The tenant connections of one process. Each server has a pool of its own, so a failing server only affects
 * its own tenants.
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
  const pools = new Map<string, ServerPool>();
  /** Finds the pool of a known server object quickly, which nearly every call needs. */
  const known = new WeakMap<PoolServer, ServerPool>();
  let isClosed = false;
  const timer = setInterval(() => {
    for (const pool of pools.values()) pool.closeIdle();
  }, options.idleSweepMs);
  timer.unref();

  /** A server with a new address gets a new pool, and the old one drains. */
  function poolOf(server: PoolServer): ServerPool {
    const found = known.get(server);
    if (found !== undefined) return found;
    const key = [
      server.id,
      ...[server, ...(server.nodes ?? [])].flatMap(({ host, port }) => [host, port]),
      server.tls,
      server.ca ?? '',
      server.isGalera === true ? 'galera' : '',
    ].join('\0');
    let pool = pools.get(key);
    if (pool === undefined) {
      pool = createServerPool(server, options);
      pools.set(key, pool);
    }
    known.set(server, pool);
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
    for (const pool of pools.values()) pool.watchNodes();
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
      for (const [key, pool] of pools) if (key.startsWith(`${serverId}\0`)) pool.forgetAccount(user);
    },
    setLimit(serverId, connections) {
      for (const [key, pool] of pools) if (key.startsWith(`${serverId}\0`)) pool.setLimit(connections);
    },
    stats: () =>
      [...pools].map(([key, pool]) => ({ serverId: key.slice(0, key.indexOf('\0')), ...pool.stats() })),
    async close(drainMs) {
      isClosed = true;
      clearInterval(timer);
      await Promise.all([...pools.values()].map((pool) => pool.close(drainMs)));
      // Keep the timer until then, because it ends shared sessions whose statement does not stop.
      clearInterval(sweepTimer);
    },
  };
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
