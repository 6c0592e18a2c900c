/**
 * The kinds of entries in a cell's ordered change log. An entry names the changed object but does not contain
 * its new state. Gateways read changed objects on demand.
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
   * The version of the changed object: the schema number for `snapshot` and `prepared`, the number of the
   * value index for `values`, otherwise the version of the database row or 0.
   */
  readonly version: number;
}

/** Changes that only affect questions. They invalidate nothing else of a database. */
export const QUESTION_KINDS: ReadonlySet<ChangeKind> = new Set(['values', 'words']);

/**
 * The interval in which gateways read new entries of the log, in addition to the messages that announce them.
 */
export const CHANGE_POLL_INTERVAL_MS = 1_000;
/** The time in milliseconds after which a gateway that cannot read the log stops serving requests. */
export const LOG_SILENCE_MAX_MS = 2_000;
/** The lifetime of a gateway's lease, measured by the clock of the platform database. */
export const GATEWAY_LEASE_MS = 5_000;
/** The minimum interval between two writes of the acknowledgement row. */
export const ACK_INTERVAL_MIN_MS = 100;
/** How long known keys stay valid while both Redis and the platform database are unavailable. */
export const OFFLINE_KEYS_MAX_MS = 600_000;
/** The lifetime of key and database records in Redis. */
export const SHARED_CACHE_TTL_SECONDS = 600;
