import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type { RawRequest } from './api-request.js';

const SERVED_TYPES = new Set(['application/json', 'application/problem+json', 'application/*', '*/*']);

/** 406 where no JSON is wanted; 422 for conditions on a write that would otherwise be left unheard. */
export function checkHeaders(headers: RawRequest['headers'], isWrite: boolean): void {
  checkAccept(toText(headers['accept']));
  if (!isWrite) return;
  for (const [name, shown] of [['if-match', 'If-Match'], ['idempotency-key', 'Idempotency-Key']] as const) {
    if (headers[name] === undefined) continue;
    throw validationError(
      'params.invalid',
      [faultAt(['header', shown], `${shown} is not served yet: this write was not made.`, 'not_served')],
      `Send the write without ${shown} if it need not be conditional.`,
    );
  }
}

function toText(header: string | readonly string[] | undefined): string {
  if (header === undefined) return '';
  return typeof header === 'string' ? header : header.join(',');
}

function checkAccept(accept: string): void {
  if (accept.trim() === '') return;
  const isServed = accept.split(',').some((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return SERVED_TYPES.has(type) && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
  if (!isServed) throw new AppError('request.not_acceptable', { hint: 'Send Accept: application/json.' });
}
