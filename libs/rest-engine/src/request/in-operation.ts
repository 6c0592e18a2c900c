import { addExtra, AppError } from '@rowhouse/errors';

/** Runs `work` for the operation of a batch at this place, from 0: an AppError that it throws then says which one it is. */
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
