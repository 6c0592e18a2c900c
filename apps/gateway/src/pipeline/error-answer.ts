import { toAppError, toErrorBody, toProblemBody, type AppError } from '@rowhouse/errors';
import type { GatewayResponse } from './gateway-request.js';
import { CACHE_NEVER } from './response-headers.js';

/**
 * Converts a thrown value to a response. Anything but an AppError is a defect: the status is 500, and its
 * text is not sent.
 */
export function toErrorResponse(
  thrownError: unknown,
  requestId: string,
  accept: string | undefined,
): { answer: GatewayResponse; error: AppError } {
  const error = toAppError(thrownError);
  const isProblem = accept !== undefined && accept.includes('application/problem+json');
  const body = isProblem ? toProblemBody(error, requestId) : toErrorBody(error, requestId);
  const headers: Record<string, string> = {
    'Content-Type': isProblem ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8',
    'Cache-Control': CACHE_NEVER,
    ...error.headers,
  };
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
  return { answer: { status: error.status, headers, body: JSON.stringify(body) }, error };
}
