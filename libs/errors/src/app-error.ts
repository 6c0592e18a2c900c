import { ERROR_CODES, type ErrorCode } from './codes.js';

/** Told of one request: a caller who sends more has more to mend than a list helps with, and a short body would have a long answer. */
export const FAULTS_MAX = 100;

/** One element of the 422 list form, as clients of FastAPI-like services read it. */
export interface FieldFault {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

export interface AppErrorOptions {
  /** A sentence for the caller; the table's own text otherwise. */
  readonly detail?: string;
  /** The way out: the nearest known name, the header to send, the limit that applies. */
  readonly hint?: string;
  /** 422 only. */
  readonly faults?: readonly FieldFault[];
  /** Seconds, for `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Extra response headers (`Allow`, `WWW-Authenticate`). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extra public members of the body (`operation`, `candidates`). */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** For the log alone; never reaches a body. */
  readonly internal?: string;
  readonly cause?: unknown;
}

/** The one error class. Anything else that is thrown is a defect and answers 500. */
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

/** A 422 with a list of faults; `code` tells the area. */
export function validationError(code: ErrorCode, faults: readonly FieldFault[], hint?: string): AppError {
  return new AppError(code, hint === undefined ? { faults } : { faults, hint });
}

/** `["query", name]` or `["body", …path]` with its message: the common single-fault 422. */
export function faultAt(loc: readonly (string | number)[], msg: string, type: string): FieldFault {
  return { loc, msg, type };
}

/** The same error with more public members in its body. */
export function addExtra(error: AppError, extra: Readonly<Record<string, unknown>>): AppError {
  return changeError(error, { extra: { ...error.extra, ...extra } });
}

/** Returns a copy of the error in which `changes` replace what it had. */
export function changeError(error: AppError, changes: AppErrorOptions): AppError {
  const { code, detail, hint, faults, retryAfterSeconds, headers, extra, internal, cause } = error;
  return new AppError(code, { detail, hint, faults, retryAfterSeconds, headers, extra, internal, cause, ...changes });
}
