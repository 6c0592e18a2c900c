import type { PoolSession } from './pool-session.js';
import type { PoolAccount, PoolServer } from './pool-types.js';
import { NotForLane, type OwedLane } from './wire/lane.js';

/** Lanes of one account in this process. A second one takes over while the first empties itself. */
const LANES_MAX = 2;
/** A lane takes nothing more after so long: its session goes back to the pool, where others may wait for one. */
const AGE_MS_MAX = 100;
/** The same while its account works alone; others hear of work that goes on in time to leave room for it (`company.ts`). */
const AGE_ALONE_MS_MAX = 500;
/** A lane whose session has settings of its own stays open for so long with nothing to do: they cost a trip to the server, and another to take them back. */
export const LINGER_MS = 5;

/** One for all: under load it is told often, and a stack of its own would cost as much as planning a request. */
const FULL = new NotForLane('all lanes are full');

export interface LaneOptions<L extends OwedLane> {
  acquire(server: PoolServer, account: PoolAccount, waitMs: number): Promise<PoolSession>;
  release(session: PoolSession): void;
  /** Whether no other account was at work on the server lately, and nobody waits for a session there. */
  isAlone(server: PoolServer, account: PoolAccount): boolean;
  /** On a session that is the lane's until `onIdle`. */
  open(session: PoolSession, account: PoolAccount, onIdle: () => void): L;
  /** A statement that takes longer ends its session. */
  readonly statementMsMax: number;
  /** Statements on one lane. Those beyond it go to the next, or the ordinary way. */
  readonly depthMax: number;
  /** What the session is told before its time as a lane and after it. */
  readonly settings?: { begin(server: PoolServer): string; end(server: PoolServer): string };
}

/** The lanes of all accounts: opened when a statement for one comes, closed when nothing is owed. */
export interface Lanes<L extends OwedLane> {
  /** Rejects as `work` does and as `acquire`, and with NotForLane where all lanes are full. */
  use<T>(server: PoolServer, account: PoolAccount, waitMs: number, work: (lane: L) => Promise<T>): Promise<T>;
  /** Whether one of the account is open, or is being opened. */
  isOpen(account: PoolAccount): boolean;
  /** Ends sessions whose statement has run too long. To be called now and then. */
  sweep(nowMs: number): void;
}

interface OpenLane<L> {
  readonly session: PoolSession;
  readonly lane: L;
  readonly openedMs: number;
}

interface Holder<L> {
  readonly open: OpenLane<L>[];
  /** Of a lane that is on its way. */
  waiting: { readonly start: (lane: L) => void; readonly reject: (error: unknown) => void }[] | null;
}

export function createLanes<L extends OwedLane>(options: LaneOptions<L>, clockMs: () => number = () => performance.now()): Lanes<L> {
  const { settings } = options;
  const holders = new WeakMap<PoolAccount, Holder<L>>();
  const all = new Set<OpenLane<L>>();

  function holderOf(account: PoolAccount): Holder<L> {
    let holder = holders.get(account);
    if (holder === undefined) holders.set(account, (holder = { open: [], waiting: null }));
    return holder;
  }

  function findLane(holder: Holder<L>, account: PoolAccount): L | null {
    if (holder.open.length === 0) return null;
    const nowMs = clockMs();
    for (const { lane, openedMs, session } of holder.open) {
      if (!session.isLost && lane.depth() < options.depthMax && isYoung(nowMs - openedMs, session.server, account)) return lane;
    }
    return null;
  }

  function isYoung(ageMs: number, server: PoolServer, account: PoolAccount): boolean {
    return ageMs < AGE_MS_MAX || (ageMs < AGE_ALONE_MS_MAX && options.isAlone(server, account));
  }

  function openLane(holder: Holder<L>, account: PoolAccount, session: PoolSession): L {
    const entry: OpenLane<L> = { session, openedMs: clockMs(), lane: options.open(session, account, () => close(holder, entry)) };
    holder.open.push(entry);
    all.add(entry);
    return entry.lane;
  }

  function close(holder: Holder<L>, entry: OpenLane<L>): void {
    all.delete(entry);
    holder.open.splice(holder.open.indexOf(entry), 1);
    if (settings === undefined) return options.release(entry.session);
    void tell(entry.session, settings.end(entry.session.server)).then(
      () => options.release(entry.session),
      () => options.release(entry.session),
    );
  }

  /** One that does not take its settings is not used again. */
  async function tell(session: PoolSession, sql: string): Promise<void> {
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
      await tell(session, settings.begin(server));
    } catch (error) {
      options.release(session);
      throw error;
    }
    return session;
  }

  function begin(holder: Holder<L>, server: PoolServer, account: PoolAccount, waitMs: number): NonNullable<Holder<L>['waiting']> {
    const waiting: NonNullable<Holder<L>['waiting']> = [];
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
    use(server, account, waitMs, work) {
      const holder = holderOf(account);
      const lane = findLane(holder, account);
      if (lane !== null) return work(lane);
      if (holder.waiting === null && holder.open.length >= LANES_MAX) return Promise.reject(FULL);
      const waiting = holder.waiting ?? begin(holder, server, account, waitMs);
      if (waiting.length >= options.depthMax) return Promise.reject(FULL);
      return new Promise((resolve, reject) => {
        waiting.push({ start: (opened) => void work(opened).then(resolve, reject), reject });
      });
    },
    isOpen(account) {
      const holder = holders.get(account);
      return holder !== undefined && (holder.open.length > 0 || holder.waiting !== null);
    },
    sweep(nowMs) {
      for (const { session, lane } of all) if (nowMs - lane.oldestMs() > options.statementMsMax) session.destroy('a statement did not stop', true);
    },
  };
}
