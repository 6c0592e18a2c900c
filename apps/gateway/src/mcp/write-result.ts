import { isJsonObject, type JsonObject, type JsonValue } from '@rowhouse/rest-engine';
import { LIMITS } from '../limits/limits.js';
import type { ArgumentReader } from './argument-reader.js';
import { callInternally, toBatch, type InternalResponse, type InternalRequest } from './call-internally.js';
import type { ToolUse } from './data-tool.js';

/** Returns the preferences that all writing tools share. */
export function writePreferences(
  reader: ArgumentReader,
  more: readonly string[] = [],
): Pick<InternalRequest, 'prefer' | 'idempotencyKey'> {
  return {
    prefer: [...(reader.flag('dry_run') ? ['tx=rollback'] : []), ...more],
    idempotencyKey: reader.text('idempotency_key'),
  };
}

/** Returns the preferences of a write to all records that a filter finds. Ends the reading of arguments. */
export function filteredWritePreferences(reader: ArgumentReader): ReturnType<typeof writePreferences> {
  const maximum = reader.integer('max_affected', 1, LIMITS.rowsPerFilteredWriteMax);
  const preferences = writePreferences(reader, maximum === null ? [] : [`max-affected=${maximum}`]);
  reader.done();
  return preferences;
}

/** Sends writes to single records as one batch, which runs all or none. Ends the reading of arguments. */
export function sendOperations(
  use: ToolUse,
  reader: ArgumentReader,
  operations: readonly JsonValue[],
): Promise<InternalResponse> {
  const preferences = writePreferences(reader);
  reader.done();
  return callInternally(
    use,
    { method: 'POST', path: '/_batch', ...preferences, body: new Map([['operations', operations]]) },
    toBatch,
  );
}

export const OMITTED = 'The records were written. They are too large to return.';

interface WriteReport {
  /** The member that contains the number of records when no records are returned. */
  readonly counted: 'created' | 'updated' | 'deleted';
  readonly sent: number;
  readonly records: JsonValue | null;
}

/**
 * Returns the result of a write. Records that are too large are replaced by their number, because an error
 * would suggest that nothing was written.
 */
export function toWriteResult(
  response: InternalResponse,
  { counted, sent, records }: WriteReport,
): JsonObject {
  const members = new Map<string, JsonValue>();
  if (Array.isArray(records) && !response.isTooLarge) members.set('records', records);
  // If the API returns counts, such as `{"created":1}` or `{"updated":3}`, the tool returns them too.
  else if (isJsonObject(records) && !response.isTooLarge)
    for (const [name, value] of records) members.set(name, value);
  else members.set(counted, { kind: 'number', text: String(sent) });
  if (response.isTooLarge) members.set('left_out', OMITTED);
  if (response.header('Preference-Applied')?.includes('tx=rollback') === true) members.set('dry_run', true);
  if (response.header('Idempotent-Replayed') === 'true') members.set('replayed', true);
  return members;
}

/** Returns one operation of a batch. */
export function toOperation(
  method: 'PATCH' | 'DELETE',
  path: string,
  body: JsonValue | null,
  ifMatch: JsonValue | null,
): JsonObject {
  const operation = new Map<string, JsonValue>([
    ['method', method],
    ['path', path],
  ]);
  if (body !== null) operation.set('body', body);
  if (ifMatch !== null) operation.set('if_match', ifMatch);
  return operation;
}

/** Returns the records of a batch response, or null when an operation returns none. */
export function listBodies(response: JsonValue | null): JsonValue | null {
  if (!Array.isArray(response)) return null;
  const bodies = (response as readonly JsonValue[]).map((item) =>
    isJsonObject(item) ? (item.get('body') ?? null) : null,
  );
  return bodies.every((body) => body !== null) ? bodies : null;
}
