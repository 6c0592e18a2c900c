import type { AdminConnection } from '@rowhouse/mysql';

/** A session that is opened when it is first needed, and again when it was lost. */
export interface LazyConnection {
  get(): Promise<AdminConnection>;
  close(): Promise<void>;
}

export function createLazyConnection(open: () => Promise<AdminConnection>): LazyConnection {
  let current: AdminConnection | null = null;
  return {
    async get() {
      if (current === null || current.isLost()) current = await open();
      return current;
    },
    async close() {
      await current?.close();
      current = null;
    },
  };
}
