import mysql from 'mysql2';
import { readServerFault } from '../admin/admin-error.js';
import { toConnectionOptions } from './connection-options.js';
import type { PoolAccount, PoolServer } from '../types.js';

/** A server that responds slowly is likely to have a statement that must be stopped. */
const ATTEMPTS_MAX = 4;
const UNKNOWN_THREAD = 1094;

/**
 * Stops the statement that runs in another session of the same account, over a separate connection, because
 * closing the client side does not stop it. An account may always kill statements of its own sessions. Each
 * try takes at most `timeoutMs`. Rejects when no try was answered. The killed session must not be used again.
 */
export async function killStatement(
  server: PoolServer,
  account: PoolAccount,
  threadId: number,
  timeoutMs: number,
): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await killOnce(server, account, threadId, timeoutMs);
    } catch (error) {
      if (readServerFault(error)?.errno === UNKNOWN_THREAD) return;
      if (attempts === ATTEMPTS_MAX) throw error;
    }
  }
}

async function killOnce(
  server: PoolServer,
  account: PoolAccount,
  threadId: number,
  timeoutMs: number,
): Promise<void> {
  const connection = mysql.createConnection(toConnectionOptions(server, account, timeoutMs));
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('KILL was not answered')), timeoutMs);
      connection.on('error', reject);
      connection.query(`KILL QUERY ${threadId}`, (error: Error | null) =>
        error ? reject(error) : resolve(),
      );
    });
  } finally {
    clearTimeout(timer);
    connection.destroy();
  }
}
