import type { PoolSession } from '../session/pool-session.js';
import type { PoolAccount, PoolServer } from '../types.js';
import { NotPipelinableError, type PipelinedConnectionBase } from '../wire/pipelined-connection.js';

/**
 * Pipelined connections of one account in this process. The second one takes over while the first one drains.
 */
const PIPELINES_MAX = 2;
/**
 * After this time, a pipelined connection accepts nothing more, and its session returns to the pool where
 * others may be waiting.
 */
const AGE_MS_MAX = 100;
/**
 * The same limit while the account works alone. Neighbors can still take over the
 * capacity soon after they become active.
 */
const AGE_ALONE_MS_MAX = 500;
/**
 * How long an idle pipelined connection with session settings stays open. Setting and restoring them takes a
 * round trip each.
 */
export const DRAIN_MS = 5;

/**
 * One shared instance, because it is thrown often under load, and creating a stack trace costs as much as
 * planning a request.
 */
const FULL = new NotPipelinableError('all pipelined connections are full');

export interface PipelineOptions<L extends PipelinedConnectionBase> {
  acquire(server: PoolServer, account: PoolAccount, waitMs: number): Promise<PoolSession>;
  release(session: PoolSession): void;
  /** Whether no other account was recently active on the server and no one is waiting for a session. */
  isAlone(server: PoolServer, account: PoolAccount): boolean;
  /** Creates the connection on a session that it uses until `onIdle`. */
  open(session: PoolSession, account: PoolAccount, onIdle: () => void): L;
  /** A statement that takes longer ends its session. */
  readonly statementMsMax: number;
  /** The maximum number of statements in flight. Further ones use the next connection or the plain path. */
  readonly depthMax: number;
  /** Statements that run before and after the session is used for pipelining. */
  readonly settings?: { begin(server: PoolServer): string; end(server: PoolServer): string };
}

/**
 * The pipelined connections of all accounts. They are opened on demand and closed when no response is
 * outstanding.
 */
export interface PipelinedConnections<L extends PipelinedConnectionBase> {
  /**
   * Rejects like `callback` and like `acquire`, and with NotPipelinableError when all connections are full.
   */
  use<T>(
    server: PoolServer,
    account: PoolAccount,
    waitMs: number,
    callback: (pipeline: L) => Promise<T>,
  ): Promise<T>;
  /** Returns whether the account has an open connection, or one being opened. */
  isOpen(account: PoolAccount): boolean;
  /** Ends sessions whose statement has run too long. Call it periodically. */
  sweep(nowMs: number): void;
}

interface OpenPipelinedConnection<L> {
  readonly session: PoolSession;
  readonly pipeline: L;
  readonly openedMs: number;
}

interface Holder<L> {
  readonly open: OpenPipelinedConnection<L>[];
  /** The callers that wait for a connection to be opened. */
  waiting: { readonly start: (pipeline: L) => void; readonly reject: (error: unknown) => void }[] | null;
}

export function createPipelinedConnections<L extends PipelinedConnectionBase>(
  options: PipelineOptions<L>,
  clockMs: () => number = () => performance.now(),
): PipelinedConnections<L> {
  const { settings } = options;
  const holders = new WeakMap<PoolAccount, Holder<L>>();
  const all = new Set<OpenPipelinedConnection<L>>();

  function holderOf(account: PoolAccount): Holder<L> {
    let holder = holders.get(account);
    if (holder === undefined) holders.set(account, (holder = { open: [], waiting: null }));
    return holder;
  }

  function findPipeline(holder: Holder<L>, account: PoolAccount): L | null {
    if (holder.open.length === 0) return null;
    const nowMs = clockMs();
    for (const { pipeline, openedMs, session } of holder.open) {
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

  function openPipelinedConnection(holder: Holder<L>, account: PoolAccount, session: PoolSession): L {
    const entry: OpenPipelinedConnection<L> = {
      session,
      openedMs: clockMs(),
      pipeline: options.open(session, account, () => close(holder, entry)),
    };
    holder.open.push(entry);
    all.add(entry);
    return entry.pipeline;
  }

  function close(holder: Holder<L>, entry: OpenPipelinedConnection<L>): void {
    all.delete(entry);
    holder.open.splice(holder.open.indexOf(entry), 1);
    if (settings === undefined) return options.release(entry.session);
    void applySettings(entry.session, settings.end(entry.session.server)).then(
      () => options.release(entry.session),
      () => options.release(entry.session),
    );
  }

  /** A session that rejects its settings is not used again. */
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
    holder: Holder<L>,
    server: PoolServer,
    account: PoolAccount,
    waitMs: number,
  ): NonNullable<Holder<L>['waiting']> {
    const waiting: NonNullable<Holder<L>['waiting']> = [];
    holder.waiting = waiting;
    acquire(server, account, waitMs).then(
      (session) => {
        holder.waiting = null;
        const pipeline = openPipelinedConnection(holder, account, session);
        for (const { start } of waiting) start(pipeline);
      },
      (error: unknown) => {
        holder.waiting = null;
        for (const { reject } of waiting) reject(error);
      },
    );
    return waiting;
  }

  return {
    use(server, account, waitMs, callback) {
      const holder = holderOf(account);
      const pipeline = findPipeline(holder, account);
      if (pipeline !== null) return callback(pipeline);
      if (holder.waiting === null && holder.open.length >= PIPELINES_MAX) return Promise.reject(FULL);
      const waiting = holder.waiting ?? openFor(holder, server, account, waitMs);
      if (waiting.length >= options.depthMax) return Promise.reject(FULL);
      return new Promise((resolve, reject) => {
        waiting.push({ start: (opened) => void callback(opened).then(resolve, reject), reject });
      });
    },
    isOpen(account) {
      const holder = holders.get(account);
      return holder !== undefined && (holder.open.length > 0 || holder.waiting !== null);
    },
    sweep(nowMs) {
      for (const { session, pipeline } of all)
        if (nowMs - pipeline.oldestMs() > options.statementMsMax)
          session.destroy('a statement did not stop', true);
    },
  };
}
