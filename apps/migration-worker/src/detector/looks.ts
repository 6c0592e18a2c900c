/** Looks at one thing, one at a time. */
export interface Looks {
  /** The look that is under way, or one that begins now. Never rejects. */
  look(): Promise<void>;
  /** A look that begins after this call. Never rejects. */
  lookAnew(): Promise<void>;
}

/** `onFault` is called with the first of failures in a row: what is away would fail four times a second. */
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
