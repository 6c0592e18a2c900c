/** Login windows: periods in which an account that is normally locked accepts logins. */
export interface LoginWindows {
  /** Unlocks the account, runs `callback`, and locks the account again after the last concurrent user. */
  use<T>(key: string, account: WindowedAccount, callback: () => Promise<T>): Promise<T>;
  /** Waits until all accounts that are being locked are locked. */
  close(): Promise<void>;
}

export interface WindowedAccount {
  readonly unlock: () => Promise<void>;
  readonly lock: () => Promise<void>;
}

/** Creates windows that the sessions of this process share. Other processes open their own windows. */
export function createLoginWindows(onLockFailed: (key: string, error: unknown) => void): LoginWindows {
  const windows = new Map<string, { users: number; readonly opened: Promise<void> }>();
  const closing = new Map<string, Promise<void>>();

  function leave(key: string, lock: () => Promise<void>): void {
    windows.delete(key);
    const closed: Promise<void> = lock()
      .catch((error: unknown) => onLockFailed(key, error))
      .finally(() => {
        if (closing.get(key) === closed) closing.delete(key);
      });
    closing.set(key, closed);
  }

  return {
    async use(key, { unlock, lock }, callback) {
      let window = windows.get(key);
      if (window === undefined) {
        // The unlock must not run before the lock that ends the previous login window.
        window = { users: 0, opened: (closing.get(key) ?? Promise.resolve()).then(unlock) };
        windows.set(key, window);
      }
      window.users += 1;
      try {
        await window.opened;
        return await callback();
      } finally {
        window.users -= 1;
        if (window.users === 0) leave(key, lock);
      }
    },
    async close() {
      await Promise.all(closing.values());
    },
  };
}
