import type { PoolSession } from './pool-session.js';
import { toStatementLimit } from './pool-session-settings.js';
import type { KeyedStatement, PoolAccount, PoolServer, RowSink, StatementResult } from './pool-types.js';
import { NotForLane, type Lane } from './wire/lane.js';

/** Lanes of one account in this process. Of reads by key a second one takes over while the first empties itself. */
const LANES_MAX = 2;
/** A lane takes nothing more after so long: its session goes back to the pool, where others may wait for one. */
const AGE_MS_MAX = 100;
/** A lane whose session has a bound of its own stays open for so long with nothing to do: the bound costs a trip to the server, and another to take it back. */
const LINGER_MS = 5;

export interface LaneOptions {
  acquire(server: PoolServer, account: PoolAccount, waitMs: number): Promise<PoolSession>;
  release(session: PoolSession): void;
  /** A statement that takes longer ends its session. */
  readonly statementMsMax: number;
  /** Statements on one lane. Those beyond it go to the next, or the ordinary way. */
  readonly depthMax: number;
  /** For lanes of reads that are quick by habit alone. */
  readonly quick?: {
    /** The server ends a statement that takes longer; afterwards the session has the bound of all others, `usualMs`. */
    readonly boundMs: number;
    readonly usualMs: number;
    onHeld(account: PoolAccount, sql: string, heldMs: number, bytes: number): void;
  };
}

/** The lanes of all accounts: opened when a statement for one comes, closed when nothing is owed. */
export interface Lanes {
  /** Rejects as `Lane.run` does, and as `acquire`. */
  run<R>(server: PoolServer, account: PoolAccount, waitMs: number, statement: KeyedStatement, sink: RowSink<R>): Promise<StatementResult<R>>;
  /** Ends sessions whose statement has run too long. To be called now and then. */
  sweep(nowMs: number): void;
}

interface OpenLane {
  readonly session: PoolSession;
  readonly lane: Lane;
  readonly openedMs: number;
}

interface Holder {
  readonly open: OpenLane[];
  /** Of a lane that is on its way. */
  waiting: { readonly start: (lane: Lane) => void; readonly reject: (error: unknown) => void }[] | null;
}

export function createLanes(options: LaneOptions): Lanes {
  const { quick } = options;
  const holders = new WeakMap<PoolAccount, Holder>();
  const all = new Set<OpenLane>();

  function holderOf(account: PoolAccount): Holder {
    let holder = holders.get(account);
    if (holder === undefined) holders.set(account, (holder = { open: [], waiting: null }));
    return holder;
  }

  function findLane(holder: Holder): Lane | null {
    if (holder.open.length === 0) return null;
    const nowMs = performance.now();
    for (const { lane, openedMs, session } of holder.open) {
      if (nowMs - openedMs < AGE_MS_MAX && !session.isLost && lane.depth() < options.depthMax) return lane;
    }
    return null;
  }

  function openLane(holder: Holder, account: PoolAccount, session: PoolSession): Lane {
    const habits = quick && { lingerMs: LINGER_MS, onHeld: (sql: string, heldMs: number, bytes: number): void => quick.onHeld(account, sql, heldMs, bytes) };
    const entry: OpenLane = {
      session, openedMs: performance.now(),
      lane: session.openLane(() => close(holder, entry), habits),
    };
    holder.open.push(entry);
    all.add(entry);
    return entry.lane;
  }

  function close(holder: Holder, entry: OpenLane): void {
    all.delete(entry);
    holder.open.splice(holder.open.indexOf(entry), 1);
    if (quick === undefined) return options.release(entry.session);
    void bound(entry.session, quick.usualMs).then(
      () => options.release(entry.session),
      () => options.release(entry.session),
    );
  }

  /** One that does not take its bound is not used again. */
  async function bound(session: PoolSession, statementMsMax: number): Promise<void> {
    try {
      await session.command(toStatementLimit(session.server.engine, statementMsMax));
    } catch (error) {
      session.destroy('the bound of its statements was refused');
      throw error;
    }
  }

  async function acquire(server: PoolServer, account: PoolAccount, waitMs: number): Promise<PoolSession> {
    const session = await options.acquire(server, account, waitMs);
    if (quick === undefined) return session;
    try {
      await bound(session, quick.boundMs);
    } catch (error) {
      options.release(session);
      throw error;
    }
    return session;
  }

  function begin(holder: Holder, server: PoolServer, account: PoolAccount, waitMs: number): NonNullable<Holder['waiting']> {
    const waiting: NonNullable<Holder['waiting']> = [];
    holder.waiting = waiting;
    acquire(server, account, waitMs).then(
      (session) => {
        holder.waiting = null;
        const lane = openLane(holder, account, session);
        for (const { start } of waiting) start(lane);
      },
      (error: unknown) => {
        holder.waiting = null;
        for (const { reject } of waiting) reject(error);
      },
    );
    return waiting;
  }

  return {
    run(server, account, waitMs, statement, sink) {
      const holder = holderOf(account);
      const lane = findLane(holder);
      if (lane !== null) return lane.run(statement, sink);
      if (holder.waiting === null && holder.open.length >= LANES_MAX) return Promise.reject(new NotForLane('all lanes are full'));
      const waiting = holder.waiting ?? begin(holder, server, account, waitMs);
      if (waiting.length >= options.depthMax) return Promise.reject(new NotForLane('too many wait for a lane'));
      return new Promise((resolve, reject) => {
        waiting.push({ start: (opened) => void opened.run(statement, sink).then(resolve, reject), reject });
      });
    },
    sweep(nowMs) {
      for (const { session, lane } of all) if (nowMs - lane.oldestMs() > options.statementMsMax) session.destroy('a statement did not stop', true);
    },
  };
}
