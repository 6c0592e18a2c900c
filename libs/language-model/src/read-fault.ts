import { ModelFault, type ModelFaultKind } from './model-fault.js';

/** The parts that the errors of all servers have in common. */
export interface ErrorParts {
  /** The HTTP status. It is 0 if the server did not respond, and for an error inside a 200 response. */
  readonly status: number;
  readonly code: string;
  readonly type: string;
  readonly param: string;
  readonly message: string;
  readonly headers: Headers | null;
}

const TOO_LONG =
  /context[_ ]length|maximum context|context (?:size|window)|prompt is too long|too many tokens|token limit|exceeds? the (?:available )?context|reduce the length/;
const REJECTED = /content[_ ]?(?:filter|policy|management)|responsible ?ai|safety system|moderation/;
const QUOTA =
  /insufficient_quota|exceeded your current quota|billing|payment|credit|insufficient balance|quota exceeded for the month/;

/** Classifies an error by its status and by words that servers use in error messages. */
export function readFault(parts: ErrorParts, cause?: unknown): ModelFault {
  const message = `${parts.param} ${parts.code} ${parts.type} ${parts.message}`.toLowerCase().slice(0, 2_000);
  const retryAfterMs = parts.headers === null ? null : readRetryAfter(parts.headers, Date.now());
  return new ModelFault(findKind(parts.status, message), message, retryAfterMs, { cause });
}

function findKind(status: number, message: string): ModelFaultKind {
  if (status === 401 || status === 403)
    return REJECTED.test(message) ? 'refused' : QUOTA.test(message) ? 'quota' : 'key';
  if (status === 402) return 'quota';
  if (status === 429) return QUOTA.test(message) ? 'quota' : TOO_LONG.test(message) ? 'too_long' : 'busy';
  if (status === 404) return 'unknown_model';
  if (status === 413) return 'too_long';
  if (status === 400 || status === 422 || status === 405 || status === 415 || status === 501)
    return findFormKind(message);
  if (status >= 500 && /response_format|json_schema|grammar|max_completion_tokens/.test(message))
    return 'form';
  if (status === 0 && QUOTA.test(message)) return 'quota';
  return 'transport';
}

function findFormKind(message: string): ModelFaultKind {
  if (TOO_LONG.test(message)) return 'too_long';
  if (REJECTED.test(message)) return 'refused';
  return /model[_ ]not[_ ]found|(?:unknown|invalid|no such) model|model\b.{0,40}\b(?:does not exist|not found)/.test(
    message,
  )
    ? 'unknown_model'
    : 'form';
}

/**
 * Returns the delay in the header `retry-after-ms` or `retry-after` in milliseconds. Returns null if neither
 * header is present.
 */
export function readRetryAfter(headers: Headers, nowMs: number): number | null {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1_000 : null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
