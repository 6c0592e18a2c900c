import type { PoolAccount } from '../types.js';

/**
 * Tracks accounts that a server rejects. Callers of such an account wait for one repair. If the account is
 * still rejected afterwards, they get an error for a second.
 */
export interface AccountRejections {
  /**
   * Reports that the server rejected a login that began at `startedMs`. If it returns true, callers keep
   * waiting, and `resume` is called when another attempt is worthwhile. If it returns false, they must be
   * rejected.
   */
  rejected(account: PoolAccount, startedMs: number): boolean;
  /** Reports a successful login. */
  served(account: PoolAccount): void;
  /** Returns whether the account is being repaired, so no session should be opened. */
  isHeld(account: PoolAccount): boolean;
  /** Returns whether the account was rejected again after a repair, so another login would fail too. */
  isRejected(account: PoolAccount): boolean;
}

export interface RejectionOptions {
  /**
   * Requests a repair of the account. The promise resolves when the repair is done or has timed out, and
   * never rejects. Undefined if accounts cannot be repaired.
   */
  readonly repair: ((account: PoolAccount) => Promise<void>) | undefined;
  readonly resume: () => void;
  readonly nowMs?: () => number;
}

type State =
  | { readonly kind: 'held' }
  /** The account was repaired at `sinceMs`. Rejections of logins that began earlier are ignored. */
  | { readonly kind: 'tried'; readonly sinceMs: number }
  | { readonly kind: 'refused'; readonly sinceMs: number };

const REJECTED_MS = 1_000;
/** How long after a repair a rejected login does not trigger another repair. */
const TRIED_MS = 5_000;

export function createAccountRejections({
  repair,
  resume,
  nowMs = () => performance.now(),
}: RejectionOptions): AccountRejections {
  const states = new Map<string, State>();
  const isSince = (state: State | undefined, kind: State['kind'], withinMs: number): boolean =>
    state?.kind === kind && 'sinceMs' in state && nowMs() - state.sinceMs < withinMs;

  return {
    rejected(account, startedMs) {
      const { user } = account;
      const state = states.get(user);
      if (state?.kind === 'held' || (state?.kind === 'tried' && startedMs < state.sinceMs)) return true;
      if (
        repair === undefined ||
        isSince(state, 'tried', TRIED_MS) ||
        isSince(state, 'refused', REJECTED_MS)
      ) {
        states.set(user, { kind: 'refused', sinceMs: nowMs() });
        return false;
      }
      states.set(user, { kind: 'held' });
      void repair(account).then(() => {
        states.set(user, { kind: 'tried', sinceMs: nowMs() });
        resume();
      });
      return true;
    },
    served: ({ user }) => void (states.size > 0 && states.delete(user)),
    isHeld: ({ user }) => states.size > 0 && states.get(user)?.kind === 'held',
    isRejected: ({ user }) => states.size > 0 && isSince(states.get(user), 'refused', REJECTED_MS),
  };
}
