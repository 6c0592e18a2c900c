export function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, durationMs);
  });
}

/** Between two locks on tables in use, those who waited behind the first one are let through. */
const REST_MS = 60;

export function restBetweenLocks(): Promise<void> {
  return pause(REST_MS);
}
