import { STATEMENTS_PER_SESSION_MAX, type SessionLimits } from './pool-session.js';
import type { PoolAccount } from './pool-types.js';

export interface PoolOptions extends SessionLimits {
  readonly idleMs: number;
  readonly idleSweepMs: number;
  /** Over all tenants of a server; beyond it whoever has the longest line gives way. */
  readonly waitersMax: number;
  /** Writes of single records of one moment share a transaction, where the engine lets them. */
  readonly writesTogether: boolean;
  /** Logins and take-overs at once on a server. */
  readonly connectsMax: number;
  readonly breakerFailuresMax: number;
  readonly breakerCoolDownMs: number;
  readonly breakerProbeMsMax: number;
  /** Sessions of a server that may be open before `setLimit` allows more. Without it, all that the server allows. */
  readonly connectionsFloor: number;
  /** A caller waits because the limit of this server is reached. Called often. */
  readonly onPressure: (serverId: string) => void;
  /** The server refuses an account. Resolves when it is repaired, or that has taken too long; never rejects. Without it, callers are refused at once. */
  readonly onRefused?: (account: PoolAccount) => Promise<void>;
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
  // Behind each probe that fails: few enough for a server that is coming up, and most of what its recovery may take is left.
  breakerCoolDownMs: 100,
  breakerProbeMsMax: 300,
  connectionsFloor: Number.POSITIVE_INFINITY,
  onPressure: () => undefined,
  statementsPerSessionMax: STATEMENTS_PER_SESSION_MAX,
  answersReadBy: 'wire',
  writesTogether: true,
};
