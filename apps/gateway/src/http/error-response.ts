import { toAppError, toErrorBody, toProblemBody, type AppError } from '@rowhouse/errors';
import type { GatewayResponse } from './gateway-request.js';

/**
 * The headers of all responses, including errors. They let scripts of any origin read the responses, because
 * the API uses no cookies.
 */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, X-Has-More, X-Next-Cursor, X-Total-Count, X-Truncated, ETag, Location, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, ' +
    'X-Request-Id, X-Generated-SQL, X-Generated-Params, X-Query-Source, X-Question-Id, Idempotent-Replayed, Preference-Applied, Server-Timing',
  Vary: 'Authorization, X-API-Key, X-Gibson-API-Key, Accept, Accept-Encoding, Prefer, Origin',
  'X-Content-Type-Options': 'nosniff',
};

const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Max-Age': '7200',
};

/** The headers allowed by a preflight that does not list any. */
const ALLOWED_HEADERS =
  'Authorization, X-API-Key, X-Gibson-API-Key, Content-Type, Accept, Prefer, If-Match, If-None-Match, Idempotency-Key, X-Request-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name';

/** Matches header names and their separators, but nothing that could end a header. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, \t-]{1,4096}$/;

export const CACHE_PRIVATE = 'private, no-cache';

export const CACHE_NEVER = 'no-store';

/**
 * Converts a thrown value to a response. A value other than an AppError is a defect. The response then has
 * the status 500 and does not contain the text of the error.
 */
export function toErrorResponse(
  thrownError: unknown,
  requestId: string,
  accept: string | undefined,
): { response: GatewayResponse; error: AppError } {
  const error = toAppError(thrownError);
  const isProblem = accept !== undefined && accept.includes('application/problem+json');
  const body = isProblem ? toProblemBody(error, requestId) : toErrorBody(error, requestId);
  const headers: Record<string, string> = {
    'Content-Type': isProblem ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8',
    'Cache-Control': CACHE_NEVER,
    ...error.headers,
  };
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
  return { response: { status: error.status, headers, body: JSON.stringify(body) }, error };
}

/**
 * Returns the headers of the response to a preflight, which has no key. All requested headers are allowed.
 * Tracing tools and proxies add their own headers, and headers that this API does not use have no effect.
 */
export function preflightHeaders(requested: string | undefined): Readonly<Record<string, string>> {
  const isReflected = requested !== undefined && HEADER_NAMES.test(requested);
  return {
    ...PREFLIGHT_HEADERS,
    'Access-Control-Allow-Headers': isReflected ? requested : ALLOWED_HEADERS,
    Vary: `${COMMON_HEADERS['Vary'] ?? ''}, Access-Control-Request-Headers`,
  };
}

/** Percent-encodes the text as UTF-8 if a header cannot contain it. */
export function toHeaderText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes('%') ? text : encodeURI(text).replaceAll('%20', ' ');
}
