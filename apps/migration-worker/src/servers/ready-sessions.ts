import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { nameNode } from './node-failure-tracker.js';

/** Sessions that stay open between uses, one per node. They serve work that must not wait for a login. */
export interface ReadySessions {
  /**
   * Runs `callback` with exclusive use of the node's session. If the session is in use, opens a new one. The
   * session is closed when `callback` fails.
   */
  use<T>(node: WorkerServer, callback: (connection: AdminConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Creates the sessions. `idleMs` is the time in milliseconds after which an unused session is closed. */
export function createReadySessions(
  open: (node: WorkerServer) => Promise<AdminConnection>,
  idleMs: number,
): ReadySessions {
  const ready = new Map<string, { readonly connection: AdminConnection; readonly timer: NodeJS.Timeout }>();
  let isClosed = false;

  function take(key: string): AdminConnection | null {
    const retained = ready.get(key);
    if (retained === undefined) return null;
    ready.delete(key);
    clearTimeout(retained.timer);
    if (!retained.connection.isLost()) return retained.connection;
    void retained.connection.close();
    return null;
  }

  function keep(key: string, connection: AdminConnection): Promise<void> {
    if (isClosed || ready.has(key)) return connection.close();
    const timer = setTimeout(() => void take(key)?.close(), idleMs);
    timer.unref();
    ready.set(key, { connection, timer });
    return Promise.resolve();
  }

  return {
    async use(node, callback) {
      const key = `${node.id} ${nameNode(node)}`;
      const connection = take(key) ?? (await open(node));
      try {
        const result = await callback(connection);
        await keep(key, connection);
        return result;
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...ready.keys()].map(async (key) => take(key)?.close()));
    },
  };
}
