import { setTimeout as pause } from 'node:timers/promises';
import { databaseRecordKey, sideSchemaName } from '@rowhouse/contracts';
import { quoteName, quoteText, type AdminConnection, SESSIONS } from '@rowhouse/mysql';
import { quoteAccount } from '../accounts/account-statements.js';
import { dropDatabaseAndAccounts } from '../accounts/drop-database-and-accounts.js';
import { killThread } from '../servers/kill-thread.js';
import { openPrepared } from '../servers/lazy-connection.js';
import { withConnection } from '../servers/server-access.js';
import { unlockUsers } from './transfer-users.js';
import { MOVE_LEDGER, MOVE_MARK, nameOf } from './move-names.js';
import type { MoveCheckpoint, MoveContext } from './move-run.js';
import { isMarked } from './prepare-target.js';

/**
 * The context of the remaining work once the database has moved to its new server. It needs only the
 * platform's own accounts.
 */
export interface Settling extends MoveContext {
  readonly checkpoint: MoveCheckpoint;
  /** A session whose locks prevent writes to the old tables. Null when an earlier worker held the locks. */
  readonly locks: AdminConnection | null;
}

/** The maximum run time of streams from the old server, in milliseconds. */
const READS_MS_MAX = 75_000;
const GATEWAYS_MS_MAX = 30_000;
const CHECK_INTERVAL_MS = 100;

/**
 * Opens the new server to direct connections. Then it waits until gateways no longer use the old server and
 * reads there have ended, and removes the old placement.
 * Returns the number of rows that were written to the old server after the switch. It is 0 if the locks were
 * held all the time. It may be higher if the worker that held the locks died while a gateway was stalled. The
 * old placement is then kept for an operator.
 */
export async function finalizePlacement(settling: Settling): Promise<number> {
  const { ctx, database, to } = settling;
  const side = sideSchemaName(database.schemaName);
  // An earlier worker may have died between the switch and the end of the pause.
  const entry = await ctx.moves.endPause(settling.move);
  if (entry !== null) await ctx.changes.announce(entry, [databaseRecordKey(ctx.cellId, database.id)]);
  await withConnection(ctx.access.openProvisioner(to), async (provisioner) => {
    await unlockUsers(ctx, provisioner, database.id);
    await provisioner.run(`DROP TABLE IF EXISTS ${nameOf({ schema: side, name: MOVE_MARK })}`);
  });
  ctx.failPoint('move-opened');
  return withConnection(ctx.access.openProvisioner(settling.from), (old) => leaveOld(settling, old));
}

async function leaveOld(settling: Settling, old: AdminConnection): Promise<number> {
  const { ctx, move, database, from, checkpoint } = settling;
  const side = sideSchemaName(database.schemaName);
  if (!(await isMarked(old, side, MOVE_LEDGER, move.id))) {
    await dropOld(settling, old);
    return 0;
  }
  const locks = settling.locks ?? (await relock(settling));
  try {
    await awaitAllGateways(settling);
    for (const userName of checkpoint.userNames)
      await old.run(`ALTER USER IF EXISTS ${quoteAccount(userName)} ACCOUNT LOCK`);
    await awaitReads(settling, old, locks.threadId);
    const [late] = await old.rows<{ n: number }>(
      `SELECT COUNT(*) AS n FROM ${nameOf({ schema: side, name: MOVE_LEDGER })}`,
    );
    if (Number(late?.n ?? 0) > 0) {
      ctx.logger.error(
        { move: move.id, database: database.id, server: from.id, rows: Number(late?.n) },
        'rows were written to the old server of a database after its move, so the old copy was not removed',
      );
      return Number(late?.n);
    }
  } finally {
    await locks.close();
  }
  ctx.failPoint('move-before-drop');
  await dropOld(settling, old);
  return 0;
}

/**
 * Locks the tables again after the worker that held the locks died. Only a gateway that has not noticed the
 * switch may still write to the old server.
 */
function relock({ ctx, from, database, checkpoint }: Settling): Promise<AdminConnection> {
  const tables = checkpoint.details?.tables ?? [];
  return openPrepared(ctx.access.openProvisioner(from), async (locks) => {
    await locks.run(`USE ${quoteName(database.schemaName)}`);
    if (tables.length > 0)
      await locks.run(`LOCK TABLES ${tables.map((table) => `${nameOf(table)} READ`).join(', ')}`);
  });
}

async function awaitAllGateways({ ctx, lease }: Settling): Promise<void> {
  const [head] = await ctx.platform.rows<{ last_seq: number }>(
    'SELECT last_seq FROM change_log_head WHERE cell_id = ?',
    [ctx.cellId],
  );
  const endsAt = performance.now() + GATEWAYS_MS_MAX;
  while (performance.now() < endsAt) {
    lease.assertHeld();
    const [row] = await ctx.platform.rows<{ n: number }>(
      'SELECT COUNT(*) AS n FROM gateway_lease WHERE cell_id = ? AND expires_at > UTC_TIMESTAMP(3) AND applied_through_seq < ?',
      [ctx.cellId, Number(head?.last_seq ?? 0)],
    );
    if (Number(row?.n ?? 0) === 0) return;
    await pause(CHECK_INTERVAL_MS);
  }
}

/** Ends idle sessions and sessions that wait to write. A session that reads may finish its statement. */
async function awaitReads(
  { lease, checkpoint }: Settling,
  old: AdminConnection,
  ownThreadId: number,
): Promise<void> {
  if (checkpoint.userNames.length === 0) return;
  const users = checkpoint.userNames.map(quoteText).join(', ');
  const endsAt = performance.now() + READS_MS_MAX;
  for (;;) {
    lease.assertHeld();
    const listed = await old.rows<{ id: number; command: string; state: string | null }>(
      `SELECT ID AS id, COMMAND AS command, STATE AS state FROM ${SESSIONS} WHERE USER IN (${users}) AND ID <> ${ownThreadId}`,
    );
    if (listed.length === 0) return;
    const isLate = performance.now() > endsAt;
    for (const { id, command, state } of listed)
      if (isLate || command === 'Sleep' || /metadata lock/i.test(state ?? ''))
        await killThread(old, Number(id));
    if (isLate) return;
    await pause(CHECK_INTERVAL_MS);
  }
}

async function dropOld({ ctx, database, from, checkpoint }: Settling, old: AdminConnection): Promise<void> {
  await dropDatabaseAndAccounts(ctx, old, from, database.schemaName, checkpoint.userNames);
}
