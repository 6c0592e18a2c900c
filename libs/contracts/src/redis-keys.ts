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

/**
 * The key of a database's column values. The stored text is encrypted, because it contains values of the
 * tenant's rows.
 */
export function columnValuesKey(cellId: string, databaseId: string): string {
  return `{${cellId}}:values:${databaseId}`;
}

/**
 * The key of a translation. The stored text is encrypted. It is the response of a language model to the
 * question with the digest `name`.
 */
export function translationKey(cellId: string, databaseId: string, name: string): string {
  return `{${cellId}}:sql:${databaseId}:${name}`;
}

/** The channel of change log entries. It carries `ChangeEntry` as signed JSON. */
export function changeChannel(cellId: string): string {
  return `{${cellId}}:changes`;
}

/**
 * The channel on which a gateway requests that the worker check for direct DDL. It carries a signed
 * `{database_id}`.
 */
export function detectChannel(cellId: string): string {
  return `{${cellId}}:detect`;
}

/**
 * The channel on which a gateway requests a repair of a database's accounts. It carries a signed
 * `{database_id}`.
 */
export function repairChannel(cellId: string): string {
  return `{${cellId}}:repair`;
}

/**
 * The channel on which a worker is requested to compare the value index of a database with its rows
 * immediately. It carries a signed `{database_id}`.
 */
export function valuesChannel(cellId: string): string {
  return `{${cellId}}:values-wanted`;
}

/** The channel of rate reports. It carries a signed `RateReport`. */
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

/**
 * The queue of job notifications for workers. Its name must not contain `:`, because BullMQ does not allow
 * it.
 */
export const WAKE_QUEUE = 'wake';
