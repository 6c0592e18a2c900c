import { AppError } from '@rowhouse/errors';
import { createHabits, isStopped, QUICK_MS_MAX } from './pool-habits.js';
import { createLanes, LINGER_MS } from './pool-lanes.js';
import { type PoolOptions } from './pool-options.js';
import { createServerPool, type ServerPool, type ServerPoolStats } from './pool-server.js';
import type { KeyedStatement, PoolAccount, PoolServer, RowSink, SessionNeed, StatementResult } from './pool-types.js';
import type { PoolSession } from './pool-session.js';
import { runsTenantCode } from './runs-tenant-code.js';
import { toStatementLimit } from './pool-session-settings.js';
import { createWrites, type Writes } from './pool-writes.js';
import { createLane, NotForLane, type Lane } from './wire/lane.js';

/** The tenant connections of one process: one pool for each server, so that a server that fails takes only its own tenants along. */
export interface TenantPools {
  /**
   * A session logged in as the account. Give it back with `release`. Rejects with `limit.busy` when none became free
   * within `waitMs`, with `db.unavailable` when the server cannot be reached. For writes there may be
   * more sessions than for what takes the server's time (`long`, where nothing is said).
   */
  acquire(server: PoolServer, account: PoolAccount, waitMs: number, need?: SessionNeed): Promise<PoolSession>;
  /** A caller of the account is on its way: where the account has no session, one is opened or taken over for it meanwhile. Never throws. */
  expect(server: PoolServer, account: PoolAccount): void;
  release(session: PoolSession): void;
  /**
   * A read of a row by its key, together with others of its account on one session. Rejects as `acquire` does, as
   * `PoolSession.run` does, and with NotForLane for what is to go the ordinary way.
   */
  runKeyed<R>(server: PoolServer, account: PoolAccount, waitMs: number, statement: KeyedStatement, sink: RowSink<R>): Promise<StatementResult<R>>;
  /** Whether the read was quick whenever it ran, and is to go by `runQuick`. */
  isQuick(account: PoolAccount, sql: string): boolean;
  /**
   * Such a read, together with others of its account on one session, where the server stops it when it is not quick this time.
   * Rejects as `runKeyed` does, and with NotForLane where it was stopped.
   */
  runQuick<R>(server: PoolServer, account: PoolAccount, waitMs: number, statement: KeyedStatement, sink: RowSink<R>): Promise<StatementResult<R>>;
  /** What the read took by itself: what `isQuick` goes by. */
  noteRun(account: PoolAccount, sql: string, elapsedMs: number): void;
  /** Writes of single records that go together; null where they do not. */
  readonly writes: Writes | null;
  /** Closes the idle sessions of an account whose password or place has changed. */
  forgetAccount(serverId: string, user: string): void;
  /** How many sessions of a server may be open from now on. */
  setLimit(serverId: string, connections: number): void;
  stats(): readonly (ServerPoolStats & { readonly serverId: string })[];
  /** Refuses new work and waits for busy sessions up to `drainMs`; one that is busy still is closed when it comes back. */
  close(drainMs: number): Promise<void>;
}

/** What may change its session runs on one that nobody else is on. */
const TENANT_CODE = new NotForLane('it may change its session');
const LANE_SWEEP_MS = 200;
const KEYED_DEPTH_MAX = 64;
/** Fewer than of reads by key: each of them takes the server longer, and a second lane is a second processor's. */
const QUICK_DEPTH_MAX = 16;

export function createTenantPools(options: PoolOptions): TenantPools {
  const pools = new Map<string, ServerPool>();
  /** The pool of a server object that was seen before: the road of nearly every call. */
  const known = new WeakMap<PoolServer, ServerPool>();
  let isClosed = false;
  const timer = setInterval(() => {
    for (const pool of pools.values()) pool.closeIdle();
  }, options.idleSweepMs);
  timer.unref();

  /** A server that moved to another address gets a pool of its own; the old one empties itself. */
  function poolOf(server: PoolServer): ServerPool {
    const found = known.get(server);
    if (found !== undefined) return found;
    const key = [server.id, ...[server, ...(server.nodes ?? [])].flatMap(({ host, port }) => [host, port]), server.tls, server.ca ?? '', server.isGalera === true ? 'galera' : ''].join('\0');
    let pool = pools.get(key);
    if (pool === undefined) {
      pool = createServerPool(server, options);
      pools.set(key, pool);
    }
    known.set(server, pool);
    return pool;
  }

  function acquire(server: PoolServer, account: PoolAccount, waitMs: number, need: SessionNeed = 'long'): Promise<PoolSession> {
    if (isClosed) return Promise.reject(new AppError('db.unavailable', { retryAfterSeconds: 1, internal: 'the pool is closed' }));
    return poolOf(server).acquire(account, waitMs, need);
  }
  const release = (session: PoolSession): void => poolOf(session.server).release(session);
  const isAlone = (server: PoolServer, account: PoolAccount): boolean => poolOf(server).isAlone(account);
  const statementMsMax = options.statementMsMax + options.graceMs;
  const lanes = createLanes<Lane>({ acquire, release, isAlone, statementMsMax, depthMax: KEYED_DEPTH_MAX, open: (session, _account, onIdle) => session.openLane(createLane, onIdle) });
  const habits = createHabits();
  const quickLanes = createLanes<Lane>({
    acquire, release, isAlone, statementMsMax, depthMax: QUICK_DEPTH_MAX,
    settings: { begin: ({ engine }) => toStatementLimit(engine, QUICK_MS_MAX), end: ({ engine }) => toStatementLimit(engine, options.statementMsMax) },
    open: (session, account, onIdle) => session.openLane((host) => createLane({ ...host, lingerMs: LINGER_MS, onHeld: (sql, heldMs, bytes) => habits.held(account, sql, heldMs, bytes) }), onIdle),
  });
  const writes = options.answersReadBy === 'driver' || !options.writesTogether ? null : createWrites({ acquire: (server, account, waitMs) => acquire(server, account, waitMs, 'short'), release, isAlone, statementMsMax, usualMs: options.statementMsMax });
  const laneTimer = setInterval(() => {
    for (const all of [lanes, quickLanes, writes]) all?.sweep(performance.now());
    for (const pool of pools.values()) pool.watchNodes();
  }, LANE_SWEEP_MS);
  laneTimer.unref();

  return {
    acquire,
    expect(server, account) {
      if (!isClosed) poolOf(server).expect(account);
    },
    release,
    runKeyed(server, account, waitMs, statement, sink) {
      if (options.answersReadBy === 'driver') return Promise.reject(new NotForLane('the driver reads all answers'));
      if (runsTenantCode(account, statement.sql)) return Promise.reject(TENANT_CODE);
      return lanes.use(server, account, waitMs, (lane) => lane.run(statement, sink));
    },
    isQuick: (account, sql) => options.answersReadBy === 'wire' && habits.isQuick(account, sql) && !runsTenantCode(account, sql),
    runQuick(server, account, waitMs, statement, sink) {
      return quickLanes.use(server, account, waitMs, (lane) => lane.run(statement, sink)).catch((error: unknown) => {
        if (!isStopped(error)) throw error;
        habits.stopped(account, statement.sql);
        throw new NotForLane('it was not quick this time');
      });
    },
    writes,
    noteRun: (account, sql, elapsedMs) => habits.ran(account, sql, elapsedMs),
    forgetAccount(serverId, user) {
      for (const [key, pool] of pools) if (key.startsWith(`${serverId}\0`)) pool.forgetAccount(user);
    },
    setLimit(serverId, connections) {
      for (const [key, pool] of pools) if (key.startsWith(`${serverId}\0`)) pool.setLimit(connections);
    },
    stats: () => [...pools].map(([key, pool]) => ({ serverId: key.slice(0, key.indexOf('\0')), ...pool.stats() })),
    async close(drainMs) {
      isClosed = true;
      clearInterval(timer);
      await Promise.all([...pools.values()].map((pool) => pool.close(drainMs)));
      // Up to then a lane whose statement does not stop is still ended.
      clearInterval(laneTimer);
    },
  };
}
