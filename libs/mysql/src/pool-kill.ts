import mysql from 'mysql2';
import { toConnectionOptions } from './pool-connection-options.js';
import type { PoolAccount, PoolServer } from './pool-types.js';

/**
 * Stops the statement that runs in another session of the same account, over a connection of its own: closing the
 * client's end does not stop it. An account may always kill its own sessions' statements.
 */
export async function killStatement(server: PoolServer, account: PoolAccount, threadId: number, timeoutMs: number): Promise<void> {
  const connection = mysql.createConnection(toConnectionOptions(server, account, timeoutMs));
  const timer = setTimeout(() => connection.destroy(), timeoutMs);
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject);
      connection.query(`KILL QUERY ${threadId}`, (error: Error | null) => (error ? reject(error) : resolve()));
    });
  } finally {
    clearTimeout(timer);
    connection.destroy();
  }
}
