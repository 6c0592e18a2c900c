import { addExtra, AppError } from '@rowhouse/errors';

/**
 * Runs `callback` for one operation of a batch. Adds the index of the operation, from 0, to an AppError that it
 * throws.
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
