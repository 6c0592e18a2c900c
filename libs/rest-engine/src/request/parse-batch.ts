import { faultAt, nearestNames, validationError, type FaultLocation } from '@rowhouse/errors';
import type { CompiledSnapshot, Steps } from '@rowhouse/schema-model';
import type { ApiRequest, ParseOptions, Preferences, RawRequest } from './api-request.js';
import { checkAccept, parseIdempotencyKey, parsePreferences } from './parse-headers.js';
import { createFaultList, type FaultList, inOperation } from './fault-list.js';
import { isJsonArray, isJsonObject, nameJsonKind } from './json-value.js';
import type { JsonObject, JsonValue } from './json-value.js';
import { parseRequest } from './parse-request.js';

export const BATCH_OPERATIONS_MAX = 100;
const PATH_LENGTH_MAX = 16 * 1024;

/** A request with several operations that succeed or fail together. */
export interface BatchRequest {
  readonly idempotencyKey: string | null;
  /** The preferences of the batch request. They apply to each of its operations. */
  readonly preferences: Preferences;
  readonly operations: readonly ApiRequest[];
  /** The route of each operation, such as `PATCH /posts/{id}`. */
  readonly routes: readonly string[];
}

/**
 * Parses `POST /_batch`, with one operation in each step of the generator. Throws AppError. An error in an
 * operation has the zero-based index of that operation in `operation`.
 */
export function* parseBatchSteps(
  raw: Omit<RawRequest, 'method' | 'rawPath'>,
  compiled: CompiledSnapshot,
  options: ParseOptions,
): Steps<BatchRequest> {
  checkAccept(raw.headers);
  if (raw.rawQuery !== '')
    throw validationError('params.invalid', [
      faultAt(
        ['query'],
        'A batch has no parameters. Put them in the paths of its operations.',
        'unknown_parameter',
      ),
    ]);
  if (raw.headers['if-match'] !== undefined) {
    throw validationError(
      'params.invalid',
      [faultAt(['header', 'If-Match'], 'If-Match applies to one record.', 'no_meaning')],
      'Give the operation an "if_match".',
    );
  }
  const preferences = parsePreferences(raw.headers, true);
  const idempotencyKey = parseIdempotencyKey(raw.headers);
  const prefer = raw.headers['prefer'];
  const sent = readOperations(raw.body, options.prefix);
  const operations: ApiRequest[] = [];
  for (const [position, { ifMatch, ...operation }] of sent.entries()) {
    operations.push(
      inOperation(position, () =>
        parseRequest({ ...operation, headers: { prefer, 'if-match': ifMatch } }, compiled, options),
      ),
    );
    yield;
  }
  const routes = operations.map(
    (request, position) =>
      `${sent[position]?.method ?? ''} /${request.table.path}${'key' in request ? '/{id}' : ''}`,
  );
  return { idempotencyKey, preferences, operations, routes };
}

interface Operation extends Omit<RawRequest, 'headers'> {
  readonly ifMatch: string | undefined;
}

function readOperations(body: JsonValue | undefined, prefix: string): readonly Operation[] {
  const faults = createFaultList('body.invalid');
  const list = readEnvelope(body, faults);
  // If the fault list is full, the request is rejected anyway, so the remaining operations are not parsed.
  const operations = list.map((operation, position) =>
    faults.isFull() ? null : readOperation(operation, ['body', 'operations', position], prefix, faults),
  );
  faults.throwIfAny();
  return operations.filter((operation) => operation !== null);
}

function readEnvelope(body: JsonValue | undefined, faults: FaultList): readonly JsonValue[] {
  const loc: FaultLocation = ['body', 'operations'];
  if (body === undefined || !isJsonObject(body)) {
    faults.add(
      ['body'],
      'A batch must be an object: {"operations": [{"method": "POST", "path": "/posts", "body": {}}]}.',
      'dict_type',
    );
    return [];
  }
  rejectUnknown(body, ['operations'], ['body'], faults);
  const list = body.get('operations');
  if (list === undefined) faults.add(loc, 'The operations are missing.', 'missing');
  else if (!isJsonArray(list)) faults.add(loc, `Expected an array, not ${nameJsonKind(list)}.`, 'list_type');
  else if (list.length === 0) faults.add(loc, 'The batch has no operation.', 'too_short');
  else if (list.length > BATCH_OPERATIONS_MAX)
    faults.add(
      loc,
      `A batch can have at most ${BATCH_OPERATIONS_MAX} operations.`,
      'too_long',
      null,
      'limit.batch_operations',
    );
  else return list;
  return [];
}

const MEMBERS = ['method', 'path', 'body', 'if_match'] as const;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function readOperation(
  operation: JsonValue,
  loc: FaultLocation,
  prefix: string,
  faults: FaultList,
): Operation | null {
  if (!isJsonObject(operation)) {
    faults.add(loc, `Expected an object, not ${nameJsonKind(operation)}.`, 'dict_type');
    return null;
  }
  rejectUnknown(operation, MEMBERS, loc, faults);
  const method = readText(operation, 'method', loc, faults);
  const path = readText(operation, 'path', loc, faults);
  const body = operation.get('body');
  const ifMatch = operation.get('if_match') ?? undefined;
  if (method !== null && !METHODS.includes(method))
    faults.add([...loc, 'method'], `The method must be one of ${METHODS.join(', ')}.`, 'enum');
  if (path !== null && !path.startsWith('/'))
    faults.add([...loc, 'path'], 'The path must start with a slash: /posts/5.', 'path');
  if (path !== null && path.length > PATH_LENGTH_MAX)
    faults.add([...loc, 'path'], 'The path is longer than 16 KiB.', 'too_long');
  if ((method === 'GET' || method === 'DELETE') && body !== undefined && body !== null)
    faults.add([...loc, 'body'], `${method} has no body.`, 'extra_forbidden');
  if (method === 'GET' && ifMatch !== undefined)
    faults.add([...loc, 'if_match'], 'The condition only applies to writes of one record.', 'no_meaning');
  if (ifMatch !== undefined && typeof ifMatch !== 'string')
    faults.add([...loc, 'if_match'], 'The condition must be a string, as returned in ETag.', 'string_type');
  if (method === null || path === null || path.length > PATH_LENGTH_MAX) return null;
  return {
    ...splitAddress(path, prefix),
    method,
    body,
    ifMatch: typeof ifMatch === 'string' ? ifMatch : undefined,
  };
}

function rejectUnknown(
  object: JsonObject,
  known: readonly string[],
  loc: FaultLocation,
  faults: FaultList,
): void {
  for (const name of object.keys()) {
    if (known.includes(name)) continue;
    if (faults.isFull()) return;
    const similarNames = faults.wantsHint() ? nearestNames(name, known) : [];
    faults.add(
      [...loc, name],
      `The members are ${known.join(', ')}.`,
      'extra_forbidden',
      similarNames.length === 0 ? null : `Did you mean ${similarNames.join(' or ')}?`,
    );
  }
}

function readText(operation: JsonObject, name: string, loc: FaultLocation, faults: FaultList): string | null {
  const value = operation.get(name);
  if (typeof value === 'string') return value;
  faults.add(
    [...loc, name],
    value === undefined ? 'The member is required.' : `Expected a string, not ${nameJsonKind(value)}.`,
    value === undefined ? 'missing' : 'string_type',
  );
  return null;
}

/**
 * Splits the URL of an operation into path and query. Escapes characters beyond ASCII, as in the request line
 * of HTTP. The prefix is optional, because clients may copy a URL from a `Location` header.
 */
function splitAddress(path: string, prefix: string): { rawPath: string; rawQuery: string } {
  const ascii = path.replace(/[\u0080-\uffff]+/g, encodeURIComponent);
  const mark = ascii.indexOf('?');
  const rawPath = mark < 0 ? ascii : ascii.slice(0, mark);
  return {
    rawPath: rawPath.startsWith(`${prefix}/`) ? rawPath.slice(prefix.length) : rawPath,
    rawQuery: mark < 0 ? '' : ascii.slice(mark + 1),
  };
}
