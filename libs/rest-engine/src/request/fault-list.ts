import { faultAt, validationError, type ErrorCode, type FieldFault } from '@rowhouse/errors';

/** Beyond this many a caller is not helped by more. */
const FAULTS_MAX = 100;

/** Collects everything that is wrong with a request, so that one answer names it all. */
export interface FaultList {
  /** `limit`: the code of the answer where nothing else is wrong. */
  add(loc: readonly (string | number)[], msg: string, type: string, hint?: string | null, limit?: ErrorCode): void;
  isFull(): boolean;
  /** Throws the 422 when anything was added. */
  throwIfAny(): void;
}

export function createFaultList(code: ErrorCode): FaultList {
  const faults: FieldFault[] = [];
  const hints: string[] = [];
  const codes = new Set<ErrorCode>();
  return {
    add(loc, msg, type, hint = null, limit = code) {
      codes.add(limit);
      if (faults.length < FAULTS_MAX) faults.push(faultAt(loc, msg, type));
      if (hint !== null && hints.length < 5 && !hints.includes(hint)) hints.push(hint);
    },
    isFull: () => faults.length >= FAULTS_MAX,
    throwIfAny() {
      if (faults.length > 0) throw validationError(codes.size === 1 ? ([...codes][0] ?? code) : code, faults, hints.length === 0 ? undefined : hints.join(' '));
    },
  };
}
