import { faultAt, FAULTS_MAX, validationError, type ErrorCode, type FieldFault } from '@rowhouse/errors';

const HINTS_MAX = 5;
/** Looking for what a name may have meant costs more the more names there are, and a request may hold many wrong ones. */
const HINTS_TRIED_MAX = 10;

/** Names and values are told as they were sent, and a body may hold megabytes of one. */
const PLACE_LENGTH_MAX = 300;
const MESSAGE_LENGTH_MAX = 1_000;

function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}…`;
}

function cutPlace(place: string | number): string | number {
  return typeof place === 'number' ? place : cut(place, PLACE_LENGTH_MAX);
}

/** How often hints are still looked for; lists of faults that are told together share one. */
export interface HintBudget {
  left: number;
}

export function createHintBudget(): HintBudget {
  return { left: HINTS_TRIED_MAX };
}

/** Collects everything that is wrong with a request, so that one answer names it all. */
export interface FaultList {
  /** `limit`: the code of the answer where nothing else is wrong. */
  add(loc: readonly (string | number)[], msg: string, type: string, hint?: string | null, limit?: ErrorCode): void;
  isFull(): boolean;
  /** Whether a hint is worth looking for once more: only a few are told. */
  wantsHint(): boolean;
  /** Throws the 422 when anything was added. */
  throwIfAny(): void;
}

export function createFaultList(code: ErrorCode, budget: HintBudget = createHintBudget()): FaultList {
  const faults: FieldFault[] = [];
  const hints: string[] = [];
  const codes = new Set<ErrorCode>();
  return {
    add(loc, msg, type, hint = null, limit = code) {
      codes.add(limit);
      if (faults.length < FAULTS_MAX) faults.push(faultAt(loc.map(cutPlace), cut(msg, MESSAGE_LENGTH_MAX), type));
      if (hint !== null && hints.length < HINTS_MAX && !hints.includes(hint)) hints.push(hint);
    },
    isFull: () => faults.length >= FAULTS_MAX,
    wantsHint: () => hints.length < HINTS_MAX && (budget.left -= 1) >= 0,
    throwIfAny() {
      if (faults.length > 0) throw validationError(codes.size === 1 ? ([...codes][0] ?? code) : code, faults, hints.length === 0 ? undefined : hints.join(' '));
    },
  };
}
