/**
 * Every Redis key, channel and queue name, each with its cell in a hash tag: on a Redis Cluster all of a cell lie in one
 * slot, so that commands and scripts with several keys are taken.
 * Whoever reaches Redis can write to it: a value is believed only with its HMAC (`signRecord` in credentials), a message
 * likewise (`createMessageSigner`), and a wake-up tells nothing but which row to look at.
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

/** Sealed, not only signed: these are values of the tenant's rows. */
export function columnValuesKey(cellId: string, databaseId: string): string {
  return `{${cellId}}:values:${databaseId}`;
}

/** Sealed: what a language model wrote for a question, of the digest `name`. */
export function translationKey(cellId: string, databaseId: string, name: string): string {
  return `{${cellId}}:sql:${databaseId}:${name}`;
}

/** Carries `ChangeEntry` as signed JSON. */
export function changeChannel(cellId: string): string {
  return `{${cellId}}:changes`;
}

/** Carries `{database_id}`, signed: a gateway asks the worker's detector to look. */
export function detectChannel(cellId: string): string {
  return `{${cellId}}:detect`;
}

/** Carries `{database_id}`, signed: a gateway asks a worker to repair the accounts of a database. */
export function repairChannel(cellId: string): string {
  return `{${cellId}}:repair`;
}

/** Carries `{database_id}`, signed: somebody wants the value index of a database compared with its rows now. */
export function valuesChannel(cellId: string): string {
  return `{${cellId}}:values-wanted`;
}

/** Carries `RateReport`, signed. */
export function rateChannel(cellId: string): string {
  return `{${cellId}}:rates`;
}

/** Of the counters of attempts to sign in, and the like. */
export function attemptPrefix(cellId: string, name: string): string {
  return `{${cellId}}:attempt:${name}`;
}

/** BullMQ's `prefix`. */
export function queuePrefix(cellId: string): string {
  return `{${cellId}}:bull`;
}

/** The one queue: wake-ups of workers. No `:` in it. */
export const WAKE_QUEUE = 'wake';
