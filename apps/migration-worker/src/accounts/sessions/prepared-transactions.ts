import { setTimeout as pause } from 'node:timers/promises';
import { PRIVILEGE_REQUIRED, UNKNOWN_XID, XA_RESOURCE_ERROR } from '@rowhouse/errors';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';

/**
 * The errors if the account may not list prepared transactions. On MySQL, it then lacks the right
 * XA_RECOVER_ADMIN.
 */
const UNSEEN: ReadonlySet<number> = new Set([PRIVILEGE_REQUIRED, XA_RESOURCE_ERROR]);
const ATTEMPTS_MAX = 20;
const ATTEMPT_PAUSE_MS = 50;

interface PreparedRow {
  readonly formatID: number | string;
  readonly gtrid_length: number | string;
  readonly bqual_length: number | string;
  readonly data: Buffer | string;
}

/**
 * Ends every prepared transaction that no session holds. Call it after the sessions of a revoked account have
 * ended. Otherwise any account of the server could commit what the revoked one has prepared. Servers do not
 * report who prepared a transaction, so this also ends those that other accounts have left.
 */
export async function endAbandoned(provisioner: AdminConnection, server: WorkerServer): Promise<void> {
  for (const xid of await listPrepared(provisioner, server)) await endOne(provisioner, xid);
}

/** Rolls a transaction back. Retries while the server reports that the transaction is busy, and then throws. */
async function endOne(provisioner: AdminConnection, xid: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return void (await provisioner.run(`XA ROLLBACK ${xid}`));
    } catch (error) {
      if (readServerFault(error)?.errno === UNKNOWN_XID) return;
      if (readServerFault(error)?.isConnectionLost !== false || attempt === ATTEMPTS_MAX) throw error;
      await pause(ATTEMPT_PAUSE_MS);
    }
  }
}

/** Lists the prepared transactions, by the names that XA ROLLBACK takes. */
export async function listPrepared(
  provisioner: AdminConnection,
  { engine }: WorkerServer,
): Promise<string[]> {
  try {
    const rows = await provisioner.rows<PreparedRow>(
      engine === 'mysql' ? 'XA RECOVER CONVERT XID' : 'XA RECOVER',
    );
    return rows.map(nameXid);
  } catch (error) {
    if (UNSEEN.has(readServerFault(error)?.errno ?? 0)) return [];
    throw error;
  }
}

/** Returns the transaction's name with both parts in hexadecimal, because clients may choose any bytes. */
export function nameXid({
  formatID: format,
  gtrid_length: first,
  bqual_length: second,
  data,
}: PreparedRow): string {
  // MySQL returns the name as text of the form 0x…, and MariaDB returns bytes.
  const hex = typeof data === 'string' ? data.replace(/^0x/, '') : data.toString('hex');
  const [end, all] = [Number(first) * 2, (Number(first) + Number(second)) * 2];
  if (!/^[0-9a-f]*$/i.test(hex) || hex.length < all)
    throw new Error('the server names a prepared transaction in a way that is not known');
  return `X'${hex.slice(0, end)}',X'${hex.slice(end, all)}',${Number(format)}`;
}
