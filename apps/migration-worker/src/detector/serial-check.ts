/** Runs the checks of one subject, never two at the same time. */
export interface SerialCheck {
  /** Waits for the check in progress, or starts one. Never rejects. */
  check(): Promise<void>;
  /** Waits for a check that begins after this call. Never rejects. */
  checkAgain(): Promise<void>;
  /** Waits for the check in progress, if there is one. Never rejects. */
  finish(): Promise<void>;
}

/**
 * Creates checks that report only the first of consecutive failures to `onFault`. Otherwise a server that is
 * down would be reported four times a second.
 */
export function createSerialCheck(
  checkOnce: () => Promise<void>,
  onFault: (error: unknown) => void,
): SerialCheck {
  let running: Promise<void> | null = null;
  let isFailing = false;

  async function run(): Promise<void> {
    try {
      await checkOnce();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFault(error);
      isFailing = true;
    }
    running = null;
  }

  function look(): Promise<void> {
    running ??= run();
    return running;
  }

  return {
    check: look,
    async checkAgain() {
      await running;
      await look();
    },
    finish: async () => void (await running),
  };
}
