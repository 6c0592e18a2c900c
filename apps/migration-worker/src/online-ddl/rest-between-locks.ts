import { setTimeout as pause } from 'node:timers/promises';

/** Between two locks on tables in use, those who waited behind the first one are let through. */
const REST_MS = 60;

export function restBetweenLocks(): Promise<void> {
  return pause(REST_MS);
}
