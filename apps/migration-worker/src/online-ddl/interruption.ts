import type { AppError } from '@rowhouse/errors';
import { readServerFault } from '@rowhouse/mysql';
import { LeaseLostError } from '@rowhouse/platform-store';

/** The run broke off without an answer: whoever claims it next finds out from what stands what happened. */
export function isInterruption(error: unknown): boolean {
  if (error instanceof LeaseLostError) return true;
  if (error instanceof Error && error.name === 'AbortError') return true;
  if ((error as AppError).code === 'db.unavailable' || (error as AppError).code === 'platform.unavailable') return true;
  return readServerFault(error)?.isConnectionLost ?? false;
}
