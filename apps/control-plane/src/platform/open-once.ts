/** A resource that is opened on first use and stays open. */
export interface OpenedOnce<T> {
  /**
   * Returns the resource and opens it if necessary. Concurrent callers share one attempt. After a failure,
   * the next caller tries again.
   */
  get(): Promise<T>;
  /** Returns the resource if it is open, or null. Waits for an attempt in progress. */
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
