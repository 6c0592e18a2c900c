import { validationError } from '@rowhouse/errors';

const LATEST_MS = Date.UTC(9999, 11, 31);

/**
 * Returns the time of the member `expires_at`, or null when it is absent. Throws 422 for a time in the past
 * or out of range.
 */
export function readExpiry(expiresAt: string | undefined, nowMs: number): Date | null {
  if (expiresAt === undefined) return null;
  const time = new Date(expiresAt);
  const isRetained = time.getTime() > nowMs && time.getTime() < LATEST_MS;
  if (isRetained) return time;
  const msg =
    time.getTime() >= LATEST_MS
      ? 'The time must be before the year 10000. Omit it for no expiry.'
      : 'The time must be in the future.';
  throw validationError('body.invalid', [{ loc: ['body', 'expires_at'], msg, type: 'value_error' }]);
}

/** Formats a time for responses. Null stays null. */
export function toIso(time: Date): string;

export function toIso(time: Date | null): string | null;

export function toIso(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}
