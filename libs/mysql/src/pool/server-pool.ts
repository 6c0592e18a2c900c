import { setTimeout as delay } from 'node:timers/promises';
import { createBreaker } from './breaker.js';
import { createNodeHealth } from './node-health.js';
import { answersAt, findFailedNodes, openAtNode } from './open-at-node.js';
import {
  accountRejectedError,
  busyError,
  crowdedError,
  isAccountRejection,
  isServerUnreachable,
  toConnectError,
  unreachableError,
} from '../faults.js';
import { createAccountRejections } from './account-rejections.js';
import type { PoolOptions } from './pool-options.js';
import type { PoolSession } from '../session/pool-session.js';
import { createStatementShare } from './prepared-statement-share.js';
import { createStallWatch } from './stall-watch.js';
import {
  SLOW_MS,
  createTenantRegistry,
  openMax,
  rejectWaiter,
  type TenantSlot,
  type Waiter,
} from './tenant-registry.js';
import type { PoolAccount, PoolServer, ServerPoolStats, SessionNeed } from '../types.js';

/** The number of free sessions that an account must leave to others once it exceeds its `connectionsMax`. */
const CAPACITY_FOR_OTHERS = 4;

export interface ServerPool {
  acquire(account: PoolAccount, waitMs: number, need?: SessionNeed): Promise<PoolSession>;
  /**
   * Announces that a request of the account will need a session. If the account has no session and no waiting
   * callers, a session is opened or taken over in the meantime. Never throws.
   */
  expect(account: PoolAccount): void;
  release(session: PoolSession): void;
  /** Returns whether no other account was recently active here and no one is waiting for a session. */
  isAlone(account: PoolAccount): boolean;
  forgetAccount(user: string): void;
  closeIdle(): void;
  /** Checks for nodes that have stopped responding. The caller runs it a few times a second. */
  watchNodes(): void;
  /** Sets the maximum number of open sessions. Excess ones are closed when they become idle. */
  setLimit(connections: number): void;
  stats(): ServerPoolStats;
  /**
   * Rejects waiting callers, and closes idle sessions now and busy sessions when they return. Resolves when no
   * session is open, after `drainMs` at the latest.
   */
  close(drainMs: number): Promise<void>;
}

/**
 * Creates the pool of one server. A tenant's session is opened on first use and stays open while it is used.
 * When the limit is reached, the pool takes over another tenant's session that has been idle longest. Waiting
 * tenants are served in turn, one session each.
 */
export function createServerPool(server: PoolServer, options: PoolOptions): ServerPool {
  const registry = createTenantRegistry();
  const breaker = createBreaker({
    failuresMax: options.breakerFailuresMax,
    coolDownMs: options.breakerCoolDownMs,
    probeMsMax: options.breakerProbeMsMax,
  });
  const nodes = createNodeHealth(server);
  const limits = { ...options };
  const shareStatementsOnce = createStatementShare(server, limits);
  const rejections = createAccountRejections({ repair: options.onRejected, resume: () => serveWaiters() });
  let limit = Math.min(server.connectionsMax, options.connectionsFloor);
  let open = 0;
  /** The number of sessions that are being opened or are changing their account. */
  let changing = 0;
  let takeovers = 0;
  let connects = 0;
  /** The account that last requested a session. Its password is used to check whether a node is back. */
  let lastAccount: PoolAccount | null = null;
  const stalls = createStallWatch({
    answers: (endpoint) =>
      lastAccount === null ? Promise.resolve(true) : answersAt(server, endpoint, lastAccount, limits),
    onStalled(endpoint, sessions) {
      nodes.failed(endpoint);
      // The statements that run there fail as lost. Those that may be repeated run again on another node.
      for (const session of sessions) {
        session.destroy('its node does not answer');
        drop(session);
      }
    },
  });
  let onDrained: (() => void) | null = null;
  let check: NodeJS.Timeout | undefined;

  function acquire(
    account: PoolAccount,
    waitMs: number,
    requested: SessionNeed = 'long',
  ): Promise<PoolSession> {
    const slot = registry.slot(account);
    const need = account.writesMax === undefined ? 'long' : requested;
    const slotKind = registry.slotKindFor(slot, need);
    const ready = slotKind === null ? undefined : registry.takeIdle(slot);
    if (slotKind !== null && ready !== undefined) {
      registry.lend(slot, ready, slotKind);
      return Promise.resolve(ready);
    }
    const rejection = findRejection(slot);
    if (rejection !== null) {
      registry.prune(slot);
      return Promise.reject(rejection);
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { need, resolve, reject, attempts: 0, timer: undefined };
      waiter.timer = setTimeout(() => {
        registry.dropWaiter(slot, waiter);
        reject(breaker.isOpen() ? unreachableError() : busyError('waited too long for a session'));
      }, waitMs);
      registry.addWaiter(slot, waiter);
      serveWaiters();
    });
  }

  /** Returns the error with which a new caller is rejected at once, or null if it may wait. */
  function findRejection(slot: TenantSlot): Error | null {
    if (slot.open === 0 && breaker.isBlocked(performance.now())) return unreachableError();
    if (slot.open === 0 && rejections.isRejected(slot.account)) return accountRejectedError();
    return registry.waiting() >= options.waitersMax && !rejectWaiterOfLongestQueue(slot)
      ? crowdedError()
      : null;
  }

  /** Rejects a caller of the longest queue, so that a tenant with many callers does not keep others out. */
  function rejectWaiterOfLongestQueue(slot: TenantSlot): boolean {
    const waiter = registry.takeWaiterOfLongestQueue(slot);
    if (waiter === undefined) return false;
    rejectWaiter(waiter, crowdedError());
    return true;
  }

  /** Serves the waiting tenants in turn, one session each, until a whole round serves no tenant. */
  function serveWaiters(): void {
    let hasProgress = registry.waiting() > 0;
    while (hasProgress) {
      hasProgress = false;
      for (const slot of registry.waitingSlots()) hasProgress = serveOne(slot) || hasProgress;
    }
    if (registry.waiting() === 0) return;
    // A running statement that becomes older than SLOW_MS may also free capacity, but causes no event.
    check ??= setTimeout(() => {
      check = undefined;
      serveWaiters();
    }, SLOW_MS / 2).unref();
  }

  /** Takes a step towards a session for a waiting caller of the slot. Returns false if none is possible. */
  function serveOne(slot: TenantSlot): boolean {
    const servable = registry.servable(slot);
    if (servable === 0) return false;
    const own = registry.takeIdle(slot);
    if (own?.fate === 'reuse') {
      handOver(slot, own);
      return true;
    }
    if (own !== undefined) {
      slot.open -= 1;
      return changeAccount(slot, own);
    }
    if (rejections.isHeld(slot.account)) return false;
    if (slot.pending >= servable || slot.open >= openMax(slot) || changing >= options.connectsMax)
      return false;
    const isBeyond = slot.open >= slot.account.connectionsMax;
    if (open + (isBeyond ? CAPACITY_FOR_OTHERS : 0) < limit) return connect(slot);
    return !isBeyond && takeOver(slot) ? true : reportPressure();
  }

  function takeOver(slot: TenantSlot): boolean {
    const victim = registry.takeLongestIdle();
    if (victim === undefined) return false;
    takeovers += 1;
    return changeAccount(slot, victim);
  }

  /** The prepared session stays idle until its caller arrives and waits for it. */
  function expect(account: PoolAccount): void {
    const slot = registry.slot(account);
    const isFree =
      slot.open === 0 && registry.waiting() === 0 && changing < options.connectsMax && onDrained === null;
    if (!isFree || !(open < limit ? connect(slot) : takeOver(slot))) registry.prune(slot);
  }

  /** Requests a higher session limit if the server allows one. Always returns false, for `serveOne`. */
  function reportPressure(): false {
    if (limit < server.connectionsMax) options.onPressure(server.id);
    return false;
  }

  function handOver(slot: TenantSlot, session: PoolSession): void {
    registry.own(slot, session);
    const next = registry.nextWaiter(slot);
    if (next === undefined) return release(session);
    const { waiter, slotKind } = next;
    clearTimeout(waiter.timer);
    registry.lend(slot, session, slotKind);
    waiter.resolve(session);
  }

  function connect(slot: TenantSlot): boolean {
    const startedMs = performance.now();
    if (!breaker.mayTry(startedMs)) return false;
    open += 1;
    connects += 1;
    countChanging(slot);
    const opening = openAtNode(server, nodes, slot.account, limits).then(async (session) => {
      breaker.succeeded(performance.now());
      lastAccount = slot.account;
      await shareStatementsOnce(session);
      return session;
    });
    addWhenReady(slot, opening, startedMs);
    return true;
  }

  /** Logs a session in as the slot's account. Until the login has succeeded, `session` belongs to no slot. */
  function changeAccount(slot: TenantSlot, session: PoolSession): boolean {
    countChanging(slot);
    session.onLost = () => undefined;
    addWhenReady(
      slot,
      session.become(slot.account).then(() => session),
      performance.now(),
    );
    return true;
  }

  /** Adds a session to the slot once it is logged in. If the login fails, it rejects a waiting caller. */
  function addWhenReady(slot: TenantSlot, opening: Promise<PoolSession>, startedMs: number): void {
    opening.then(
      (session) => {
        session.onLost = () => drop(session);
        if (nodes.isSeveral) stalls.add(session);
        rejections.served(slot.account);
        slot.pending -= 1;
        changing -= 1;
        handOver(slot, session);
        serveWaiters();
      },
      (error: unknown) => {
        open -= 1;
        fail(slot, error, startedMs);
      },
    );
  }

  function countChanging(slot: TenantSlot): void {
    slot.open += 1;
    slot.pending += 1;
    changing += 1;
  }

  function fail(slot: TenantSlot, error: unknown, startedMs: number): void {
    slot.open -= 1;
    slot.pending -= 1;
    changing -= 1;
    const isUnavailable = isServerUnreachable(error);
    if (!isUnavailable) breaker.rejected(startedMs);
    else if (breaker.failed(performance.now(), startedMs)) registry.rejectAll(() => unreachableError(error));
    if (isAccountRejection(error)) failRejected(slot, error, startedMs);
    else retryOrReject(slot, registry.nextWaiter(slot)?.waiter, error);
    registry.prune(slot);
    serveWaiters();
    noteDrained();
  }

  /** Handles a rejected login. Callers wait while the account is repaired, and are rejected otherwise. */
  function failRejected(slot: TenantSlot, error: unknown, startedMs: number): void {
    if (rejections.rejected(slot.account, startedMs)) return;
    for (let next = registry.nextWaiter(slot); next !== undefined; next = registry.nextWaiter(slot))
      rejectWaiter(next.waiter, toConnectError(error));
  }

  /** Retries once for a waiting caller, because a session that was taken over may have been dead. */
  function retryOrReject(slot: TenantSlot, waiter: Waiter | undefined, error: unknown): void {
    if (waiter === undefined) return;
    waiter.attempts += 1;
    if (waiter.attempts < 2 && !breaker.isOpen()) return registry.returnWaiter(slot, waiter);
    rejectWaiter(waiter, toConnectError(error));
  }

  function drop(session: PoolSession): void {
    if (!registry.forgetIdle(session)) return;
    open -= 1;
    noteDrained();
  }

  /** Takes the session back from its caller, once the server no longer runs a statement in it. */
  function release(session: PoolSession): void {
    if (session.orphanEnded === null) return takeBack(session);
    void session.orphanEnded.then(() => takeBack(session));
  }

  function takeBack(session: PoolSession): void {
    const slot = registry.owner(session);
    registry.takeBack(slot, session);
    if (session.hasNodeLeft) leaveNode(session);
    const isExcess = onDrained !== null || slot.isStale || open > limit;
    if (session.isLost || session.fate === 'destroy' || session.fate === 'close' || isExcess) {
      session.finish();
      slot.open -= 1;
      open -= 1;
      registry.prune(slot);
    } else {
      registry.putIdle(slot, session);
    }
    serveWaiters();
    // If no caller waits for the session, it is reset at once. A lock that an idle session holds would block
    // others.
    if (session.fate === 'reset' && registry.forgetIdle(session))
      changeAccount(registry.slot(session.account), session);
    noteDrained();
  }

  function closeSessions(sessions: readonly PoolSession[]): void {
    for (const session of sessions) {
      if (!registry.forgetIdle(session)) continue;
      open -= 1;
      session.end();
    }
    noteDrained();
  }

  /** Stops using a node that has left its cluster, and closes the idle sessions on it. */
  function leaveNode(session: PoolSession): void {
    session.raiseFate('destroy', 'its node left the cluster');
    nodes.failed(session.endpoint);
    closeSessions(
      registry.idleBefore(Number.POSITIVE_INFINITY).filter(({ endpoint }) => endpoint === session.endpoint),
    );
  }

  /**
   * Closes idle sessions that are not on the first node that serves, so that new sessions are opened there.
   * Failed nodes are checked, and used again once they serve.
   */
  function returnToFirstNode(): void {
    closeSessions(
      registry.idleBefore(Number.POSITIVE_INFINITY).filter(({ endpoint }) => !nodes.isFirst(endpoint)),
    );
    if (lastAccount !== null) void findFailedNodes(server, nodes, lastAccount, limits);
  }

  function noteDrained(): void {
    if (open === 0) onDrained?.();
  }

  return {
    acquire,
    expect,
    release,
    isAlone: (account) => registry.isAlone(account),
    forgetAccount: (user) => closeSessions(registry.makeStale(user)),
    closeIdle() {
      closeSessions(registry.idleBefore(performance.now() - options.idleMs));
      if (nodes.isSeveral) returnToFirstNode();
    },
    watchNodes() {
      if (nodes.isSeveral) stalls.check();
    },
    setLimit(connections) {
      limit = Math.max(1, Math.min(server.connectionsMax, connections));
      if (open > limit) closeSessions(registry.idleBefore(Number.POSITIVE_INFINITY).slice(0, open - limit));
      serveWaiters();
    },
    stats: () => ({
      open,
      limit,
      idle: registry.idle(),
      waiting: registry.waiting(),
      wanted: registry.wanted(),
      takeovers,
      connects,
      accounts: registry.size(),
      isBreakerOpen: breaker.isOpen(),
    }),
    async close(drainMs) {
      registry.rejectAll(() => unreachableError());
      const drained = new Promise<void>((resolve) => (onDrained = resolve));
      closeSessions(registry.idleBefore(Number.POSITIVE_INFINITY));
      await Promise.race([drained, delay(drainMs, undefined, { ref: false })]);
    },
  };
}
