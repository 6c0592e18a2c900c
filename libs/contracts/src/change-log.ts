/**
 * The kinds of entries in the change log. Each cell, which is an independent installation of the platform,
 * has one ordered log. An entry names the changed object, but does not contain its new state. Gateways read
 * changed objects when they need them.
 */
export type ChangeKind =
  | 'key'
  | 'rights'
  | 'snapshot'
  | 'prepared'
  | 'settings'
  | 'suspend'
  | 'move'
  | 'pause'
  | 'account'
  | 'values'
  | 'words';

export interface ChangeEntry {
  readonly seq: number;
  readonly database_id: string;
  readonly kind: ChangeKind;
  /**
   * The version of the changed object. It is the schema number for `snapshot` and `prepared`, and the number
   * of the value index for `values`. For other kinds, it is the version of the database row, or 0.
   */
  readonly version: number;
}

/**
 * The kinds of changes that only affect questions. They invalidate nothing else that is cached for a
 * database.
 */
export const QUESTION_KINDS: ReadonlySet<ChangeKind> = new Set(['values', 'words']);

/**
 * The interval in milliseconds at which gateways read new entries of the log. In addition, messages announce
 * new entries.
 */
export const CHANGE_POLL_INTERVAL_MS = 1_000;
/** The time in milliseconds after which a gateway that cannot read the log stops serving requests. */
export const LOG_SILENCE_MAX_MS = 2_000;
/** The duration of a gateway's lease in milliseconds, by the clock of the platform database. */
export const GATEWAY_LEASE_MS = 5_000;
/** The minimum interval in milliseconds between two writes of a gateway's acknowledgement row. */
export const ACK_INTERVAL_MIN_MS = 100;
/**
 * The time in milliseconds for which known API keys remain valid while neither Redis nor the platform
 * database is available.
 */
export const OFFLINE_KEYS_MAX_MS = 600_000;
/** The time in seconds for which Redis stores records of API keys and databases. */
export const SHARED_CACHE_TTL_SECONDS = 600;
