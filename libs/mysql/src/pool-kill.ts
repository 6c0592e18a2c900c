import mysql from 'mysql2';
import { readServerFault } from './admin-error.js';
import { toConnectionOptions } from './pool-connection-options.js';
import type { PoolAccount, PoolServer } from './pool-types.js';

/** A server that is slow to answer has a statement the more that ought to end. */
const TRIES_MAX = 4;
const UNKNOWN_THREAD = 1094;

/**
 * Stops the statement that runs in another session of the same account, over a connection of its own: closing the
 * client's end does not stop it. An account may always kill its own sessions' statements. Each try takes `timeoutMs` at
 * most; rejects when none was answered. Only for sessions that are not used again.
 */
export async function killStatement(server: PoolServer, account: PoolAccount, threadId: number, timeoutMs: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await killOnce(server, account, threadId, timeoutMs);
    } catch (error) {
      if (readServerFault(error)?.errno === UNKNOWN_THREAD) return;
      if (tries === TRIES_MAX) throw error;
    }
  }
}

async function killOnce(server: PoolServer, account: PoolAccount, threadId: number, timeoutMs: number): Promise<void> {
  const connection = mysql.createConnection(toConnectionOptions(server, account, timeoutMs));
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('KILL was not answered')), timeoutMs);
      connection.on('error', reject);
      connection.query(`KILL QUERY ${threadId}`, (error: Error | null) => (error ? reject(error) : resolve()));
    });
  } finally {
    clearTimeout(timer);
    connection.destroy();
  }
}
