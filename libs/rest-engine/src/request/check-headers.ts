import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type { ApiRequest, RawRequest } from './api-request.js';
import { negotiateFormat, type ResponseFormat } from './negotiate-format.js';

const CONDITIONS = [
  ['if-match', 'If-Match'],
  ['if-none-match', 'If-None-Match'],
] as const;

/**
 * Returns the format of the response. Throws 406 if no format is acceptable, and 412 or 422 for conditions
 * that would otherwise be ignored.
 */
export function checkHeaders(headers: RawRequest['headers'], kind: ApiRequest['kind']): ResponseFormat {
  const format = negotiateFormat(toText(headers['accept']), kind === 'list');
  // A list has no tag, so no tag in the header can match. A stream has already started when its content is
  // known.
  if (kind === 'list' && headers['if-match'] !== undefined && toText(headers['if-match']).trim() !== '*')
    throw listHasNoTag();
  if (kind === 'list' || kind === 'read' || kind === 'update' || kind === 'delete') return format;
  for (const [name, visible] of CONDITIONS) {
    if (headers[name] !== undefined)
      throw reject(
        visible,
        `${visible} is a condition on one record: this write was not made.`,
        'no_meaning',
      );
  }
  return format;
}

/**
 * Returns the idempotency key of a write. Returns null without the header and for reads, which have no effect
 * to repeat.
 */
export function parseIdempotencyKey(headers: RawRequest['headers'], isWrite: boolean): string | null {
  if (!isWrite || headers['idempotency-key'] === undefined) return null;
  const key = toText(headers['idempotency-key']);
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw validationError('params.invalid', [
    faultAt(
      ['header', 'Idempotency-Key'],
      'The key is 1 to 255 printable ASCII characters.',
      'idempotency_key',
    ),
  ]);
}

function listHasNoTag(): AppError {
  return new AppError('record.precondition_failed', {
    detail: 'A list has no ETag, so If-Match names none of its versions.',
    hint: 'Send the request without If-Match.',
  });
}

function reject(visible: string, message: string, type: string): Error {
  return validationError(
    'params.invalid',
    [faultAt(['header', visible], message, type)],
    `Send the write without ${visible} if it need not be conditional.`,
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
