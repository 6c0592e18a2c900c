import { faultAt, validationError } from '@rowhouse/errors';
import { QUERY_BOUNDS, toExactNumber, type QueryParams, type QueryValue } from '@rowhouse/query-engine';
import {
  createFaultList,
  isJsonArray,
  isJsonObject,
  type FaultList,
  type JsonValue,
} from '@rowhouse/rest-engine';
import { LIMITS } from '../limits/limits.js';

/** The validated body of POST /v1/-/query. */
export interface QueryRequest {
  readonly query: string;
  readonly params: QueryParams | undefined;
  readonly arrayMode: boolean;
  readonly mode: 'auto' | 'sql' | 'question';
  readonly engine: 'auto' | 'rules' | 'llm';
  readonly dryRun: boolean;
  /** The maximum number of rows, or null for the default. */
  readonly limit: number | null;
  readonly verbose: boolean;
  /** The time zone in which dates in questions are understood. It has no effect on SQL. */
  readonly timezone: string;
}

const MEMBERS = [
  'query',
  'params',
  'parameters',
  'array_mode',
  'mode',
  'engine',
  'dry_run',
  'limit',
  'timezone',
  'verbose',
];
/** The maximum number of parameters, each of which is a token of the statement. */
const QUERY_PARAMS_MAX = QUERY_BOUNDS.tokensMax;
/** The maximum length of a time zone. The longest known one has 32 characters. */
const ZONE_LENGTH_MAX = 64;
const ZONE_FORM = /^(UTC|Z|[+-]\d{2}:\d{2}|[A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2})$/;

/**
 * Validates the body. With `isStream`, the number of rows is unlimited and only rows are returned.
 *
 * @throws AppError 422 `body.invalid` with all faults of the body
 */
export function readQueryRequest(body: JsonValue | undefined, isStream = false): QueryRequest {
  if (!isJsonObject(body))
    throw validationError('body.invalid', [
      faultAt(['body'], 'must be an object with the member query', 'type'),
    ]);
  const members: ReadonlyMap<string, JsonValue> = body;
  const faults = createFaultList('body.invalid');
  for (const name of members.keys()) {
    if (faults.isFull()) break;
    if (!MEMBERS.includes(name)) faults.add(['body', name], 'unknown member', 'unknown_field');
  }
  const reader = createReader(members, faults);
  const request: QueryRequest = {
    query: reader.text('query'),
    params: reader.params(),
    arrayMode: reader.flag('array_mode'),
    mode: reader.choice('mode', ['auto', 'sql', 'question']),
    engine: reader.choice('engine', ['auto', 'rules', 'llm']),
    dryRun: reader.flag('dry_run'),
    limit: reader.limit(isStream ? Number.MAX_SAFE_INTEGER : LIMITS.queryRowsMax),
    verbose: reader.flag('verbose'),
    timezone: reader.zone(),
  };
  if (isStream && request.verbose)
    faults.add(
      ['body', 'verbose'],
      'is not possible in a stream, which contains only rows: send Accept: application/json',
      'value',
    );
  faults.throwIfAny();
  return request;
}

interface MemberReader {
  text(name: string): string;
  flag(name: string): boolean;
  choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T;
  limit(maximum: number): number | null;
  zone(): string;
  params(): QueryParams | undefined;
}

function createReader(members: ReadonlyMap<string, JsonValue>, faults: FaultList): MemberReader {
  const reject = (name: string, message: string): void => faults.add(['body', name], message, 'value');
  return {
    text(name) {
      const value = members.get(name);
      if (typeof value === 'string') return value;
      reject(name, value === undefined ? 'is required' : 'must be a string');
      return '';
    },
    flag(name) {
      const value = members.get(name) ?? false;
      if (typeof value !== 'boolean') reject(name, 'must be true or false');
      return value === true;
    },
    choice(name, choices) {
      const value = members.get(name) ?? choices[0];
      const found = choices.find((choice) => choice === value);
      if (found === undefined) reject(name, `must be one of ${choices.join(', ')}`);
      return found ?? choices[0];
    },
    limit(maximum) {
      const value = members.get('limit') ?? null;
      if (value === null) return null;
      const count = isNumber(value) && /^\d{1,15}$/.test(value.text) ? Number(value.text) : Number.NaN;
      if (count >= 1 && count <= maximum) return count;
      reject(
        'limit',
        maximum === Number.MAX_SAFE_INTEGER
          ? 'must be an integer from 1'
          : `must be an integer from 1 to ${maximum}`,
      );
      return 1;
    },
    zone() {
      const value = members.get('timezone') ?? 'UTC';
      if (typeof value !== 'string' || value.length > ZONE_LENGTH_MAX || !ZONE_FORM.test(value))
        reject('timezone', 'must be UTC, an offset like +02:00, or a zone like Europe/Berlin');
      return typeof value === 'string' ? value : 'UTC';
    },
    params: () => readParams(members, faults),
  };
}

function readParams(members: ReadonlyMap<string, JsonValue>, faults: FaultList): QueryParams | undefined {
  const name = members.has('params') ? 'params' : 'parameters';
  const value = members.get(name) ?? null;
  if (members.has('params') && members.has('parameters'))
    faults.add(['body', 'parameters'], 'is an alias of params: send only one of them', 'value');
  if (value === null) return undefined;
  const list = isJsonArray(value);
  if (!list && !isJsonObject(value)) {
    faults.add(['body', name], 'must be an array for ? or an object for :name', 'type');
    return undefined;
  }
  if ((list ? value.length : value.size) > QUERY_PARAMS_MAX) {
    faults.add(['body', name], `can have at most ${QUERY_PARAMS_MAX} values`, 'too_many');
    return undefined;
  }
  const convert = (item: JsonValue, key: string | number): QueryValue => {
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return item;
    if (isNumber(item)) return toExactNumber(item.text);
    faults.add(['body', name, key], 'must be a string, a number, a boolean or null', 'type');
    return null;
  };
  return list
    ? value.map(convert)
    : Object.fromEntries([...value].map(([key, item]) => [key, convert(item, key)]));
}

function isNumber(value: JsonValue): value is { readonly kind: 'number'; readonly text: string } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonObject(value);
}
