/**
 * All Redis keys, channels and queue names. Each contains its cell in a hash tag, so on a Redis Cluster all
 * keys of a cell share one slot and can be used in one command or script.
 *
 * Anyone who reaches Redis can write to it. Records are therefore only trusted with their HMAC (`signRecord`
 * in credentials), and messages are signed too (`createMessageSigner`). A job notification only names the row
 * to read.
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

/** The value is encrypted, because it holds values of the tenant's rows. */
export function columnValuesKey(cellId: string, databaseId: string): string {
  return `{${cellId}}:values:${databaseId}`;
}

/**
 * The value is encrypted. It holds the response of a language model to the question with the digest `name`.
 */
export function translationKey(cellId: string, databaseId: string, name: string): string {
  return `{${cellId}}:sql:${databaseId}:${name}`;
}

/** Carries `ChangeEntry` as signed JSON. */
export function changeChannel(cellId: string): string {
  return `{${cellId}}:changes`;
}

/** Carries a signed `{database_id}`. A gateway asks the worker to look for direct DDL. */
export function detectChannel(cellId: string): string {
  return `{${cellId}}:detect`;
}

/** Carries a signed `{database_id}`. A gateway asks a worker to repair the accounts of a database. */
export function repairChannel(cellId: string): string {
  return `{${cellId}}:repair`;
}

/**
 * Carries a signed `{database_id}`. Asks a worker to compare the value index of a database with its rows now.
 */
export function valuesChannel(cellId: string): string {
  return `{${cellId}}:values-wanted`;
}

/** Carries a signed `RateReport`. */
export function rateChannel(cellId: string): string {
  return `{${cellId}}:rates`;
}

/** Returns the key prefix of counters such as sign-in attempts. */
export function attemptPrefix(cellId: string, name: string): string {
  return `{${cellId}}:attempt:${name}`;
}

/** Returns the `prefix` option of BullMQ. */
export function queuePrefix(cellId: string): string {
  return `{${cellId}}:bull`;
}

/** The queue of job notifications for workers. BullMQ does not allow `:` in it. */
export const WAKE_QUEUE = 'wake';
