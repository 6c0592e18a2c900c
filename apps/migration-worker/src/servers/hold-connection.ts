import { addAbortSignal, type Readable } from 'node:stream';
import type { AdminConnection } from '@rowhouse/mysql';
import type { HeldLease } from '../worker-context.js';

/**
 * Opens a session for as long as the lease is held. After the lease is lost, no further statement is sent,
 * and calls in progress are abandoned with the session.
 */
export async function holdConnection(
  lease: HeldLease,
  open: () => Promise<AdminConnection>,
): Promise<AdminConnection> {
  lease.assertHeld();
  const connection = await open();
  const drop = (): void => connection.drop();
  if (lease.signal.aborted) drop();
  lease.assertHeld();
  lease.signal.addEventListener('abort', drop, { once: true });

  /** Rejects when the lease is lost, because a dropped session never responds to pending statements. */
  async function whileHeld<T>(send: () => Promise<T>): Promise<T> {
    lease.assertHeld();
    return untilAborted(send(), lease.signal);
  }
  return {
    ...connection,
    rows: <T>(sql: string, values?: Parameters<AdminConnection['rows']>[1]) =>
      whileHeld(() => connection.rows<T>(sql, values)),
    run: (sql, values) => whileHeld(() => connection.run(sql, values)),
    jsonColumns: (sql) => whileHeld(() => connection.jsonColumns(sql)),
    stream<T>(sql: string) {
      lease.assertHeld();
      return addAbortSignal(lease.signal, connection.stream<T>(sql) as AsyncIterable<T> & Readable);
    },
    close() {
      lease.signal.removeEventListener('abort', drop);
      return connection.close();
    },
  };
}

function untilAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
