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
import { SLOW_MS, createTenantRegistry, openMax, type TenantSlot, type Waiter } from './tenant-registry.js';
import type { PoolAccount, PoolServer, SessionNeed } from '../types.js';

/** The number of sessions that are left to others before an account exceeds its `connectionsMax`. */
const CAPACITY_FOR_OTHERS = 4;

export interface ServerPoolStats {
  readonly open: number;
  /** The maximum number of open sessions. */
  readonly limit: number;
  readonly idle: number;
  readonly waiting: number;
  /** The number of sessions that would be opened now if the limit allowed them. */
  readonly wanted: number;
  readonly takeovers: number;
  readonly connects: number;
  readonly isBreakerOpen: boolean;
}

export interface ServerPool {
  acquire(account: PoolAccount, waitMs: number, need?: SessionNeed): Promise<PoolSession>;
  /**
   * Announces a caller of the account. If it has no session and no waiting callers, a session is prepared in
   * the meantime. Never throws.
   */
  expect(account: PoolAccount): void;
  release(session: PoolSession): void;
  /** Returns whether no other account was recently active here and no one is waiting for a session. */
  isAlone(account: PoolAccount): boolean;
  forgetAccount(user: string): void;
  closeIdle(): void;
  /** Checks a few times a second for a node that stopped responding. */
  watchNodes(): void;
  /** Sets the maximum number of open sessions. Excess ones are closed when they become idle. */
  setLimit(connections: number): void;
  stats(): ServerPoolStats;
  close(drainMs: number): Promise<void>;
}

/**
 * Creates the pool of one server. A tenant's sessions are opened on first use and kept while they are used.
 * At the limit, the longest idle session of another tenant is taken over. Waiting tenants are served round
 * robin, one session each.
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
  const rejections = createAccountRejections({ repair: options.onRefused, resume: () => serveWaiters() });
  let limit = Math.min(server.connectionsMax, options.connectionsFloor);
  let open = 0;
  let changing = 0;
  let takeovers = 0;
  let connects = 0;
  /** The account whose password is used to check whether a node is back. */
  let lastAccount: PoolAccount | null = null;
  const stalls = createStallWatch({
    answers: (endpoint) =>
      lastAccount === null ? Promise.resolve(true) : answersAt(server, endpoint, lastAccount, limits),
    onStalled(endpoint, sessions) {
      nodes.failed(endpoint);
      // Running statements fail as lost. Repeatable ones run again on another node.
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
    const endpoint = registry.placeFor(slot, need);
    const ready = endpoint === null ? undefined : registry.takeIdle(slot);
    if (endpoint !== null && ready !== undefined) {
      registry.lend(slot, ready, endpoint);
      return Promise.resolve(ready);
    }
    if (ready !== undefined) registry.putIdle(slot, ready);
    if (slot.open === 0 && breaker.isBlocked(performance.now())) return Promise.reject(unreachableError());
    if (slot.open === 0 && rejections.isRefused(account)) return Promise.reject(accountRejectedError());
    if (registry.waiting() >= options.waitersMax && !dropWaiterOfBusiest(slot))
      return Promise.reject(crowdedError());
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

  /** A tenant with many callers must not keep others out of the queue. */
  function dropWaiterOfBusiest(slot: TenantSlot): boolean {
    const waiter = registry.giveWay(slot);
    if (waiter === undefined) return false;
    clearTimeout(waiter.timer);
    waiter.reject(crowdedError());
    return true;
  }

  /** Serves one session to each waiting tenant in turn, until a round changes nothing. */
  function serveWaiters(): void {
    let isMoving = registry.waiting() > 0;
    while (isMoving) {
      isMoving = false;
      for (const slot of registry.waitingSlots()) isMoving = serveOne(slot) || isMoving;
    }
    if (registry.waiting() === 0) return;
    // A statement that has become slow no longer blocks others of its account, and no event reports it.
    check ??= setTimeout(() => {
      check = undefined;
      serveWaiters();
    }, SLOW_MS / 2).unref();
  }

  function serveOne(slot: TenantSlot): boolean {
    const servable = registry.servable(slot);
    if (servable === 0) return false;
    const own = registry.takeIdle(slot);
    if (own !== undefined && !own.isTainted) {
      handOver(slot, own);
      return true;
    }
    if (own !== undefined) {
      slot.open -= 1;
      return change(slot, own);
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
    return change(slot, victim);
  }

  /** The prepared session stays idle until its caller arrives and waits for it. */
  function expect(account: PoolAccount): void {
    const slot = registry.slot(account);
    const isFree =
      slot.open === 0 && registry.waiting() === 0 && changing < options.connectsMax && onDrained === null;
    if (!isFree || !(open < limit ? connect(slot) : takeOver(slot))) registry.prune(slot);
  }

  /** Nothing can be done at the moment. */
  function reportPressure(): false {
    if (limit < server.connectionsMax) options.onPressure(server.id);
    return false;
  }

  function handOver(slot: TenantSlot, session: PoolSession): void {
    registry.own(slot, session);
    const next = registry.nextWaiter(slot);
    if (next === undefined) return release(session);
    const { waiter, slotKind: endpoint } = next;
    clearTimeout(waiter.timer);
    registry.lend(slot, session, endpoint);
    waiter.resolve(session);
  }

  function connect(slot: TenantSlot): boolean {
    const startedMs = performance.now();
    if (!breaker.mayTry(startedMs)) return false;
    open += 1;
    connects += 1;
    begin(slot);
    const opening = openAtNode(server, nodes, slot.account, limits).then(async (session) => {
      breaker.succeeded(performance.now());
      lastAccount = slot.account;
      await shareStatementsOnce(session);
      return session;
    });
    settle(slot, opening, startedMs);
    return true;
  }

  /** Logs a session in as the slot's account. Until then, `session` belongs to no slot. */
  function change(slot: TenantSlot, session: PoolSession): boolean {
    begin(slot);
    session.onLost = () => undefined;
    settle(
      slot,
      session.become(slot.account).then(() => session),
      performance.now(),
    );
    return true;
  }

  /** Adds a session that is being opened to the slot, or drops it. */
  function settle(slot: TenantSlot, coming: Promise<PoolSession>, startedMs: number): void {
    coming.then(
      (session) => {
        session.onLost = () => drop(session);
        if (nodes.isSeveral) stalls.add(session);
        rejections.served(slot.account);
        finish(slot, session);
      },
      (error: unknown) => {
        open -= 1;
        fail(slot, error, startedMs);
      },
    );
  }

  function begin(slot: TenantSlot): void {
    slot.open += 1;
    slot.pending += 1;
    changing += 1;
  }

  function finish(slot: TenantSlot, session: PoolSession): void {
    slot.pending -= 1;
    changing -= 1;
    handOver(slot, session);
    serveWaiters();
  }

  function fail(slot: TenantSlot, error: unknown, startedMs: number): void {
    slot.open -= 1;
    slot.pending -= 1;
    changing -= 1;
    const isUnavailable = isServerUnreachable(error);
    if (!isUnavailable) breaker.refused(startedMs);
    else if (breaker.failed(performance.now(), startedMs)) registry.rejectAll(() => unreachableError(error));
    if (isAccountRejection(error)) failRejected(slot, error, startedMs);
    else failNext(slot, error);
    serveWaiters();
    noteDrained();
  }

  function failNext(slot: TenantSlot, error: unknown): void {
    const next = registry.nextWaiter(slot);
    if (next === undefined) registry.prune(slot);
    else retryOrReject(slot, next.waiter, error);
  }

  /** While the account is repaired, its callers wait as for a session. Then all are rejected. */
  function failRejected(slot: TenantSlot, error: unknown, startedMs: number): void {
    if (rejections.refused(slot.account, startedMs)) return registry.prune(slot);
    for (let next = registry.nextWaiter(slot); next !== undefined; next = registry.nextWaiter(slot)) {
      clearTimeout(next.waiter.timer);
      next.waiter.reject(toConnectError(error));
    }
    registry.prune(slot);
  }

  /** A session that was taken over may have been dead, so the first failure is retried. */
  function retryOrReject(slot: TenantSlot, waiter: Waiter, error: unknown): void {
    waiter.attempts += 1;
    if (waiter.attempts < 2 && !breaker.isOpen()) return registry.returnWaiter(slot, waiter);
    clearTimeout(waiter.timer);
    waiter.reject(toConnectError(error));
  }

  function drop(session: PoolSession): void {
    if (!registry.forgetIdle(session)) return;
    open -= 1;
    noteDrained();
  }

  /** A session with an orphaned statement keeps counting for its account and the server. */
  function release(session: PoolSession): void {
    if (session.orphanEnded === null) return takeBack(session);
    void session.orphanEnded.then(() => takeBack(session));
  }

  function takeBack(session: PoolSession): void {
    const slot = registry.owner(session);
    registry.takeBack(slot, session);
    if (session.isAway) leaveNode(session);
    if (
      session.isLost ||
      session.isDoomed ||
      session.isDoubted ||
      onDrained !== null ||
      slot.isStale ||
      open > limit
    ) {
      if (session.isDoomed) session.destroy('its statement was stopped');
      else if (!session.isLost) session.end();
      slot.open -= 1;
      open -= 1;
      registry.prune(slot);
    } else {
      registry.putIdle(slot, session);
    }
    serveWaiters();
    // A session without a waiter is reset at once, because a lock that it holds would block others while it
    // is idle.
    if (session.isTainted && registry.forgetIdle(session)) change(registry.slot(session.account), session);
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

  /** The node has left its cluster, so none of its sessions is used again. */
  function leaveNode(session: PoolSession): void {
    session.isDoomed = true;
    nodes.failed(session.endpoint);
    closeSessions(
      registry.idleBefore(Number.POSITIVE_INFINITY).filter(({ endpoint }) => endpoint === session.endpoint),
    );
  }

  /** Moves sessions to the first serving node. A failed node counts again once it serves. */
  function gather(): void {
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
      if (nodes.isSeveral) gather();
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
      isBreakerOpen: breaker.isOpen(),
    }),
    async close(drainMs) {
      const drained = new Promise<void>((resolve) => {
        onDrained = resolve;
        setTimeout(resolve, drainMs).unref();
      });
      registry.rejectAll(() => unreachableError());
      closeSessions(registry.idleBefore(Number.POSITIVE_INFINITY));
      await drained;
    },
  };
}
