import { STATEMENTS_PER_SESSION_MAX, type SessionLimits } from '../session/pool-session.js';
import type { PoolAccount } from '../types.js';

export interface PoolOptions extends SessionLimits {
  readonly idleMs: number;
  readonly idleSweepMs: number;
  /**
   * The maximum number of waiting callers over all tenants of a server. Beyond it, the tenant with the
   * longest queue gives way.
   */
  readonly waitersMax: number;
  /** Whether concurrent writes of single records share a transaction, where the engine allows it. */
  readonly writesTogether: boolean;
  /** The maximum number of simultaneous logins and take-overs on a server. */
  readonly connectsMax: number;
  readonly breakerFailuresMax: number;
  readonly breakerCoolDownMs: number;
  readonly breakerProbeMsMax: number;
  /**
   * The number of sessions of a server that may be open before `setLimit` allows more. Defaults to all that
   * the server allows.
   */
  readonly connectionsFloor: number;
  /** Called whenever a caller waits because the limit of this server is reached. This happens often. */
  readonly onPressure: (serverId: string) => void;
  /**
   * Called when the server rejects an account. Resolves when the account is repaired or the repair timed out,
   * and never rejects. Without it, callers are rejected at once.
   */
  readonly onRejected?: (account: PoolAccount) => Promise<void>;
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
  // The pause after each failed probe. It limits the load on a server that is starting up, and uses little of
  // its recovery time.
  breakerCoolDownMs: 100,
  breakerProbeMsMax: 300,
  connectionsFloor: Number.POSITIVE_INFINITY,
  onPressure: () => undefined,
  statementsPerSessionMax: STATEMENTS_PER_SESSION_MAX,
  answersReadBy: 'wire',
  writesTogether: true,
};
