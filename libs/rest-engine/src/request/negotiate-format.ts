import { AppError } from '@rowhouse/errors';
import type { RowsFormat } from '../import/record-splitter.js';

/** The format of the records in a response. */
export type ResponseFormat = 'json' | RowsFormat;

const JSON_TYPES = new Set(['application/json', 'application/problem+json']);
const ANY_TYPES = new Set(['application/*', '*/*']);
/** The media types of many records, in responses and in bodies. */
export const ROWS_TYPES: ReadonlyMap<string, RowsFormat> = new Map([
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  ['application/x-jsonlines', 'ndjson'],
  ['text/csv', 'csv'],
]);

/**
 * Returns the served format that `Accept` prefers. A named type wins over `*` with the same weight, and the
 * first of two equal types wins. Throws 406 if no type is served.
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
      ? 'Lists are streamed, single records and writes are not: send Accept: application/json.'
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
