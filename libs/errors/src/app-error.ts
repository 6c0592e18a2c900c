import { ERROR_CODES, type ErrorCode } from './codes.js';

/**
 * The maximum number of faults that are reported for one request. It limits the size of the response to a
 * body with many faults.
 */
export const FAULTS_MAX = 100;

/** The location of a fault in a request, such as `["query", name]` or `["body", index, name]`. */
export type FaultLocation = readonly (string | number)[];

/**
 * One element of the list `detail` in a 422 response. Its members are those of FastAPI's validation errors.
 */
export interface FieldFault {
  readonly loc: FaultLocation;
  readonly msg: string;
  readonly type: string;
}

export interface AppErrorOptions {
  /** A sentence for the caller. The default is the text of the error code. */
  readonly detail?: string;
  /** A remedy for the caller, for example a similar name, a header to send or a limit to stay within. */
  readonly hint?: string;
  /** The faults in individual parameters or members. Only used with status 422. */
  readonly faults?: readonly FieldFault[];
  /** The value of the `Retry-After` header in seconds. */
  readonly retryAfterSeconds?: number;
  /** Additional response headers, such as `Allow` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional public members of the response body, such as `operation` or `candidates`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** A text for the log. It is never part of a response. */
  readonly internal?: string;
  readonly cause?: unknown;
}

/**
 * The only error class that callers of the API see. Any other thrown value is a defect, and becomes a 500
 * response.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string;
  readonly hint: string | undefined;
  readonly faults: readonly FieldFault[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly internal: string | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    const entry = ERROR_CODES[code];
    super(options.internal ?? options.detail ?? entry.text, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = entry.status;
    this.detail = options.detail ?? entry.text;
    this.hint = options.hint;
    this.faults = options.faults;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
    this.internal = options.internal;
  }
}

/** Creates a 422 error with a list of faults. */
export function validationError(code: ErrorCode, faults: readonly FieldFault[], hint?: string): AppError {
  return new AppError(code, hint === undefined ? { faults } : { faults, hint });
}

/**
 * Throws `internal.defect` (500). Call it for a state that correct code never reaches.
 *
 * @param internal a description for the log
 */
export function defect(internal: string): never {
  throw new AppError('internal.defect', { internal });
}

/** Creates one fault of a 422 error. */
export function faultAt(loc: FaultLocation, msg: string, type: string): FieldFault {
  return { loc, msg, type };
}

/** Returns a copy of the error with additional public members in its response body. */
export function addExtra(error: AppError, extra: Readonly<Record<string, unknown>>): AppError {
  return changeError(error, { extra: { ...error.extra, ...extra } });
}

/** Returns a copy of the error in which `changes` replaces the given options. */
export function changeError(error: AppError, changes: AppErrorOptions): AppError {
  const { code, detail, hint, faults, retryAfterSeconds, headers, extra, internal, cause } = error;
  return new AppError(code, {
    detail,
    hint,
    faults,
    retryAfterSeconds,
    headers,
    extra,
    internal,
    cause,
    ...changes,
  });
}
