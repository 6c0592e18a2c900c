import { AppError } from '@rowhouse/errors';
import { createBreaker } from './pool-breaker.js';
import { createNodeBook } from './pool-nodes.js';
import { answersAt, findFailedNodes, openAtNode } from './pool-open.js';
import { busyError, isAccountRefusal, isServerUnreachable, toConnectError } from './pool-fault.js';
import { createRefusals } from './pool-refusals.js';
import type { PoolOptions } from './pool-options.js';
import { STATEMENTS_PER_SESSION_MAX, type PoolSession } from './pool-session.js';
import { createStallWatch } from './pool-stalls.js';
import { SLOW_MS, createTenantBook, openMax, type TenantSlot, type Waiter } from './pool-tenant-book.js';
import type { PoolAccount, PoolServer, SessionNeed } from './pool-types.js';
import { collectRows } from './row-sinks.js';

/** Fewer would prepare anew all the time. */
const STATEMENTS_PER_SESSION_MIN = 8;
/** Of what may be open, so many are left to others before an account has more than its `connectionsMax`. */
const ROOM_FOR_OTHERS = 4;

export interface ServerPoolStats {
  readonly open: number;
  /** What may be open now. */
  readonly limit: number;
  readonly idle: number;
  readonly waiting: number;
  /** Sessions that would be opened at once if the limit allowed them. */
  readonly wanted: number;
  readonly takeovers: number;
  readonly connects: number;
  readonly isBreakerOpen: boolean;
}

export interface ServerPool {
  acquire(account: PoolAccount, waitMs: number, need?: SessionNeed): Promise<PoolSession>;
  /** A caller of the account is on its way: where it has no session and nobody waits for one, one is made its own meanwhile. Never throws. */
  expect(account: PoolAccount): void;
  release(session: PoolSession): void;
  /** Whether no other account was at work here lately, and nobody waits for a session. */
  isAlone(account: PoolAccount): boolean;
  forgetAccount(user: string): void;
  closeIdle(): void;
  /** Looks, a few times a second, for a node that has fallen silent. */
  watchNodes(): void;
  /** How many sessions may be open from now on; what is above it is closed as it becomes idle. */
  setLimit(connections: number): void;
  stats(): ServerPoolStats;
  close(drainMs: number): Promise<void>;
}

/**
 * The sessions of one server. A tenant's are opened on first use and kept while they are used; at the bound the
 * longest idle session of another tenant is taken over. Tenants that wait are served in turn, one session each.
 */
export function createServerPool(server: PoolServer, options: PoolOptions): ServerPool {
  const book = createTenantBook();
  const breaker = createBreaker({ failuresMax: options.breakerFailuresMax, coolDownMs: options.breakerCoolDownMs, probeMsMax: options.breakerProbeMsMax });
  const nodes = createNodeBook(server);
  const limits = { ...options };
  const refusals = createRefusals({ repair: options.onRefused, resume: () => serveWaiters() });
  let limit = Math.min(server.connectionsMax, options.connectionsFloor);
  let isMeasured = false;
  let open = 0;
  let changing = 0;
  let takeovers = 0;
  let connects = 0;
  /** Whose password opens a session that looks whether a node is back. */
  let lastAccount: PoolAccount | null = null;
  const stalls = createStallWatch({
    answers: (place) => (lastAccount === null ? Promise.resolve(true) : answersAt(server, place, lastAccount, limits)),
    onStalled(place, sessions) {
      nodes.failed(place);
      // Those at work come back as lost; what can be run again is, on another node.
      for (const session of sessions) dropSession(session);
    },
  });
  let onDrained: (() => void) | null = null;
  let look: NodeJS.Timeout | undefined;

  function acquire(account: PoolAccount, waitMs: number, wanted: SessionNeed = 'long'): Promise<PoolSession> {
    const slot = book.slot(account);
    const need = account.writesMax === undefined ? 'long' : wanted;
    const place = book.placeFor(slot, need);
    const ready = place === null ? undefined : book.takeIdle(slot);
    if (place !== null && ready !== undefined) {
      book.lend(slot, ready, place);
      return Promise.resolve(ready);
    }
    if (ready !== undefined) book.putIdle(slot, ready);
    if (slot.open === 0 && breaker.isBlocked(performance.now())) return Promise.reject(unreachable());
    if (slot.open === 0 && refusals.isRefused(account)) return Promise.reject(accountRefused());
    if (book.waiting() >= options.waitersMax && !makePlace(slot)) return Promise.reject(crowded());
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { need, resolve, reject, attempts: 0, timer: undefined };
      waiter.timer = setTimeout(() => {
        book.dropWaiter(slot, waiter);
        reject(breaker.isOpen() ? unreachable() : busyError('waited too long for a session'));
      }, waitMs);
      book.addWaiter(slot, waiter);
      serveWaiters();
    });
  }

  /** A tenant with many callers does not keep those of others out of the line. */
  function makePlace(slot: TenantSlot): boolean {
    const waiter = book.giveWay(slot);
    if (waiter === undefined) return false;
    clearTimeout(waiter.timer);
    waiter.reject(crowded());
    return true;
  }

  /** One session for each waiting tenant in turn, until a round changes nothing. */
  function serveWaiters(): void {
    let isMoving = book.waiting() > 0;
    while (isMoving) {
      isMoving = false;
      for (const slot of book.waitingSlots()) isMoving = serveOne(slot) || isMoving;
    }
    if (book.waiting() > 0) look ??= setTimeout(lookAgain, SLOW_MS / 2).unref();
  }

  /** A statement that has become a slow one keeps nobody any more, and nothing else tells of it. */
  function lookAgain(): void {
    look = undefined;
    serveWaiters();
  }

  function serveOne(slot: TenantSlot): boolean {
    const servable = book.servable(slot);
    if (servable === 0) return false;
    const own = book.takeIdle(slot);
    if (own !== undefined && !own.isTainted) {
      hand(slot, own);
      return true;
    }
    if (own !== undefined) {
      slot.open -= 1;
      return change(slot, own);
    }
    if (refusals.isHeld(slot.account)) return false;
    if (slot.pending >= servable || slot.open >= openMax(slot) || changing >= options.connectsMax) return false;
    const isBeyond = slot.open >= slot.account.connectionsMax;
    if (open + (isBeyond ? ROOM_FOR_OTHERS : 0) < limit) return connect(slot);
    return !isBeyond && takeOver(slot) ? true : press();
  }

  function takeOver(slot: TenantSlot): boolean {
    const victim = book.takeLongestIdle();
    if (victim === undefined) return false;
    takeovers += 1;
    return change(slot, victim);
  }

  /** What comes of it lies idle until its caller is there, who waits for it as for any that is on its way. */
  function expect(account: PoolAccount): void {
    const slot = book.slot(account);
    const isFree = slot.open === 0 && book.waiting() === 0 && changing < options.connectsMax && onDrained === null;
    if (!isFree || !(open < limit ? connect(slot) : takeOver(slot))) book.prune(slot);
  }

  /** Nothing can be done for now. */
  function press(): false {
    if (limit < server.connectionsMax) options.onPressure(server.id);
    return false;
  }

  function hand(slot: TenantSlot, session: PoolSession): void {
    book.own(slot, session);
    const next = book.nextWaiter(slot);
    if (next === undefined) return release(session);
    const { waiter, place } = next;
    clearTimeout(waiter.timer);
    book.lend(slot, session, place);
    waiter.resolve(session);
  }

  function connect(slot: TenantSlot): boolean {
    const begunMs = performance.now();
    if (!breaker.mayTry(begunMs)) return false;
    open += 1;
    connects += 1;
    begin(slot);
    const opening = openAtNode(server, nodes, slot.account, limits).then(async (session) => {
      breaker.succeeded(performance.now());
      lastAccount = slot.account;
      if (!isMeasured) await measure(session);
      return session;
    });
    settle(slot, opening, begunMs);
    return true;
  }

  /** A server keeps so many prepared statements over all sessions of all gateways, and refuses every further one. */
  async function measure(session: PoolSession): Promise<void> {
    isMeasured = true;
    try {
      const { rows } = await session.run('SELECT @@GLOBAL.max_prepared_stmt_count', [], collectRows({ bytesMax: 100 }));
      limits.statementsPerSessionMax = shareStatements(Number(rows.rows[0]?.[0] ?? 0), server.connectionsTotal ?? server.connectionsMax);
    } catch (error) {
      isMeasured = false;
      session.destroy('the server was not measured');
      throw error;
    }
  }

  /** Logs a session in as the slot's account; `session` belongs to nobody until that has succeeded. */
  function change(slot: TenantSlot, session: PoolSession): boolean {
    begin(slot);
    session.onLost = () => undefined;
    settle(slot, session.become(slot.account).then(() => session), performance.now());
    return true;
  }

  /** A session that is on its way to the slot: it is the slot's, or it is gone. */
  function settle(slot: TenantSlot, coming: Promise<PoolSession>, begunMs: number): void {
    coming.then(
      (session) => {
        session.onLost = () => drop(session);
        if (nodes.isSeveral) stalls.add(session);
        refusals.served(slot.account);
        finish(slot, session);
      },
      (error: unknown) => {
        open -= 1;
        fail(slot, error, begunMs);
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
    hand(slot, session);
    serveWaiters();
  }

  function fail(slot: TenantSlot, error: unknown, begunMs: number): void {
    slot.open -= 1;
    slot.pending -= 1;
    changing -= 1;
    const isAway = isServerUnreachable(error);
    if (!isAway) breaker.refused(begunMs);
    else if (breaker.failed(performance.now(), begunMs)) book.rejectAll(() => unreachable(error));
    if (isAccountRefusal(error)) failRefused(slot, error, begunMs);
    else failNext(slot, error);
    serveWaiters();
    noteDrained();
  }

  function failNext(slot: TenantSlot, error: unknown): void {
    const next = book.nextWaiter(slot);
    if (next === undefined) book.prune(slot);
    else retryOrReject(slot, next.waiter, error);
  }

  /** While the account is repaired its callers wait, as long as they would for a session; then all are refused together. */
  function failRefused(slot: TenantSlot, error: unknown, begunMs: number): void {
    if (refusals.refused(slot.account, begunMs)) return book.prune(slot);
    for (let next = book.nextWaiter(slot); next !== undefined; next = book.nextWaiter(slot)) {
      clearTimeout(next.waiter.timer);
      next.waiter.reject(toConnectError(error));
    }
    book.prune(slot);
  }

  /** A session taken over may have been dead already: the first failure is tried again, the second is told. */
  function retryOrReject(slot: TenantSlot, waiter: Waiter, error: unknown): void {
    waiter.attempts += 1;
    if (waiter.attempts < 2 && !breaker.isOpen()) return book.returnWaiter(slot, waiter);
    clearTimeout(waiter.timer);
    waiter.reject(toConnectError(error));
  }

  function drop(session: PoolSession): void {
    if (!book.forgetIdle(session)) return;
    open -= 1;
    noteDrained();
  }

  /** One whose statement goes on behind its caller's back still counts, for its account and for the server. */
  function release(session: PoolSession): void {
    if (session.gone === null) return takeBack(session);
    void session.gone.then(() => takeBack(session));
  }

  function takeBack(session: PoolSession): void {
    const slot = book.owner(session);
    book.takeBack(slot, session);
    if (session.isAway) leaveNode(session);
    if (session.isLost || session.isDoomed || session.isDoubted || onDrained !== null || slot.isStale || open > limit) {
      if (session.isDoomed) session.destroy('its statement was stopped');
      else if (!session.isLost) session.end();
      slot.open -= 1;
      open -= 1;
      book.prune(slot);
    } else {
      book.putIdle(slot, session);
    }
    serveWaiters();
    // Cleaned at once where no waiter has taken it over: a lock that it holds would keep others out while it is idle.
    if (session.isTainted && book.forgetIdle(session)) change(book.slot(session.account), session);
    noteDrained();
  }

  function closeSessions(sessions: readonly PoolSession[]): void {
    for (const session of sessions) {
      if (!book.forgetIdle(session)) continue;
      open -= 1;
      session.end();
    }
    noteDrained();
  }

  function dropSession(session: PoolSession): void {
    session.destroy('its node does not answer');
    drop(session);
  }

  /** The node has left its cluster: none of its sessions is used again. */
  function leaveNode(session: PoolSession): void {
    session.isDoomed = true;
    nodes.failed(session.place);
    closeSessions(book.idleBefore(Number.POSITIVE_INFINITY).filter(({ place }) => place === session.place));
  }

  /** Sessions come together on the first node that serves, and a node that failed is one of them again when it does. */
  function gather(): void {
    closeSessions(book.idleBefore(Number.POSITIVE_INFINITY).filter(({ place }) => !nodes.isFirst(place)));
    if (lastAccount !== null) void findFailedNodes(server, nodes, lastAccount, limits);
  }

  function noteDrained(): void {
    if (open === 0) onDrained?.();
  }

  return {
    acquire,
    expect,
    release,
    isAlone: (account) => book.isAlone(account),
    forgetAccount: (user) => closeSessions(book.makeStale(user)),
    closeIdle() {
      closeSessions(book.idleBefore(performance.now() - options.idleMs));
      if (nodes.isSeveral) gather();
    },
    watchNodes() {
      if (nodes.isSeveral) stalls.look();
    },
    setLimit(connections) {
      limit = Math.max(1, Math.min(server.connectionsMax, connections));
      if (open > limit) closeSessions(book.idleBefore(Number.POSITIVE_INFINITY).slice(0, open - limit));
      serveWaiters();
    },
    stats: () => ({ open, limit, idle: book.idle(), waiting: book.waiting(), wanted: book.wanted(), takeovers, connects, isBreakerOpen: breaker.isOpen() }),
    async close(drainMs) {
      const drained = new Promise<void>((resolve) => {
        onDrained = resolve;
        setTimeout(resolve, drainMs).unref();
      });
      book.rejectAll(() => unreachable());
      closeSessions(book.idleBefore(Number.POSITIVE_INFINITY));
      await drained;
    },
  };
}

/** Statements for a session, so that all sessions a server allows have room, and a fifth is left to others. */
export function shareStatements(serverMax: number, connectionsTotal: number): number {
  const share = Math.floor((serverMax * 0.8) / Math.max(1, connectionsTotal));
  return Math.max(STATEMENTS_PER_SESSION_MIN, Math.min(STATEMENTS_PER_SESSION_MAX, share));
}

function crowded(): Error {
  return busyError('too many callers wait for this server');
}

function accountRefused(): Error {
  return new AppError('db.account_refused', { retryAfterSeconds: 1, internal: 'the account was refused a moment ago' });
}

function unreachable(cause?: unknown): Error {
  return toConnectError(cause ?? new Error('the server did not answer lately'));
}
