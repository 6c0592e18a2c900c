import { setTimeout as pause } from 'node:timers/promises';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';

/**
 * Writers that run until they are stopped. If they report a statement as done, its effect must be visible at
 * the end.
 */
export interface BusyWriters {
  /**
   * Stops the writers. Returns the result of every statement, and the errors that a gateway would not have
   * handled.
   */
  stop(): Promise<WriterReport>;
  /** Resolves once this many statements are done. */
  reach(count: number): Promise<void>;
}

export interface WriterReport {
  readonly done: number;
  readonly faults: readonly string[];
}

/**
 * Errors after which every gateway rolls back and retries: deadlock, lock wait timeout, a table missing or
 * changed within a transaction, and a cascade inside a cascade.
 */
const REPAIRED = new Set([1205, 1213, 1146, 1412, 1615, 6575]);

/**
 * Runs one loop per connection. `act` runs one statement or transaction and throws the server's error.
 * Closes the connections.
 */
export function startWriters(
  connections: readonly AdminConnection[],
  act: (connection: AdminConnection, writer: number, iteration: number) => Promise<void>,
): BusyWriters {
  let isStopped = false;
  let done = 0;
  const faults: string[] = [];
  const loops = connections.map(async (connection, writer) => {
    for (let iteration = 0; !isStopped; iteration += 1) {
      try {
        await act(connection, writer, iteration);
        done += 1;
      } catch (error) {
        await connection.run('ROLLBACK').catch(() => undefined);
        const fault = readServerFault(error);
        if (!REPAIRED.has(fault?.errno ?? 0)) faults.push(fault?.message ?? String(error));
      }
      await pause(2);
    }
    await connection.close();
  });
  return {
    async stop() {
      isStopped = true;
      await Promise.all(loops);
      return { done, faults };
    },
    async reach(count) {
      while (done < count) {
        await pause(5);
      }
    },
  };
}
