import { STATEMENTS_PER_SESSION_MAX, type SessionLimits } from '../session/pool-session.js';
import type { PoolAccount } from '../types.js';

export interface PoolOptions extends SessionLimits {
  readonly idleMs: number;
  readonly idleSweepMs: number;
  /**
   * The maximum number of waiting callers on a server, over all tenants. Above it, a caller of the tenant
   * with the longest queue is rejected.
   */
  readonly waitersMax: number;
  /** Whether concurrent writes of single records share a transaction, where the engine allows it. */
  readonly writesTogether: boolean;
  /** The maximum number of sessions that log in or change their account on a server at the same time. */
  readonly connectsMax: number;
  readonly breakerFailuresMax: number;
  readonly breakerCoolDownMs: number;
  readonly breakerProbeMsMax: number;
  /**
   * The number of sessions that may be open on a server before `setLimit` allows more. Defaults to the
   * server's maximum.
   */
  readonly connectionsFloor: number;
  /**
   * Called whenever a caller has to wait because the session limit of this server is reached. Under load,
   * this happens often.
   */
  readonly onPressure: (serverId: string) => void;
  /**
   * Called when the server rejects an account. The promise resolves when the account is repaired or the
   * repair has timed out, and never rejects. Without this function, callers are rejected at once.
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
  // The pause after each failed probe. It is long enough to limit the load on a server that is starting, and
  // short enough to notice soon that the server is back.
  breakerCoolDownMs: 100,
  breakerProbeMsMax: 300,
  connectionsFloor: Number.POSITIVE_INFINITY,
  onPressure: () => undefined,
  statementsPerSessionMax: STATEMENTS_PER_SESSION_MAX,
  answersReadBy: 'wire',
  writesTogether: true,
};
