import { setTimeout as pause } from 'node:timers/promises';
import { PRIVILEGE_REQUIRED, XA_RESOURCE_ERROR } from '@rowhouse/errors';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/**
 * The time after which a listed prepared transaction is ended, in milliseconds. A coordinator commits within
 * seconds. One account can otherwise leave so many prepared transactions that the server accepts no further
 * ones.
 */
export const PREPARED_MS_MAX = 60_000;
/**
 * The errors if the account may not list prepared transactions. On MySQL, it then lacks the right
 * XA_RECOVER_ADMIN.
 */
const UNSEEN: ReadonlySet<number> = new Set([PRIVILEGE_REQUIRED, XA_RESOURCE_ERROR]);
/** The error for a transaction that has ended, or that a session still holds. */
const UNKNOWN_XID = 1397;
const ATTEMPTS_MAX = 20;
const ATTEMPT_PAUSE_MS = 50;

interface PreparedRow {
  readonly formatID: number | string;
  readonly gtrid_length: number | string;
  readonly bqual_length: number | string;
  readonly data: Buffer | string;
}

export interface PreparedSweep {
  /** Ends old prepared transactions of a server and returns their number. */
  run(server: WorkerServer): Promise<number>;
}

/**
 * Ends transactions that were prepared (XA) and then abandoned. Such a transaction outlives its session and
 * its account. It blocks all DDL on its tables, even dropping the database, and prevents the whole server
 * from purging old row versions. Servers report neither its age nor its owner, so it is ended if it was
 * already seen a minute ago.
 * @param now a monotonic clock in milliseconds
 */
export function createPreparedSweep(
  ctx: Pick<WorkerContext, 'access' | 'logger'>,
  now: () => number = () => performance.now(),
): PreparedSweep {
  const seen = new Map<string, ReadonlyMap<string, number>>();
  return {
    run: (server) =>
      withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
        const before = seen.get(server.id);
        const listed = new Map(
          (await listPrepared(provisioner, server)).map((xid): [string, number] => [
            xid,
            before?.get(xid) ?? now(),
          ]),
        );
        seen.set(server.id, listed);
        let ended = 0;
        for (const [xid, sinceMs] of listed)
          if (now() - sinceMs >= PREPARED_MS_MAX && (await rollBack(provisioner, xid))) ended += 1;
        if (ended > 0)
          ctx.logger.warn(
            { server: server.id, ended },
            'prepared transactions that nobody ended were rolled back',
          );
        return ended;
      }),
  };
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
async function listPrepared(provisioner: AdminConnection, { engine }: WorkerServer): Promise<string[]> {
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
  // MySQL returns this value as text such as 0x…, and MariaDB returns it as bytes.
  const hex = typeof data === 'string' ? data.replace(/^0x/, '') : data.toString('hex');
  const [end, all] = [Number(first) * 2, (Number(first) + Number(second)) * 2];
  if (!/^[0-9a-f]*$/i.test(hex) || hex.length < all)
    throw new Error('the server names a prepared transaction in a way that is not known');
  return `X'${hex.slice(0, end)}',X'${hex.slice(end, all)}',${Number(format)}`;
}

/**
 * Rolls a transaction back. Returns false when a session still holds the transaction, or when it has already
 * ended.
 */
async function rollBack(provisioner: AdminConnection, xid: string): Promise<boolean> {
  try {
    await provisioner.run(`XA ROLLBACK ${xid}`);
    return true;
  } catch (error) {
    if (readServerFault(error)?.isConnectionLost !== false) throw error;
    return false;
  }
}
