import type { AdminConnection } from '@rowhouse/mysql';

/** A session that is opened on first use, and reopened when it is lost. */
export interface LazyConnection {
  get(): Promise<AdminConnection>;
  /** Closes the session, even while it is being opened. The next `get` opens a new session. */
  close(): Promise<void>;
}

export function createLazyConnection(open: () => Promise<AdminConnection>): LazyConnection {
  /** All callers wait for the same session while it is being opened. */
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
      // If the node has left its cluster, it keeps its sessions, so the lost session may still be open on the
      // server and is closed.
      await drop(opening);
      return current ?? begin();
    },
    async close() {
      if (current !== null) await drop(current);
    },
  };
}

/** Opens a session and runs its initial statements. Closes the session if they fail. */
export async function openPrepared(
  opening: Promise<AdminConnection>,
  prepare: (connection: AdminConnection) => Promise<unknown>,
): Promise<AdminConnection> {
  const connection = await opening;
  try {
    await prepare(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
