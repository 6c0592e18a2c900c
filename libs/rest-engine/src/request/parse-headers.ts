import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type {
  ApiRequest,
  Preferences,
  RawRequest,
  RecordTag,
  TagList,
  ResponseFormat,
  RowsFormat,
} from './api-request.js';

const KNOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ['return', ['minimal', 'representation']],
  ['tx', ['commit', 'rollback']],
  ['numbers', ['json', 'string']],
  ['resolution', ['merge-duplicates', 'ignore-duplicates']],
  ['csv-formulas', ['keep', 'escape']],
  ['on-error', ['stop', 'continue']],
]);

/**
 * The highest allowed value of the preference `max-affected`. It equals the number of records that one
 * request may create.
 */
export const MAX_AFFECTED_MAX = 10_000;

const WRITE_ONLY = ['return', 'tx', 'max-affected', 'resolution', 'on-error'];

const NONE: Preferences = Object.freeze({
  result: null,
  transaction: 'commit',
  numbers: 'json',
  maxAffected: null,
  resolution: null,
  formulas: 'keep',
  onError: null,
  applied: Object.freeze([]),
});

const JSON_TYPES = new Set(['application/json', 'application/problem+json']);

const ANY_TYPES = new Set(['application/*', '*/*']);

/** The media types for many records, both in responses and in request bodies. */
export const ROWS_TYPES: ReadonlyMap<string, RowsFormat> = new Map([
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  ['application/x-jsonlines', 'ndjson'],
  ['text/csv', 'csv'],
]);

const TAGS_MAX = 50;

/** An entity tag of RFC 9110, quoted and optionally weak. */
const ENTITY_TAG = /^(W\/)?"([\x21\x23-\x7e]*)"$/;

/**
 * A record's tag has the form `v.r`. If the response includes related records, `.i` is appended. Related
 * records are not part of the record's version.
 */
const RECORD_TAG = /^(\d{1,15})\.([A-Za-z0-9_-]{22})(?:\.[A-Za-z0-9_-]{22})?$/;

const CONDITIONS = [
  ['if-match', 'If-Match'],
  ['if-none-match', 'If-None-Match'],
] as const;

/**
 * Checks the headers of a request, and returns the format of the response. Throws 406 if `Accept` allows no
 * supported format. Throws 412 or 422 for conditional headers that would otherwise be ignored.
 */
export function checkHeaders(headers: RawRequest['headers'], kind: ApiRequest['kind']): ResponseFormat {
  const accept = headers['accept'];
  const format = accept === undefined ? 'json' : negotiateFormat(toText(accept), kind === 'list');
  // A list has no entity tag, so no tag of `If-Match` can match it. For a stream, the response starts before
  // the content is known.
  if (kind === 'list' && headers['if-match'] !== undefined && toText(headers['if-match']).trim() !== '*')
    throw listHasNoTag();
  if (kind === 'list' || kind === 'read' || kind === 'update' || kind === 'delete') return format;
  for (const [name, visible] of CONDITIONS) {
    if (headers[name] !== undefined)
      throw reject(visible, `${visible} applies to one record. Nothing was written.`, 'no_meaning');
  }
  return format;
}

/** Returns the idempotency key of a write, or null without the header. */
export function parseIdempotencyKey(headers: RawRequest['headers']): string | null {
  if (headers['idempotency-key'] === undefined) return null;
  const key = toText(headers['idempotency-key']);
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw validationError('params.invalid', [
    faultAt(
      ['header', 'Idempotency-Key'],
      'The key must have 1 to 255 printable ASCII characters.',
      'idempotency_key',
    ),
  ]);
}

function listHasNoTag(): AppError {
  return new AppError('record.precondition_failed', {
    detail: 'A list has no ETag, so If-Match cannot match.',
    hint: 'Send the request without If-Match.',
  });
}

function reject(visible: string, message: string, type: string): Error {
  return validationError(
    'params.invalid',
    [faultAt(['header', visible], message, type)],
    `To write without a condition, omit ${visible}.`,
  );
}

function toText(header: string | readonly string[] | undefined): string {
  if (header === undefined) return '';
  return typeof header === 'string' ? header : header.join(',');
}

/** Throws 406 if JSON is not acceptable. */
export function checkAccept(headers: RawRequest['headers']): void {
  negotiateFormat(toText(headers['accept']), false);
}

/**
 * Parses `If-Match`. Returns null without the header. Tags that this API cannot have created match nothing.
 * Weak tags do not match either, because `If-Match` requires the strong comparison.
 */
export function parseIfMatch(headers: RawRequest['headers']): TagList | null {
  return parseTags('If-Match', headers['if-match'], false);
}

/** Parses `If-None-Match`, which uses the weak comparison. Returns null without the header. */
export function parseIfNoneMatch(headers: RawRequest['headers']): TagList | null {
  return parseTags('If-None-Match', headers['if-none-match'], true);
}

function parseTags(name: string, header: RawRequest['headers'][string], takesWeak: boolean): TagList | null {
  if (header === undefined) return null;
  const text = (typeof header === 'string' ? header : header.join(',')).trim();
  if (text === '*') return { kind: 'any' };
  const parts = text.split(',', TAGS_MAX + 1).map((part) => part.trim());
  if (parts.length > TAGS_MAX) throw badHeader(name, `${name} can have at most ${TAGS_MAX} tags.`);
  const tags: RecordTag[] = [];
  for (const part of parts) {
    const entity = ENTITY_TAG.exec(part);
    if (entity === null)
      throw badHeader(name, `${name} must be * or a list of tags in double quotes, as returned in ETag.`);
    const record = entity[1] === undefined || takesWeak ? RECORD_TAG.exec(entity[2] ?? '') : null;
    if (record !== null) tags.push({ snapshot: Number(record[1]), digest: record[2] ?? '' });
  }
  return { kind: 'tags', tags };
}

function badHeader(name: string, message: string): Error {
  return validationError(
    'params.invalid',
    [faultAt(['header', name], message, 'etag')],
    `Send the ETag unchanged, with its quotes: ${name}: "1.xxxx"`,
  );
}

/**
 * Returns the supported format that the `Accept` header prefers. If quality values are equal, a named type is
 * preferred to `*`, and an earlier type to a later one. Throws 406 if no listed type is supported.
 */
export function negotiateFormat(accept: string, canStream: boolean): ResponseFormat {
  if (accept === '' || accept === '*/*' || accept === 'application/json') return 'json';
  let best: ResponseFormat | null = null;
  let bestWeight = 0;
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((chunk) => chunk.trim().toLowerCase());
    const format = formatOf(type, canStream);
    const weight = format === null ? 0 : classifyCost(parameters) + (ANY_TYPES.has(type) ? 0 : 1e-6);
    if (weight <= bestWeight || weight <= 1e-6) continue;
    best = format;
    bestWeight = weight;
  }
  if (best !== null) return best;
  const isStream = accept
    .split(',')
    .some((part) => ROWS_TYPES.has((part.split(';')[0] ?? '').trim().toLowerCase()));
  throw new AppError('request.not_acceptable', {
    hint: isStream
      ? 'Only lists can be streamed. Send Accept: application/json.'
      : 'Send Accept: application/json.',
  });
}

function formatOf(type: string, canStream: boolean): ResponseFormat | null {
  if (JSON_TYPES.has(type) || ANY_TYPES.has(type)) return 'json';
  return canStream ? (ROWS_TYPES.get(type) ?? null) : null;
}

function classifyCost(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return quality === undefined ? 1 : Math.min(1, Number(quality.slice(2)) || 0);
}

/**
 * Parses `Prefer`. Throws 422 for a known preference with an invalid value. Unknown preferences are ignored,
 * as RFC 7240 requires.
 */
export function parsePreferences(headers: RawRequest['headers'], isWrite: boolean): Preferences {
  const header = headers['prefer'];
  if (header === undefined) return NONE;
  const chosen = new Map<string, string>();
  for (const part of (typeof header === 'string' ? header : header.join(',')).split(',')) {
    const [name = '', value = ''] = (part.split(';')[0] ?? '').split('=').map((chunk) => chunk.trim());
    const values = KNOWN.get(name.toLowerCase());
    const isCount = name.toLowerCase() === 'max-affected';
    if ((values === undefined && !isCount) || chosen.has(name.toLowerCase())) continue;
    const plain = value.replace(/^"(.*)"$/, '$1');
    if (isCount && !/^\d{1,15}$/.test(plain))
      throw badPreference(name, [`a number up to ${MAX_AFFECTED_MAX}`]);
    if (isCount && Number(plain) > MAX_AFFECTED_MAX) throw tooManyAffected();
    if (values !== undefined && !values.includes(plain)) throw badPreference(name, values);
    chosen.set(name.toLowerCase(), plain);
  }
  if (!isWrite) for (const name of WRITE_ONLY) chosen.delete(name);
  const most = chosen.get('max-affected');
  const resolution = chosen.get('resolution');
  return {
    result: (chosen.get('return') as Preferences['result'] | undefined) ?? null,
    transaction: chosen.get('tx') === 'rollback' ? 'rollback' : 'commit',
    numbers: chosen.get('numbers') === 'string' ? 'string' : 'json',
    maxAffected: most === undefined ? null : Number(most),
    resolution: resolution === undefined ? null : resolution === 'ignore-duplicates' ? 'ignore' : 'merge',
    formulas: chosen.get('csv-formulas') === 'escape' ? 'escape' : 'keep',
    onError: (chosen.get('on-error') as Preferences['onError'] | undefined) ?? null,
    applied: [...chosen].map(([name, value]) => `${name}=${value}`),
  };
}

function tooManyAffected(): Error {
  return validationError('limit.filtered_rows', [
    faultAt(
      ['header', 'Prefer'],
      `A write by filter can change at most ${MAX_AFFECTED_MAX} records.`,
      'less_than_equal',
    ),
  ]);
}

function badPreference(name: string, values: readonly string[]): Error {
  return validationError('params.invalid', [
    faultAt(['header', 'Prefer'], `The preference ${name} must be ${values.join(' or ')}.`, 'preference'),
  ]);
}
