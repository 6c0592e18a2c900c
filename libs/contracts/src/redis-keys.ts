/**
 * Every Redis key, channel and queue name, each with its cell in a hash tag.
 * A value read from Redis is believed only with its HMAC (`signRecord` in credentials).
 */
export function keyRecordKey(cellId: string, keyHashHex: string): string {
  return `{${cellId}}:key:${keyHashHex}`;
}

export function databaseRecordKey(cellId: string, databaseId: string): string {
  return `{${cellId}}:db:${databaseId}`;
}

export function snapshotContentKey(cellId: string, contentHash: string): string {
  return `{${cellId}}:snap:${contentHash}`;
}

/** Carries `ChangeEntry` as JSON. */
export function changeChannel(cellId: string): string {
  return `{${cellId}}:changes`;
}

/** Carries `{database_id}`: a gateway asks the worker's detector to look. */
export function detectChannel(cellId: string): string {
  return `{${cellId}}:detect`;
}

/** BullMQ's `prefix`. */
export function queuePrefix(cellId: string): string {
  return `{${cellId}}:bull`;
}

/** The one queue: wake-ups of workers. No `:` in it. */
export const WAKE_QUEUE = 'wake';
