import type { PoolSession } from './pool-session.js';
import type { KeyedStatement, PoolAccount, PoolServer, RowSink, StatementResult } from './pool-types.js';
import { NotForLane, type Lane } from './wire/lane.js';

/** Lanes of one account in this process. A second one takes over while the first empties itself. */
const LANES_MAX = 2;
/** Beyond it statements go the ordinary way. */
const DEPTH_MAX = 64;
/** A lane takes nothing more after so long: its session goes back to the pool, where others may wait for one. */
const AGE_MS_MAX = 100;

export interface LaneOptions {
  acquire(server: PoolServer, account: PoolAccount, waitMs: number): Promise<PoolSession>;
  release(session: PoolSession): void;
  /** A statement that takes longer ends its session. */
  readonly statementMsMax: number;
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
      if (nowMs - openedMs < AGE_MS_MAX && !session.isLost && lane.depth() < DEPTH_MAX) return lane;
    }
    return null;
  }

  function openLane(holder: Holder, session: PoolSession): Lane {
    const entry: OpenLane = {
      session, openedMs: performance.now(),
      lane: session.openLane(() => close(holder, entry)),
    };
    holder.open.push(entry);
    all.add(entry);
    return entry.lane;
  }

  function close(holder: Holder, entry: OpenLane): void {
    all.delete(entry);
    holder.open.splice(holder.open.indexOf(entry), 1);
    options.release(entry.session);
  }

  function begin(holder: Holder, server: PoolServer, account: PoolAccount, waitMs: number): NonNullable<Holder['waiting']> {
    const waiting: NonNullable<Holder['waiting']> = [];
    holder.waiting = waiting;
    options.acquire(server, account, waitMs).then(
      (session) => {
        holder.waiting = null;
        const lane = openLane(holder, session);
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
      if (waiting.length >= DEPTH_MAX) return Promise.reject(new NotForLane('too many wait for a lane'));
      return new Promise((resolve, reject) => {
        waiting.push({ start: (opened) => void opened.run(statement, sink).then(resolve, reject), reject });
      });
    },
    sweep(nowMs) {
      for (const { session, lane } of all) if (nowMs - lane.oldestMs() > options.statementMsMax) session.destroy('a statement did not stop', true);
    },
  };
}
