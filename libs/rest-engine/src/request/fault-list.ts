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
 * The maximum number of name suggestions per request. Each search takes longer the more names there are, and
 * a request may contain many unknown names.
 */
const HINTS_TRIED_MAX = 10;

/**
 * The maximum length of a name or value in a fault. Faults repeat names and values as sent, and a single
 * value may have megabytes.
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
 * The number of remaining searches for suggestions. Fault lists that are reported together share one budget.
 */
export interface HintBudget {
  left: number;
}

export function createHintBudget(): HintBudget {
  return { left: HINTS_TRIED_MAX };
}

/** Collects all faults of a request, so that one response reports them together. */
export interface FaultList {
  /** Adds a fault. `limit` is the code of the response if all faults have this code. */
  add(
    loc: readonly (string | number)[],
    msg: string,
    type: string,
    hint?: string | null,
    limit?: ErrorCode,
  ): void;
  isFull(): boolean;
  /** Reports whether to search for one more suggestion. Only a few are reported. */
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
 * Runs `callback` on parameters that came in a body. Faults located in the query are relocated to the body.
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
 * Runs `callback` for one operation of a batch. Adds the index of the operation, from 0, to an AppError that
 * it throws.
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
