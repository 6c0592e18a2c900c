/**
 * These functions return the names of all Redis keys, channels and queues. Each name contains the id of its
 * cell in a hash tag. In a Redis Cluster, all keys of a cell are therefore in the same slot, and can be used
 * in one command or script.
 *
 * Anyone with network access to Redis can write to it. Therefore, records are only used if their HMAC is
 * valid (`signRecord` in `credentials`), and messages are signed too (`createMessageSigner`). A job
 * notification contains only the id of the row to read.
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

/**
 * Returns the key for the column values of a database. The stored text is encrypted, because it contains
 * values from the tenant's rows.
 */
export function columnValuesKey(cellId: string, databaseId: string): string {
  return `{${cellId}}:values:${databaseId}`;
}

/**
 * Returns the key for a translated question. The stored text is encrypted. It is a language model's response
 * to the question with the digest `name`.
 */
export function translationKey(cellId: string, databaseId: string, name: string): string {
  return `{${cellId}}:sql:${databaseId}:${name}`;
}

/** Returns the channel for entries of the change log. Its messages are signed JSON of `ChangeEntry`. */
export function changeChannel(cellId: string): string {
  return `{${cellId}}:changes`;
}

/**
 * Returns the channel on which a gateway asks the worker to check a database for direct DDL. Its messages are
 * a signed `{database_id}`.
 */
export function detectChannel(cellId: string): string {
  return `{${cellId}}:detect`;
}

/**
 * Returns the channel on which a gateway asks the worker to repair the accounts of a database. Its messages
 * are a signed `{database_id}`.
 */
export function repairChannel(cellId: string): string {
  return `{${cellId}}:repair`;
}

/**
 * Returns the channel on which a worker is asked to compare the value index of a database with its rows
 * immediately. Its messages are a signed `{database_id}`.
 */
export function valuesChannel(cellId: string): string {
  return `{${cellId}}:values-wanted`;
}

/** Returns the channel for reports about rate limits. Its messages are a signed `RateReport`. */
export function rateChannel(cellId: string): string {
  return `{${cellId}}:rates`;
}

/** Returns the prefix of the keys for counters, such as the number of sign-in attempts. */
export function attemptPrefix(cellId: string, name: string): string {
  return `{${cellId}}:attempt:${name}`;
}

/** Returns the value of the option `prefix` for BullMQ. */
export function queuePrefix(cellId: string): string {
  return `{${cellId}}:bull`;
}

/**
 * The name of the queue with job notifications for workers. It must not contain `:`, which BullMQ does not
 * allow.
 */
export const WAKE_QUEUE = 'wake';
