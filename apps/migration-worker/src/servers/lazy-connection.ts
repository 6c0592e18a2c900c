import type { AdminConnection } from '@rowhouse/mysql';

/** A session that is opened when it is first needed, and again when it was lost. */
export interface LazyConnection {
  get(): Promise<AdminConnection>;
  /** Also what is on its way. The next `get` opens anew. */
  close(): Promise<void>;
}

export function createLazyConnection(open: () => Promise<AdminConnection>): LazyConnection {
  /** Callers that come while it is opened wait for the same one. */
  let current: Promise<AdminConnection> | null = null;

  function begin(): Promise<AdminConnection> {
    const opening = open();
    current = opening;
    opening.catch(() => forget(opening));
    return opening;
  }

  function forget(opening: Promise<AdminConnection>): void {
    if (current === opening) current = null;
  }

  async function drop(opening: Promise<AdminConnection>): Promise<void> {
    forget(opening);
    const connection = await opening.catch(() => null);
    await connection?.close();
  }

  return {
    async get() {
      const opening = current ?? begin();
      const connection = await opening;
      if (!connection.isLost()) return connection;
      // It may be open still: a node that left its cluster goes on holding its sessions.
      await drop(opening);
      return current ?? begin();
    },
    async close() {
      if (current !== null) await drop(current);
    },
  };
}
