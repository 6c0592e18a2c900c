import type { PoolSession } from '../session/pool-session.js';
import type { PoolAccount, PoolServer } from '../types.js';
import { NotPipelinableError, type PipelinedConnectionBase } from '../wire/pipelined-connection.js';

/**
 * The maximum number of pipelined connections of one account. While the first one drains, the second one
 * takes new statements.
 */
const PIPELINES_MAX = 2;
/**
 * The age at which a pipelined connection accepts no more statements. Its session then returns to the pool,
 * where other tenants may be waiting.
 */
const AGE_MS_MAX = 100;
/**
 * The maximum age of a pipelined connection while no other tenant is active. It is short, so that a tenant
 * that becomes active soon gets a session.
 */
const AGE_ALONE_MS_MAX = 500;
/**
 * How long an idle pipelined connection stays open if its session has special settings. Applying the settings
 * takes a round trip, and restoring the usual ones takes another.
 */
export const DRAIN_MS = 5;

/**
 * The error that is thrown when all connections are full. One object is reused, because under load the error
 * is thrown often, and creating a stack trace costs as much as planning a request.
 */
const FULL = new NotPipelinableError('all pipelined connections are full');

export interface PipelineOptions<L extends PipelinedConnectionBase> {
  acquire(server: PoolServer, account: PoolAccount, waitMs: number): Promise<PoolSession>;
  release(session: PoolSession): void;
  /** Whether no other account was recently active on the server and no one is waiting for a session. */
  isAlone(server: PoolServer, account: PoolAccount): boolean;
  /** Creates the connection on a session. The connection uses the session until it calls `onIdle`. */
  open(session: PoolSession, account: PoolAccount, onIdle: () => void): L;
  /** If a statement takes longer than this, its session is ended. */
  readonly statementMsMax: number;
  /**
   * The maximum number of statements in flight. Further statements use the next connection or a separate
   * session.
   */
  readonly depthMax: number;
  /** Statements that run before the session is used for pipelining (`begin`), and after it (`end`). */
  readonly settings?: { begin(server: PoolServer): string; end(server: PoolServer): string };
}

/**
 * The pipelined connections of all accounts. They are opened on demand and closed when no response is
 * outstanding.
 */
export interface PipelinedConnections<L extends PipelinedConnectionBase> {
  /**
   * Runs `callback` with a pipelined connection of the account. Rejects like `callback` and like `acquire`,
   * and with NotPipelinableError when all connections are full.
   */
  use<T>(
    server: PoolServer,
    account: PoolAccount,
    waitMs: number,
    callback: (pipeline: L) => Promise<T>,
  ): Promise<T>;
  /** Returns whether the account has a pipelined connection, or one that is being opened. */
  isOpen(account: PoolAccount): boolean;
  /** Ends sessions whose statement has run too long. The pool calls it periodically. */
  sweep(nowMs: number): void;
}

interface OpenPipelinedConnection<L> {
  readonly session: PoolSession;
  readonly pipeline: L;
  readonly openedMs: number;
}

/** The pipelined connections of one account. */
interface AccountPipelines<L> {
  readonly open: OpenPipelinedConnection<L>[];
  /** The callers that wait for the connection that is being opened. Null if none is being opened. */
  waiting: { readonly start: (pipeline: L) => void; readonly reject: (error: unknown) => void }[] | null;
}

export function createPipelinedConnections<L extends PipelinedConnectionBase>(
  options: PipelineOptions<L>,
  clockMs: () => number = () => performance.now(),
): PipelinedConnections<L> {
  const { settings } = options;
  const pipelinesByAccount = new WeakMap<PoolAccount, AccountPipelines<L>>();
  const all = new Set<OpenPipelinedConnection<L>>();

  function pipelinesOf(account: PoolAccount): AccountPipelines<L> {
    let pipelines = pipelinesByAccount.get(account);
    if (pipelines === undefined) pipelinesByAccount.set(account, (pipelines = { open: [], waiting: null }));
    return pipelines;
  }

  function findPipeline(pipelines: AccountPipelines<L>, account: PoolAccount): L | null {
    if (pipelines.open.length === 0) return null;
    const nowMs = clockMs();
    for (const { pipeline, openedMs, session } of pipelines.open) {
      if (
        !session.isLost &&
        pipeline.depth() < options.depthMax &&
        isYoung(nowMs - openedMs, session.server, account)
      )
        return pipeline;
    }
    return null;
  }

  function isYoung(ageMs: number, server: PoolServer, account: PoolAccount): boolean {
    return ageMs < AGE_MS_MAX || (ageMs < AGE_ALONE_MS_MAX && options.isAlone(server, account));
  }

  function openPipelinedConnection(
    pipelines: AccountPipelines<L>,
    account: PoolAccount,
    session: PoolSession,
  ): L {
    const entry: OpenPipelinedConnection<L> = {
      session,
      openedMs: clockMs(),
      pipeline: options.open(session, account, () => close(pipelines, entry)),
    };
    pipelines.open.push(entry);
    all.add(entry);
    return entry.pipeline;
  }

  function close(pipelines: AccountPipelines<L>, entry: OpenPipelinedConnection<L>): void {
    all.delete(entry);
    pipelines.open.splice(pipelines.open.indexOf(entry), 1);
    if (settings === undefined) return options.release(entry.session);
    void applySettings(entry.session, settings.end(entry.session.server)).then(
      () => options.release(entry.session),
      () => options.release(entry.session),
    );
  }

  /** Applies settings to a session. If the session rejects them, it is destroyed. */
  async function applySettings(session: PoolSession, sql: string): Promise<void> {
    try {
      await session.command(sql);
    } catch (error) {
      session.destroy('its settings were refused');
      throw error;
    }
  }

  async function acquire(server: PoolServer, account: PoolAccount, waitMs: number): Promise<PoolSession> {
    const session = await options.acquire(server, account, waitMs);
    if (settings === undefined) return session;
    try {
      await applySettings(session, settings.begin(server));
    } catch (error) {
      options.release(session);
      throw error;
    }
    return session;
  }

  function openFor(
    pipelines: AccountPipelines<L>,
    server: PoolServer,
    account: PoolAccount,
    waitMs: number,
  ): NonNullable<AccountPipelines<L>['waiting']> {
    const waiting: NonNullable<AccountPipelines<L>['waiting']> = [];
    pipelines.waiting = waiting;
    acquire(server, account, waitMs).then(
      (session) => {
        pipelines.waiting = null;
        const pipeline = openPipelinedConnection(pipelines, account, session);
        for (const { start } of waiting) start(pipeline);
      },
      (error: unknown) => {
        pipelines.waiting = null;
        for (const { reject } of waiting) reject(error);
      },
    );
    return waiting;
  }

  return {
    use(server, account, waitMs, callback) {
      const pipelines = pipelinesOf(account);
      const pipeline = findPipeline(pipelines, account);
      if (pipeline !== null) return callback(pipeline);
      if (pipelines.waiting === null && pipelines.open.length >= PIPELINES_MAX) return Promise.reject(FULL);
      const waiting = pipelines.waiting ?? openFor(pipelines, server, account, waitMs);
      if (waiting.length >= options.depthMax) return Promise.reject(FULL);
      return new Promise((resolve, reject) => {
        waiting.push({ start: (opened) => void callback(opened).then(resolve, reject), reject });
      });
    },
    isOpen(account) {
      const pipelines = pipelinesByAccount.get(account);
      return pipelines !== undefined && (pipelines.open.length > 0 || pipelines.waiting !== null);
    },
    sweep(nowMs) {
      for (const { session, pipeline } of all)
        if (nowMs - pipeline.oldestMs() > options.statementMsMax)
          session.destroy('a statement did not stop', true);
    },
  };
}
