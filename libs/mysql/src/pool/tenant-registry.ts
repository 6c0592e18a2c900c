import { createNeighborActivity } from '@rowhouse/admission';
import type { PoolSession } from '../session/pool-session.js';
import type { PoolAccount, SessionNeed } from '../types.js';

export interface Waiter {
  readonly need: SessionNeed;
  readonly resolve: (session: PoolSession) => void;
  readonly reject: (error: Error) => void;
  attempts: number;
  timer: NodeJS.Timeout | undefined;
}

/** The limit against which a busy session counts: that of short writes, or that of all other statements. */
export type SlotKind = 'short' | 'long';

/** The sessions of one account, or of its streams, on a server. */
export interface TenantSlot {
  account: PoolAccount;
  /** The number of its sessions, including those being opened or taken over. */
  open: number;
  pending: number;
  /** The number of sessions that run short writes. */
  short: number;
  /** The sessions that run other statements, which may be slow, with the time when each was lent. */
  readonly longSinceMs: Map<PoolSession, number>;
  readonly waiting: Record<SessionNeed, number>;
  readonly idle: PoolSession[];
  readonly waiters: Waiter[];
  /** The account has changed, so returned sessions are closed. */
  isStale: boolean;
}

/** Tracks who holds sessions and who waits. It does not open or close sessions. */
export interface TenantRegistry {
  slot(account: PoolAccount): TenantSlot;
  /** Assigns the session to the slot. */
  own(slot: TenantSlot, session: PoolSession): void;
  owner(session: PoolSession): TenantSlot;
  /** Lends the session to a caller until `takeBack`. */
  lend(slot: TenantSlot, session: PoolSession, slotKind: SlotKind): void;
  takeBack(slot: TenantSlot, session: PoolSession): void;
  takeIdle(slot: TenantSlot): PoolSession | undefined;
  putIdle(slot: TenantSlot, session: PoolSession): void;
  /** Removes and returns the longest idle session of any tenant. */
  takeLongestIdle(): PoolSession | undefined;
  /** Removes an idle session from its slot. Returns whether it was idle here. */
  forgetIdle(session: PoolSession): boolean;
  idleBefore(sinceMs: number): PoolSession[];
  /** Returns the idle sessions of the account. Busy ones are closed when they return. */
  makeStale(user: string): PoolSession[];
  addWaiter(slot: TenantSlot, waiter: Waiter): void;
  returnWaiter(slot: TenantSlot, waiter: Waiter): void;
  /** Returns the limit that has room for one more statement, or null if none has now. */
  slotKindFor(slot: TenantSlot, need: SessionNeed): SlotKind | null;
  /** Removes and returns the first waiter that may get a session now. */
  nextWaiter(slot: TenantSlot): { readonly waiter: Waiter; readonly slotKind: SlotKind } | undefined;
  /** Returns the number of waiters of the slot that could be served with enough sessions. */
  servable(slot: TenantSlot): number;
  dropWaiter(slot: TenantSlot, waiter: Waiter): void;
  /**
   * Removes and returns the last waiter of the longest queue, if that queue is at least two longer than the
   * slot's.
   */
  takeWaiterOfLongestQueue(slot: TenantSlot): Waiter | undefined;
  /** Rejects every waiter and removes the slots that are empty then. */
  rejectAll(toError: () => Error): void;
  /** Returns the slots with waiters, the longest unserved first. */
  waitingSlots(): TenantSlot[];
  waiting(): number;
  /** Returns the number of sessions that callers wait for and their accounts may have. */
  wanted(): number;
  idle(): number;
  /** Returns whether no other tenant was recently lent a session and none waits. */
  isAlone(account: PoolAccount): boolean;
  /** Removes the slot if it has no sessions and no waiters. */
  prune(slot: TenantSlot): void;
  /** Returns the number of slots. */
  size(): number;
}

/** The number of long statements that an account may always run, even with active neighbors. */
const WITH_NEIGHBORS_MIN = 2;
/**
 * With active neighbors, an account starts a long statement only if none of its running ones is younger than
 * this.
 */
export const SLOW_MS = 100;
/** The number of an account's sessions for short writes that a burst never uses. */
const RESERVED_FOR_SHORT = 4;

export function createTenantRegistry(nowMs: () => number = () => performance.now()): TenantRegistry {
  const slots = new Map<string, TenantSlot>();
  /** Ordered by the time when they became idle. */
  const idleSessions = new Map<PoolSession, TenantSlot>();
  const waitingSlots = new Set<TenantSlot>();
  const owners = new WeakMap<PoolSession, TenantSlot>();
  let waiting = 0;
  /** Keyed by schema, so all accounts of a tenant count as one. */
  const neighbors = createNeighborActivity(nowMs);

  /** Returns how many more statements of the account may run, whether or not it has sessions for them. */
  function free(slot: TenantSlot, slotKind: SlotKind): number {
    const {
      short,
      longSinceMs: { size: long },
      account: { schema, connectionsMax, writesMax = 0 },
    } = slot;
    if (slotKind === 'short') return Math.max(0, writesMax - short);
    return Math.max(0, long > 0 && neighbors.has(schema) ? freeWithNeighbors(slot) : connectionsMax - long);
  }

  /**
   * With active neighbors, an account may start one statement next to slow ones. It may use up to half of its
   * sessions, but at least two.
   */
  function freeWithNeighbors({ longSinceMs, account: { connectionsMax } }: TenantSlot): number {
    const half = Math.min(connectionsMax, Math.max(WITH_NEIGHBORS_MIN, Math.ceil(connectionsMax / 2)));
    if (longSinceMs.size >= half) return 0;
    const newSinceMs = nowMs() - SLOW_MS;
    for (const sinceMs of longSinceMs.values()) if (sinceMs > newSinceMs) return 0;
    return 1;
  }

  /**
   * Returns how many sessions for short writes a burst may borrow. With active neighbors it may borrow none,
   * because it would take server time from them.
   */
  function freeForBurst({ short, account: { schema, writesMax = 0 } }: TenantSlot): number {
    return neighbors.has(schema) ? 0 : Math.max(0, writesMax - RESERVED_FOR_SHORT - short);
  }

  function slotKindFor(slot: TenantSlot, need: SessionNeed): SlotKind | null {
    if (need === 'short') return free(slot, 'short') > 0 ? 'short' : null;
    if (free(slot, 'long') > 0) return 'long';
    return need === 'burst' && freeForBurst(slot) > 0 ? 'short' : null;
  }

  function removeIdle(session: PoolSession, slot: TenantSlot): void {
    idleSessions.delete(session);
    slot.idle.splice(slot.idle.indexOf(session), 1);
  }

  /** Updates the counts after a waiter was added or removed. The slot moves to the end of the rotation. */
  function countWaiter(slot: TenantSlot, { need }: Waiter, difference: 1 | -1): void {
    waiting += difference;
    slot.waiting[need] += difference;
    waitingSlots.delete(slot);
    if (slot.waiters.length > 0) waitingSlots.add(slot);
  }

  /** Removes a waiter at any position of the queue. */
  function takeWaiter(slot: TenantSlot, index: number): Waiter | undefined {
    if (index < 0) return undefined;
    const waiter = index === 0 ? slot.waiters.shift() : slot.waiters.splice(index, 1)[0];
    if (waiter !== undefined) countWaiter(slot, waiter, -1);
    return waiter;
  }

  const registry: TenantRegistry = {
    slot(account) {
      const name = nameSlot(account);
      let slot = slots.get(name);
      if (slot === undefined || slot.isStale) {
        slot = {
          account,
          open: 0,
          pending: 0,
          short: 0,
          longSinceMs: new Map(),
          waiting: { short: 0, burst: 0, long: 0 },
          idle: [],
          waiters: [],
          isStale: false,
        };
        slots.set(name, slot);
      }
      slot.account = account;
      return slot;
    },
    own: (slot, session) => void owners.set(session, slot),
    owner(session) {
      const slot = owners.get(session);
      if (slot === undefined) throw new Error('the session is not of this pool');
      return slot;
    },
    lend(slot, session, slotKind) {
      session.lentFor = slotKind;
      if (slotKind === 'long') slot.longSinceMs.set(session, nowMs());
      else slot.short += 1;
      neighbors.note(slot.account.schema);
    },
    takeBack(slot, session) {
      if (session.lentFor === 'short') slot.short -= 1;
      session.lentFor = null;
      slot.longSinceMs.delete(session);
    },
    takeIdle(slot) {
      const session = slot.idle.at(-1);
      if (session !== undefined) removeIdle(session, slot);
      return session;
    },
    putIdle(slot, session) {
      session.idleSinceMs = performance.now();
      slot.idle.push(session);
      idleSessions.set(session, slot);
    },
    takeLongestIdle() {
      const [oldest] = idleSessions;
      if (oldest === undefined) return undefined;
      const [session, slot] = oldest;
      removeIdle(session, slot);
      slot.open -= 1;
      registry.prune(slot);
      return session;
    },
    forgetIdle(session) {
      const slot = idleSessions.get(session);
      if (slot === undefined) return false;
      removeIdle(session, slot);
      slot.open -= 1;
      registry.prune(slot);
      return true;
    },
    idleBefore: (sinceMs) => [...idleSessions.keys()].filter((session) => session.idleSinceMs < sinceMs),
    makeStale(user) {
      const found = [slots.get(user), slots.get(nameSlot({ user, purpose: 'stream' }))].filter(
        (slot) => slot !== undefined,
      );
      for (const slot of found) slot.isStale = true;
      return found.flatMap((slot) => slot.idle);
    },
    addWaiter(slot, waiter) {
      slot.waiters.push(waiter);
      countWaiter(slot, waiter, 1);
    },
    returnWaiter(slot, waiter) {
      slot.waiters.unshift(waiter);
      countWaiter(slot, waiter, 1);
    },
    slotKindFor,
    nextWaiter(slot) {
      for (const [index, { need }] of slot.waiters.entries()) {
        const slotKind = slotKindFor(slot, need);
        if (slotKind === null) continue;
        const waiter = takeWaiter(slot, index);
        return waiter && { waiter, slotKind };
      }
      return undefined;
    },
    servable(slot) {
      const { short, burst, long } = slot.waiting;
      const asLong = Math.min(burst + long, free(slot, 'long'));
      const asShort = Math.min(short + Math.min(burst, freeForBurst(slot)), free(slot, 'short'));
      return Math.min(slot.waiters.length, asLong + asShort);
    },
    dropWaiter(slot, waiter) {
      if (takeWaiter(slot, slot.waiters.indexOf(waiter)) !== undefined) registry.prune(slot);
    },
    takeWaiterOfLongestQueue(slot) {
      let longest = slot;
      for (const tenantSlot of waitingSlots)
        if (tenantSlot.waiters.length > longest.waiters.length) longest = tenantSlot;
      if (longest.waiters.length < slot.waiters.length + 2) return undefined;
      const waiter = longest.waiters.pop();
      waiting -= 1;
      if (waiter !== undefined) longest.waiting[waiter.need] -= 1;
      return waiter;
    },
    rejectAll(toError) {
      for (const slot of waitingSlots) {
        for (let waiter = takeWaiter(slot, 0); waiter !== undefined; waiter = takeWaiter(slot, 0))
          rejectWaiter(waiter, toError());
        registry.prune(slot);
      }
    },
    waitingSlots: () => [...waitingSlots],
    waiting: () => waiting,
    wanted() {
      let sessions = 0;
      for (const slot of waitingSlots)
        sessions += Math.max(0, Math.min(registry.servable(slot), openMax(slot) - slot.open));
      return sessions;
    },
    idle: () => idleSessions.size,
    isAlone: ({ schema }) => waiting === 0 && !neighbors.has(schema),
    prune(slot) {
      if (slot.open === 0 && slot.waiters.length === 0 && slots.get(nameSlot(slot.account)) === slot)
        slots.delete(nameSlot(slot.account));
    },
    size: () => slots.size,
  };
  return registry;
}

/**
 * Returns the maximum number of sessions of an account, including those beyond `connectionsMax` that leave
 * capacity for others.
 */
export function openMax({ account: { connectionsMax, writesMax = 0 } }: TenantSlot): number {
  return connectionsMax + writesMax;
}

export function rejectWaiter({ timer, reject }: Waiter, error: Error): void {
  clearTimeout(timer);
  reject(error);
}

function nameSlot({ user, purpose }: Pick<PoolAccount, 'user' | 'purpose'>): string {
  return purpose === undefined ? user : `${user}\0${purpose}`;
}
