import { AppError, type FaultLocation, type FieldFault } from './app-error.js';
import { ERROR_CODES, type ErrorCode } from './codes.js';

export interface ErrorBody {
  readonly detail: string | readonly FieldFault[];
  readonly code: ErrorCode;
  readonly request_id: string;
  readonly hint?: string;
}

/**
 * Returns a thrown AppError unchanged. Any other thrown value becomes the error `internal.defect`, with its
 * stack for the log.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const internal = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new AppError('internal.defect', { internal, cause: error });
}

/**
 * Returns the default response body of an error. With status 422, `detail` is a list of faults. Otherwise, it
 * is a sentence.
 */
export function toErrorBody(error: AppError, requestId: string): ErrorBody & Record<string, unknown> {
  const detail =
    error.status === 422
      ? (error.faults ?? [{ loc: [], msg: error.detail, type: error.code }])
      : error.detail;
  return {
    detail,
    code: error.code,
    request_id: requestId,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...error.extra,
  };
}

/**
 * Returns the body of an error for `Accept: application/problem+json` (RFC 9457). `title` is the text of the
 * error code, and `detail` describes this occurrence. Each fault has a JSON pointer.
 */
export function toProblemBody(error: AppError, requestId: string): Record<string, unknown> {
  return {
    type: `urn:rowhouse:error:${error.code}`,
    title: ERROR_CODES[error.code].text,
    status: error.status,
    detail: error.faults === undefined ? error.detail : error.faults.map((fault) => fault.msg).join(' '),
    code: error.code,
    request_id: requestId,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.faults === undefined
      ? {}
      : {
          errors: error.faults.map((fault) => ({
            pointer: toPointer(fault.loc),
            detail: fault.msg,
            type: fault.type,
          })),
        }),
    ...error.extra,
  };
}

function toPointer(loc: FaultLocation): string {
  return loc.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
