import { createBreaker } from './pool-breaker.js';
import { busyError, isServerUnreachable, toConnectError } from './pool-fault.js';
import { PoolSession, type SessionLimits } from './pool-session.js';
import { createTenantBook, type TenantSlot, type Waiter } from './pool-tenant-book.js';
import type { PoolAccount, PoolServer } from './pool-types.js';

export interface PoolOptions extends SessionLimits {
  readonly idleMs: number;
  readonly idleSweepMs: number;
  /** Over all tenants of a server. */
  readonly waitersMax: number;
  /** Logins and take-overs at once on a server. */
  readonly connectsMax: number;
  readonly breakerFailuresMax: number;
  readonly breakerCoolDownMs: number;
}

export const DEFAULT_POOL_OPTIONS: PoolOptions = {
  connectTimeoutMs: 1_500,
  statementMsMax: 10_000,
  graceMs: 150,
  idleMs: 60_000,
  idleSweepMs: 5_000,
  waitersMax: 2_048,
  connectsMax: 32,
  breakerFailuresMax: 5,
  breakerCoolDownMs: 250,
};

export interface ServerPoolStats {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
  readonly takeovers: number;
  readonly connects: number;
  readonly isBreakerOpen: boolean;
}

export interface ServerPool {
  acquire(account: PoolAccount, waitMs: number): Promise<PoolSession>;
  release(session: PoolSession): void;
  forgetAccount(user: string): void;
  closeIdle(): void;
  stats(): ServerPoolStats;
  close(drainMs: number): Promise<void>;
}

/**
 * The sessions of one server. A tenant's are opened on first use and kept while they are used; at the bound the
 * longest idle session of another tenant is taken over. Tenants that wait are served in turn, one session each.
 */
export function createServerPool(server: PoolServer, options: PoolOptions): ServerPool {
  const book = createTenantBook();
  const breaker = createBreaker({ failuresMax: options.breakerFailuresMax, coolDownMs: options.breakerCoolDownMs });
  let open = 0;
  let changing = 0;
  let takeovers = 0;
  let connects = 0;
  let onDrained: (() => void) | null = null;

  function acquire(account: PoolAccount, waitMs: number): Promise<PoolSession> {
    const slot = book.slot(account);
    const ready = book.takeIdle(slot);
    if (ready !== undefined && !ready.isTainted) return Promise.resolve(ready);
    if (ready !== undefined) book.putIdle(slot, ready);
    if (slot.open === 0 && breaker.isBlocked(performance.now())) return Promise.reject(unreachable());
    if (book.waiting() >= options.waitersMax) return Promise.reject(busyError('too many callers wait for this server'));
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { resolve, reject, attempts: 0, timer: undefined };
      waiter.timer = setTimeout(() => {
        book.dropWaiter(slot, waiter);
        reject(breaker.isOpen() ? unreachable() : busyError('waited too long for a session'));
      }, waitMs);
      book.addWaiter(slot, waiter);
      serveWaiters();
    });
  }

  /** One session for each waiting tenant in turn, until a round changes nothing. */
  function serveWaiters(): void {
    let isMoving = book.waiting() > 0;
    while (isMoving) {
      isMoving = false;
      for (const slot of book.waitingSlots()) isMoving = serveOne(slot) || isMoving;
    }
  }

  function serveOne(slot: TenantSlot): boolean {
    const own = book.takeIdle(slot);
    if (own !== undefined && !own.isTainted) {
      hand(slot, own);
      return true;
    }
    if (own !== undefined) {
      slot.open -= 1;
      return change(slot, own);
    }
    if (slot.pending >= slot.waiters.length || slot.open >= slot.account.connectionsMax || changing >= options.connectsMax) return false;
    if (open < server.connectionsMax) return connect(slot);
    const victim = book.takeLongestIdle();
    if (victim === undefined) return false;
    takeovers += 1;
    return change(slot, victim);
  }

  function hand(slot: TenantSlot, session: PoolSession): void {
    book.own(slot, session);
    const waiter = book.nextWaiter(slot);
    if (waiter === undefined) return release(session);
    clearTimeout(waiter.timer);
    waiter.resolve(session);
  }

  function connect(slot: TenantSlot): boolean {
    if (!breaker.mayTry(performance.now())) return false;
    open += 1;
    connects += 1;
    begin(slot);
    const opening = PoolSession.open(server, slot.account, options).then((session) => {
      breaker.succeeded();
      return session;
    });
    settle(slot, opening);
    return true;
  }

  /** Logs a session in as the slot's account; `session` belongs to nobody until that has succeeded. */
  function change(slot: TenantSlot, session: PoolSession): boolean {
    begin(slot);
    session.onLost = () => undefined;
    settle(slot, session.become(slot.account).then(() => session));
    return true;
  }

  /** A session that is on its way to the slot: it is the slot's, or it is gone. */
  function settle(slot: TenantSlot, coming: Promise<PoolSession>): void {
    coming.then(
      (session) => {
        session.onLost = () => drop(session);
        finish(slot, session);
      },
      (error: unknown) => {
        open -= 1;
        fail(slot, error);
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

  function fail(slot: TenantSlot, error: unknown): void {
    slot.open -= 1;
    slot.pending -= 1;
    changing -= 1;
    const isOpenNow = isServerUnreachable(error) && breaker.failed(performance.now());
    if (isOpenNow) book.rejectAll(() => unreachable(error));
    const waiter = book.nextWaiter(slot);
    if (waiter !== undefined) retryOrReject(slot, waiter, error);
    serveWaiters();
    noteDrained();
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

  function release(session: PoolSession): void {
    const slot = book.owner(session);
    if (session.isLost || session.isDoomed || onDrained !== null || slot.isStale) {
      if (session.isDoomed) session.destroy('its statement was stopped');
      else if (!session.isLost) session.end();
      slot.open -= 1;
      open -= 1;
      book.prune(slot);
    } else {
      book.putIdle(slot, session);
    }
    serveWaiters();
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

  function noteDrained(): void {
    if (open === 0) onDrained?.();
  }

  return {
    acquire,
    release,
    forgetAccount: (user) => closeSessions(book.makeStale(user)),
    closeIdle: () => closeSessions(book.idleBefore(performance.now() - options.idleMs)),
    stats: () => ({ open, idle: book.idle(), waiting: book.waiting(), takeovers, connects, isBreakerOpen: breaker.isOpen() }),
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

function unreachable(cause?: unknown): Error {
  return toConnectError(cause ?? new Error('the server did not answer lately'));
}
