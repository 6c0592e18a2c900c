import { addExtra, AppError } from '@rowhouse/errors';

/**
 * Runs `work` for one operation of a batch. Adds the index of the operation, from 0, to an AppError that it
 * throws.
 */
export function inOperation<T>(at: number, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw nameOperation(thrown, at);
  }
}

export function nameOperation(thrown: unknown, at: number): unknown {
  return thrown instanceof AppError ? addExtra(thrown, { operation: at }) : thrown;
}
