/** A pause of the requests of one database in this process. */
export interface RequestPause {
  /** Resolves with true when the pause is over, and with false when the maximum waiting time has passed. */
  wait(): Promise<boolean>;
  /** Calls `check` after `remainingMs`, when the pause ends by itself, and once a second until then. */
  checkAgainIn(remainingMs: number): void;
  end(): void;
}

/**
 * The maximum time in milliseconds for which a request waits. It begins when the process is informed about
 * the pause.
 */
const WAIT_MS_MAX = 5_000;
const CHECK_INTERVAL_MS = 1_000;

export function createRequestPause(check: () => void): RequestPause {
  let settle: (isFinished: boolean) => void = () => undefined;
  const over = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const giveUp = setTimeout(() => settle(false), WAIT_MS_MAX).unref();
  let checkTimer: NodeJS.Timeout | undefined;
  return {
    wait: () => over,
    checkAgainIn(remainingMs) {
      clearTimeout(checkTimer);
      checkTimer = setTimeout(check, Math.min(remainingMs + 1, CHECK_INTERVAL_MS)).unref();
    },
    end() {
      clearTimeout(giveUp);
      clearTimeout(checkTimer);
      settle(true);
    },
  };
}
