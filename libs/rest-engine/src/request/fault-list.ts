import { faultAt, validationError, type ErrorCode, type FieldFault } from '@rowhouse/errors';

/** Beyond this many a caller is not helped by more. */
const FAULTS_MAX = 100;

/** Collects everything that is wrong with a request, so that one answer names it all. */
export interface FaultList {
  add(loc: readonly (string | number)[], msg: string, type: string, hint?: string | null): void;
  isFull(): boolean;
  /** Throws the 422 when anything was added. */
  throwIfAny(): void;
}

export function createFaultList(code: ErrorCode): FaultList {
  const faults: FieldFault[] = [];
  const hints: string[] = [];
  return {
    add(loc, msg, type, hint = null) {
      if (faults.length < FAULTS_MAX) faults.push(faultAt(loc, msg, type));
      if (hint !== null && hints.length < 5 && !hints.includes(hint)) hints.push(hint);
    },
    isFull: () => faults.length >= FAULTS_MAX,
    throwIfAny() {
      if (faults.length > 0) throw validationError(code, faults, hints.length === 0 ? undefined : hints.join(' '));
    },
  };
}
