/** Requests that a worker inspects a database again, at most once a second for each database. */
export interface Detection {
  /** Resolves to whether a newer snapshot than `number` became live within a second. */
  awaitNewer(databaseId: string, number: number): Promise<boolean>;
}

export interface DetectionOptions {
  /** Sends the request as a message and a row. Never throws. */
  readonly request: (databaseId: string) => void;
  readonly waitForNewer: (databaseId: string, number: number, timeoutMs: number) => Promise<boolean>;
}

const WAIT_MS = 1_000;
const REPEAT_AFTER_MS = 1_000;

export function createDetection(options: DetectionOptions): Detection {
  const requested = new Map<
    string,
    { readonly number: number; readonly endedAtMs: number | null; readonly outcome: Promise<boolean> }
  >();

  function request(databaseId: string, number: number): Promise<boolean> {
    options.request(databaseId);
    const outcome = options.waitForNewer(databaseId, number, WAIT_MS);
    requested.set(databaseId, { number, endedAtMs: null, outcome });
    void outcome.then(
      () => requested.set(databaseId, { number, endedAtMs: performance.now(), outcome }),
      () => requested.delete(databaseId),
    );
    setTimeout(() => requested.delete(databaseId), WAIT_MS + REPEAT_AFTER_MS).unref();
    return outcome;
  }

  return {
    awaitNewer(databaseId, number) {
      const last = requested.get(databaseId);
      const isRecent =
        last !== undefined &&
        last.number === number &&
        (last.endedAtMs === null || performance.now() - last.endedAtMs < REPEAT_AFTER_MS);
      return isRecent ? last.outcome : request(databaseId, number);
    },
  };
}
