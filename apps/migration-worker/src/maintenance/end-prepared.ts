import { readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { listPrepared } from '../accounts/sessions/prepared-transactions.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/**
 * The time after which a listed prepared transaction is ended, in milliseconds. A coordinator commits within
 * seconds. One account can otherwise leave so many prepared transactions that the server accepts no further
 * ones.
 */
export const PREPARED_MS_MAX = 60_000;

export interface PreparedSweep {
  /** Ends old prepared transactions of a server and returns their number. */
  run(server: WorkerServer): Promise<number>;
}

/**
 * Ends transactions that were prepared (XA) and abandoned. A prepared transaction outlives its session and
 * its account, and blocks all DDL on its tables, even the drop of the database. It also prevents the purge
 * of old row versions on the whole server. Servers report neither age nor owner. A transaction is therefore
 * ended when it was already seen a minute ago.
 *
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
