/**
 * The ordered change log of a cell and the message that announces an entry.
 * An entry says that something changed, never what it changed to: objects are pulled on demand.
 */
export type ChangeKind = 'key' | 'rights' | 'snapshot' | 'prepared' | 'settings' | 'suspend' | 'move' | 'pause' | 'account' | 'values' | 'words';

export interface ChangeEntry {
  readonly seq: number;
  readonly database_id: string;
  readonly kind: ChangeKind;
  /** snapshot, prepared: its number; values: the value index's; otherwise the version of the database row or 0. */
  readonly version: number;
}

/** What is read with questions alone: it makes nothing else of a database stale. */
export const QUESTION_KINDS: ReadonlySet<ChangeKind> = new Set(['values', 'words']);

/** Gateways hear of changes by message, and read `seq > last` once a second besides. */
export const CHANGE_POLL_INTERVAL_MS = 1_000;
/** A gateway that has heard nothing of the log for this long fences itself. */
export const LOG_SILENCE_MAX_MS = 2_000;
/** A gateway's lease row, by the platform database's clock. */
export const GATEWAY_LEASE_MS = 5_000;
/** At most this often is the acknowledgement row written. */
export const ACK_INTERVAL_MIN_MS = 100;
/** How long known keys stay valid with Redis and the platform database both away. */
export const OFFLINE_KEYS_MAX_MS = 600_000;
/** Redis copies of key and database records live this long. */
export const SHARED_CACHE_TTL_SECONDS = 600;
