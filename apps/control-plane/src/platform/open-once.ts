/** Something that is opened when it is first needed, and then stays open. */
export interface OpenedOnce<T> {
  /** One opening for all who ask meanwhile. One that fails is forgotten: whoever asks next tries anew. */
  get(): Promise<T>;
  /** What is open, or null; waits for an opening that is under way. */
  getOpen(): Promise<T | null>;
}

export function openOnce<T>(open: () => Promise<T>): OpenedOnce<T> {
  let opened: Promise<T> | null = null;
  return {
    get() {
      opened ??= open().catch((error: unknown) => {
        opened = null;
        throw error;
      });
      return opened;
    },
    getOpen: () => (opened === null ? Promise.resolve(null) : opened.catch(() => null)),
  };
}
