/** A pause of one database's requests, as far as this process knows it. */
export interface RequestPause {
  /** Resolves with true when the pause is over, and with false when requests have waited long enough. */
  wait(): Promise<boolean>;
  /** Looks again when the pause ends by itself, in `leftMs`, and once a second before that. */
  lookAgainIn(leftMs: number): void;
  end(): void;
}

/** The longest time for which requests wait, from the moment when the process learns of the pause. */
const WAIT_MS_MAX = 5_000;
const LOOK_INTERVAL_MS = 1_000;

export function createRequestPause(look: () => void): RequestPause {
  let settle: (isOver: boolean) => void = () => undefined;
  const over = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const giveUp = setTimeout(() => settle(false), WAIT_MS_MAX).unref();
  let looking: NodeJS.Timeout | undefined;
  return {
    wait: () => over,
    lookAgainIn(leftMs) {
      clearTimeout(looking);
      looking = setTimeout(look, Math.min(leftMs + 1, LOOK_INTERVAL_MS)).unref();
    },
    end() {
      clearTimeout(giveUp);
      clearTimeout(looking);
      settle(true);
    },
  };
}
