import {
  addExtra,
  AppError,
  type ErrorCode,
  faultAt,
  FAULTS_MAX,
  type FieldFault,
  validationError,
} from '@rowhouse/errors';

const HINTS_MAX = 5;
/**
 * The maximum number of searches for similar names per request. Each search takes longer the more names there
 * are, and a request may contain many unknown names.
 */
const HINTS_TRIED_MAX = 10;

/**
 * The maximum length of a name or value that a fault quotes. A single value of a request may have megabytes.
 */
const PLACE_LENGTH_MAX = 300;
const MESSAGE_LENGTH_MAX = 1_000;

function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}…`;
}

function cutPosition(position: string | number): string | number {
  return typeof position === 'number' ? position : cut(position, PLACE_LENGTH_MAX);
}

/**
 * The number of searches for similar names that are still allowed. Fault lists that are reported together
 * share this budget.
 */
export interface HintBudget {
  left: number;
}

export function createHintBudget(): HintBudget {
  return { left: HINTS_TRIED_MAX };
}

/** Collects all faults of a request, so that one error response reports them together. */
export interface FaultList {
  /**
   * Adds a fault. If all faults of the list have the same `limit`, it becomes the error code of the response.
   */
  add(
    loc: readonly (string | number)[],
    msg: string,
    type: string,
    hint?: string | null,
    limit?: ErrorCode,
  ): void;
  isFull(): boolean;
  /** Reports whether to search for another similar name. The number of searches per request is limited. */
  wantsHint(): boolean;
  /** Throws the 422 error if the list contains faults. */
  throwIfAny(): void;
}

export function createFaultList(code: ErrorCode, budget: HintBudget = { left: HINTS_TRIED_MAX }): FaultList {
  const faults: FieldFault[] = [];
  const hints: string[] = [];
  const codes = new Set<ErrorCode>();
  return {
    add(loc, msg, type, hint = null, limit = code) {
      codes.add(limit);
      if (faults.length < FAULTS_MAX)
        faults.push(faultAt(loc.map(cutPosition), cut(msg, MESSAGE_LENGTH_MAX), type));
      if (hint !== null && hints.length < HINTS_MAX && !hints.includes(hint)) hints.push(hint);
    },
    isFull: () => faults.length >= FAULTS_MAX,
    wantsHint: () => hints.length < HINTS_MAX && (budget.left -= 1) >= 0,
    throwIfAny() {
      if (faults.length > 0)
        throw validationError(
          codes.size === 1 ? ([...codes][0] ?? code) : code,
          faults,
          hints.length === 0 ? undefined : hints.join(' '),
        );
    },
  };
}

/**
 * Runs `callback` on query parameters that the client sent in the request body. If it throws faults, their
 * location `query` is replaced with `body`.
 */
export function inBody<T>(callback: () => T): T {
  try {
    return callback();
  } catch (error) {
    if (!(error instanceof AppError) || error.faults === undefined) throw error;
    const { code, hint, extra, internal, cause } = error;
    const faults = error.faults.map((fault) =>
      fault.loc[0] === 'query' ? { ...fault, loc: ['body', ...fault.loc.slice(1)] } : fault,
    );
    throw new AppError(code, {
      ...(hint === undefined ? {} : { hint }),
      faults,
      extra,
      ...(internal === undefined ? {} : { internal }),
      cause,
    });
  }
}

/**
 * Runs `callback` for one operation of a batch. If it throws an AppError, the zero-based index of the
 * operation is added to the error.
 */
export function inOperation<T>(position: number, callback: () => T): T {
  try {
    return callback();
  } catch (error) {
    throw nameOperation(error, position);
  }
}

export function nameOperation(error: unknown, position: number): unknown {
  return error instanceof AppError ? addExtra(error, { operation: position }) : error;
}
