import { setTimeout as pause } from 'node:timers/promises';

/** A pause between two locks on busy tables lets the waiting statements of the first one run. */
const REST_MS = 60;

export function pauseBetweenLocks(): Promise<void> {
  return pause(REST_MS);
}
