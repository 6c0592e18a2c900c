/** Runs checks of one subject, one at a time. */
export interface Looks {
  /** Waits for the check in progress, or begins one. Never rejects. */
  look(): Promise<void>;
  /** Waits for a check that begins after this call. Never rejects. */
  lookAnew(): Promise<void>;
}

/**
 * Creates checks that report only the first failure in a row to `onFault`. Otherwise a server that is down
 * would be reported four times a second.
 */
export function createLooks(lookOnce: () => Promise<void>, onFault: (error: unknown) => void): Looks {
  let running: Promise<void> | null = null;
  let isFailing = false;

  async function run(): Promise<void> {
    try {
      await lookOnce();
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
    look,
    async lookAnew() {
      await running;
      await look();
    },
  };
}
