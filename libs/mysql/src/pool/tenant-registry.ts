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

/** The limit that a busy session counts towards: that of short writes, or that of all other statements. */
export type SlotKind = 'short' | 'long';

/** The sessions on a server that belong to one account, or to the streams of one account. */
export interface TenantSlot {
  account: PoolAccount;
  /** The number of open sessions, including those that are being opened or taken over. */
  open: number;
  pending: number;
  /** The number of sessions that run short writes. */
  short: number;
  /**
   * The sessions that run other statements, which may be slow. The value is the time at which the session was
   * lent.
   */
  readonly longSinceMs: Map<PoolSession, number>;
  readonly waiting: Record<SessionNeed, number>;
  readonly idle: PoolSession[];
  readonly waiters: Waiter[];
  /** Whether the account has changed. Sessions are then closed when they return. */
  isStale: boolean;
}

/** Tracks which tenants hold sessions and which wait for one. It does not open or close sessions. */
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
  /** Returns the limit under which one more statement may start, or null if none may start now. */
  slotKindFor(slot: TenantSlot, need: SessionNeed): SlotKind | null;
  /** Removes and returns the first waiter that may get a session now. */
  nextWaiter(slot: TenantSlot): { readonly waiter: Waiter; readonly slotKind: SlotKind } | undefined;
  /** Returns how many waiting callers of the slot could be served now if there were enough sessions. */
  servable(slot: TenantSlot): number;
  dropWaiter(slot: TenantSlot, waiter: Waiter): void;
  /**
   * Removes and returns the last waiter of the longest queue. Returns undefined unless that queue has at
   * least two waiters more than the slot's own.
   */
  takeWaiterOfLongestQueue(slot: TenantSlot): Waiter | undefined;
  /** Rejects all waiting callers, and removes the slots that become empty. */
  rejectAll(toError: () => Error): void;
  /** Returns the slots with waiters, the longest unserved first. */
  waitingSlots(): TenantSlot[];
  waiting(): number;
  /**
   * Returns the number of sessions that waiting callers could use now within the limits of their accounts.
   */
  wanted(): number;
  idle(): number;
  /** Returns whether no other tenant was recently lent a session and none waits. */
  isAlone(account: PoolAccount): boolean;
  /** Removes the slot if it has no sessions and no waiters. */
  prune(slot: TenantSlot): void;
  /** Returns the number of slots. */
  size(): number;
}

/**
 * The number of long statements that an account may always run at the same time, even while other tenants are
 * active.
 */
const WITH_NEIGHBORS_MIN = 2;
/**
 * While other tenants are active, an account may start a long statement only if all its running ones have
 * taken longer than this.
 */
export const SLOW_MS = 100;
/** The number of an account's sessions for short writes that burst statements never use. */
const RESERVED_FOR_SHORT = 4;

export function createTenantRegistry(nowMs: () => number = () => performance.now()): TenantRegistry {
  const slots = new Map<string, TenantSlot>();
  /** The idle sessions, ordered by the time at which they became idle. */
  const idleSessions = new Map<PoolSession, TenantSlot>();
  const waitingSlots = new Set<TenantSlot>();
  const owners = new WeakMap<PoolSession, TenantSlot>();
  let waiting = 0;
  /** Activity is recorded by schema, so all accounts of a tenant count as one. */
  const neighbors = createNeighborActivity(nowMs);

  /** Returns how many more statements the account may run, regardless of whether it has sessions for them. */
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
   * Returns how many more long statements may start while other tenants are active. An account may use up to
   * half of its sessions, but at least two. Next to slow statements, it may start one more.
   */
  function freeWithNeighbors({ longSinceMs, account: { connectionsMax } }: TenantSlot): number {
    const half = Math.min(connectionsMax, Math.max(WITH_NEIGHBORS_MIN, Math.ceil(connectionsMax / 2)));
    if (longSinceMs.size >= half) return 0;
    const newSinceMs = nowMs() - SLOW_MS;
    for (const sinceMs of longSinceMs.values()) if (sinceMs > newSinceMs) return 0;
    return 1;
  }

  /**
   * Returns how many sessions for short writes a burst may borrow. It is 0 while other tenants are active,
   * because the burst would take server time from them.
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
      if (slot === undefined) throw new Error('the session does not belong to this pool');
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
 * Returns the maximum number of sessions of an account. It includes sessions beyond `connectionsMax`, which
 * are used only if enough capacity is left for other accounts.
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
