import { setTimeout as pause } from 'node:timers/promises';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';

/** Writers that never stop until they are told to: what they were told is done must be there at the end. */
export interface BusyWriters {
  /** Stops them; gives what every statement came to, and the faults that no way of the gateway's would have mended. */
  stop(): Promise<WriterReport>;
  /** Resolves once so many statements were done. */
  reach(count: number): Promise<void>;
}

export interface WriterReport {
  readonly done: number;
  readonly faults: readonly string[];
}

/** Rolled back and run again by every gateway: deadlock, lock wait, table missing or changed under a transaction, a cascade inside a cascade. */
const MENDED = new Set([1205, 1213, 1146, 1412, 1615, 6575]);

/** One loop for each connection; `act` makes one statement or transaction and throws the server's fault. Closes the connections. */
export function startWriters(connections: readonly AdminConnection[], act: (connection: AdminConnection, writer: number, turn: number) => Promise<void>): BusyWriters {
  let isStopped = false;
  let done = 0;
  const faults: string[] = [];
  const loops = connections.map(async (connection, writer) => {
    for (let turn = 0; !isStopped; turn += 1) {
      try {
        await act(connection, writer, turn);
        done += 1;
      } catch (error) {
        await connection.run('ROLLBACK').catch(() => undefined);
        const fault = readServerFault(error);
        if (!MENDED.has(fault?.errno ?? 0)) faults.push(fault?.message ?? String(error));
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
