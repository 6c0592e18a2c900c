import type { PoolAccount } from './pool-types.js';

/** Accounts that a server refuses. Their callers wait while they are repaired, once, and are refused for a second after that. */
export interface Refusals {
  /**
   * A login of the account, begun at `begunMs`, was refused. True: callers go on waiting, and `resume` is called when it is
   * worth another try. False: they are to be refused.
   */
  refused(account: PoolAccount, begunMs: number): boolean;
  /** The account was let in. */
  served(account: PoolAccount): void;
  /** No session is to be opened for it now: it is being repaired. */
  isHeld(account: PoolAccount): boolean;
  /** It was refused again after a repair: a login now would be refused, too. */
  isRefused(account: PoolAccount): boolean;
}

export interface RefusalOptions {
  /** Asks for a repair and resolves when it is done, or has taken too long. Never rejects. Missing: nobody repairs. */
  readonly repair: ((account: PoolAccount) => Promise<void>) | undefined;
  readonly resume: () => void;
  readonly nowMs?: () => number;
}

type State =
  | { readonly kind: 'held' }
  /** Repaired at `sinceMs`: logins that began before tell nothing. */
  | { readonly kind: 'tried'; readonly sinceMs: number }
  | { readonly kind: 'refused'; readonly sinceMs: number };

const REFUSED_MS = 1_000;
/** A login that is refused so long after a repair is worth another one. */
const TRIED_MS = 5_000;

export function createRefusals({ repair, resume, nowMs = () => performance.now() }: RefusalOptions): Refusals {
  const states = new Map<string, State>();
  const isSince = (state: State | undefined, kind: State['kind'], withinMs: number): boolean => state?.kind === kind && 'sinceMs' in state && nowMs() - state.sinceMs < withinMs;

  return {
    refused(account, begunMs) {
      const { user } = account;
      const state = states.get(user);
      if (state?.kind === 'held' || (state?.kind === 'tried' && begunMs < state.sinceMs)) return true;
      if (repair === undefined || isSince(state, 'tried', TRIED_MS) || isSince(state, 'refused', REFUSED_MS)) {
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
    isRefused: ({ user }) => states.size > 0 && isSince(states.get(user), 'refused', REFUSED_MS),
  };
}
