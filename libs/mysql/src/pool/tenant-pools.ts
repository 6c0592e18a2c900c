import { AppError } from '@rowhouse/errors';
import { createLatencyHistory, isStopped, QUICK_MS_MAX } from '../execute/latency-history.js';
import { createPipelinedConnections, DRAIN_MS } from '../execute/pipelined-connections.js';
import { type PoolOptions } from './pool-options.js';
import { createServerPool, type ServerPool, type ServerPoolStats } from './server-pool.js';
import type {
  KeyedStatement,
  PoolAccount,
  PoolServer,
  RowSink,
  SessionNeed,
  StatementResult,
} from '../types.js';
import type { PoolSession } from '../session/pool-session.js';
import { runsTenantCode } from '../session/runs-tenant-code.js';
import { toStatementLimit } from '../session/session-settings.js';
import { createWrites, type Writes } from '../execute/grouped-writes.js';
import {
  createPipelinedConnection,
  NotPipelinableError,
  type PipelinedConnection,
} from '../wire/pipelined-connection.js';

/**
 * The tenant connections of one process. Each server has a pool of its own, so a failing server only affects
 * its own tenants.
 */
export interface TenantPools {
  /**
   * Returns a session that is logged in as the account. Return it with `release`. Rejects with `limit.busy`
   * when none becomes free within `waitMs`, and with `db.unavailable` when the server is unreachable. Short
   * writes may use more sessions than other statements. `need` defaults to `long`.
   */
  acquire(server: PoolServer, account: PoolAccount, waitMs: number, need?: SessionNeed): Promise<PoolSession>;
  /**
   * Announces a caller of the account. If the account has no session, one is opened or taken over in the
   * meantime. Never throws.
   */
  expect(server: PoolServer, account: PoolAccount): void;
  release(session: PoolSession): void;
  /**
   * Reads a row by its key on a session shared with other reads of the account. Rejects like `acquire` and
   * `PoolSession.run`, and with NotForLane when the read must use the plain path.
   */
  runKeyed<R>(
    server: PoolServer,
    account: PoolAccount,
    waitMs: number,
    statement: KeyedStatement,
    sink: RowSink<R>,
  ): Promise<StatementResult<R>>;
  /** Returns whether the read has always been fast and should use `runQuick`. */
  isQuick(account: PoolAccount, sql: string): boolean;
  /**
   * Runs such a read on a session shared with others of its account. The server stops it if it is slow this
   * time. Rejects like `runKeyed`, and with NotForLane when it was stopped.
   */
  runQuick<R>(
    server: PoolServer,
    account: PoolAccount,
    waitMs: number,
    statement: KeyedStatement,
    sink: RowSink<R>,
  ): Promise<StatementResult<R>>;
  /** Records the duration of a separate run, for `isQuick`. */
  noteRun(account: PoolAccount, sql: string, elapsedMs: number): void;
  /** Grouped writes of single records. Null when disabled. */
  readonly writes: Writes | null;
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

/** A statement that may change its session runs on one that is not shared. */
const TENANT_CODE = new NotPipelinableError('it may change its session');
const PIPELINE_SWEEP_MS = 200;
const KEYED_DEPTH_MAX = 64;
/**
 * Lower than for reads by key, because each takes more server time, and a second connection uses a second
 * processor.
 */
const QUICK_DEPTH_MAX = 16;

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
  const isAlone = (server: PoolServer, account: PoolAccount): boolean => poolOf(server).isAlone(account);
  const statementMsMax = options.statementMsMax + options.graceMs;
  const pipelines = createPipelinedConnections<PipelinedConnection>({
    acquire,
    release,
    isAlone,
    statementMsMax,
    depthMax: KEYED_DEPTH_MAX,
    open: (session, _account, onIdle) => session.openPipeline(createPipelinedConnection, onIdle),
  });
  const latencyHistory = createLatencyHistory();
  const quickPipelines = createPipelinedConnections<PipelinedConnection>({
    acquire,
    release,
    isAlone,
    statementMsMax,
    depthMax: QUICK_DEPTH_MAX,
    settings: {
      begin: ({ engine }) => toStatementLimit(engine, QUICK_MS_MAX),
      end: ({ engine }) => toStatementLimit(engine, options.statementMsMax),
    },
    open: (session, account, onIdle) =>
      session.openPipeline(
        (host) =>
          createPipelinedConnection({
            ...host,
            drainMs: DRAIN_MS,
            onHeld: (sql, heldMs, bytes) => latencyHistory.held(account, sql, heldMs, bytes),
          }),
        onIdle,
      ),
  });
  const writes =
    options.answersReadBy === 'driver' || !options.writesTogether
      ? null
      : createWrites({
          acquire: (server, account, waitMs) => acquire(server, account, waitMs, 'short'),
          release,
          isAlone,
          statementMsMax,
          usualMs: options.statementMsMax,
        });
  const pipelineTimer = setInterval(() => {
    for (const all of [pipelines, quickPipelines, writes]) all?.sweep(performance.now());
    for (const pool of pools.values()) pool.watchNodes();
  }, PIPELINE_SWEEP_MS);
  pipelineTimer.unref();

  return {
    acquire,
    expect(server, account) {
      if (!isClosed) poolOf(server).expect(account);
    },
    release,
    runKeyed(server, account, waitMs, statement, sink) {
      if (options.answersReadBy === 'driver')
        return Promise.reject(new NotPipelinableError('the driver reads all answers'));
      if (runsTenantCode(account, statement.sql)) return Promise.reject(TENANT_CODE);
      return pipelines.use(server, account, waitMs, (pipeline) => pipeline.run(statement, sink));
    },
    isQuick: (account, sql) =>
      options.answersReadBy === 'wire' &&
      latencyHistory.isQuick(account, sql) &&
      !runsTenantCode(account, sql),
    runQuick(server, account, waitMs, statement, sink) {
      return quickPipelines
        .use(server, account, waitMs, (pipeline) => pipeline.run(statement, sink))
        .catch((error: unknown) => {
          if (!isStopped(error)) throw error;
          latencyHistory.stopped(account, statement.sql);
          throw new NotPipelinableError('it was not quick this time');
        });
    },
    writes,
    noteRun: (account, sql, elapsedMs) => latencyHistory.ran(account, sql, elapsedMs),
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
      // Keep the timer until then, because it ends pipelined connections whose statement does not stop.
      clearInterval(pipelineTimer);
    },
  };
}
