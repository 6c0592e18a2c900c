import { setTimeout as pause } from 'node:timers/promises';
import { databaseRecordKey, sideSchemaName } from '@rowhouse/contracts';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import { listLaggingGateways } from '@rowhouse/platform-store';
import { createTriggerSql, listTriggerSettings } from '../online-ddl/rebuild/triggers/user-triggers.js';
import { runWithShortLocks } from '../online-ddl/locks/short-locks.js';
import { withConnection } from '../servers/server-access.js';
import { readNextNumber } from '../snapshots/table-statistics.js';
import {
  transferUsers,
  unblockUsers,
  listTransferredUsers,
  blockUsers,
  type TransferredUser,
} from './transfer-users.js';
import { hashDefinitions, readSourceDefinitions, type Definitions } from './definitions.js';
import { matchKeys } from './key-text.js';
import type { MoveDetails } from './move-run.js';
import { CAPTURE_PREFIX, nameOf } from './move-names.js';
import {
  assertMayMove,
  RetryLaterError,
  SchemaChangedError,
  formatCheckpoint,
  type MoveCheckpoint,
  type MoveRun,
} from './move-run.js';
import { grantAll, toRejection } from './prepare-target.js';
import { readText, selectRows } from './row-writer.js';
import { digestRows, digestTarget, syncRound, type RoundResult } from './sync-round.js';

const POLL_INTERVAL_MS = 5;
/**
 * The pause begins when a round has copied at most this many changed rows. The smaller the number, the
 * shorter the pause.
 */
const FEW_ROWS_MAX = 2_000;
const CATCH_UP_ROUNDS_MAX = 50;

/**
 * Switches the database to its new server. Gateways hold writes, direct connections end, and every table is
 * locked against writes. The last changes are copied and compared, and one transaction changes the placement.
 * Returns the session whose locks keep the old tables unchanged.
 *
 * @throws {@link RetryLaterError} if the switch takes too long. The database then stays on its old server.
 * @throws {@link SchemaChangedError} if the tables have changed since the copy began.
 */
export async function switchPlacement(
  run: MoveRun,
  details: MoveDetails,
  checkpoint: MoveCheckpoint,
): Promise<{ locks: AdminConnection; userNames: readonly string[] }> {
  await catchUp(run, details);
  const definitions = await readSourceDefinitions(run);
  if (hashDefinitions(definitions) !== details.definitions) throw new SchemaChangedError();
  await dropTriggers(run);
  const users = await listTransferredUsers(run, definitions);
  const accounts = await listAccountNames(run);
  await grantAll(run);
  await assertMayMove(run);
  const clock = { startedMs: performance.now(), endsMs: performance.now() + run.ctx.movePauseMs };
  const entry = await run.ctx.moves.beginPause(run.move, run.ctx.movePauseMs);
  if (entry === null) throw new RetryLaterError('the database is not available for a move');
  let locks: AdminConnection | null = null;
  let userNames: readonly string[] = [];
  try {
    await announce(run, entry);
    run.ctx.failPoint('move-pause-begun');
    await awaitGateways(run, entry.seq, clock.endsMs);
    await awaitTasks(run, clock.endsMs);
    await blockUsers(run, users);
    locks = await run.ctx.access.openMigrator(
      run.from,
      run.database,
      await run.ctx.directory.listAccounts(run.database.id),
    );
    await lockTables(run, locks, details, clock.endsMs);
    run.ctx.failPoint('move-locked');
    await copyLastChanges(run, details, definitions);
    if ((await listAccountNames(run)).join() !== accounts.join())
      throw new RetryLaterError('an account was created during the move');
    run.ctx.failPoint('move-brought');
    userNames = await listUserNames(run);
    assertTime(clock.endsMs, 'the pause has ended');
    await assertMayMove(run);
    // This read proves that the session still holds its locks just before the switch.
    await locks.rows('SELECT 1');
  } catch (error) {
    await locks?.close();
    await resumeOnSource(run, users);
    throw error;
  }
  await commitPlacement(run, locks, { ...checkpoint, userNames }, { users, ...clock });
  return { locks, userNames };
}

/** Copies the changes that the ledger lists, until few changes are left. */
async function catchUp(run: MoveRun, details: MoveDetails): Promise<void> {
  for (let round = 0; round < CATCH_UP_ROUNDS_MAX; round += 1) {
    const { noted } = await syncRound(run, details, { isThorough: true });
    const rows = [...noted.keys.values()].reduce((sum, keys) => sum + keys.size, 0);
    if (rows <= FEW_ROWS_MAX) return;
  }
  throw new RetryLaterError('there are too many writes');
}

export async function announce(
  { ctx, database }: MoveRun,
  entry: Parameters<MoveRun['ctx']['changes']['announce']>[0],
): Promise<void> {
  await ctx.changes.announce(entry, [databaseRecordKey(ctx.cellId, database.id)]);
}

/** Waits until no gateway can begin a write that uses outdated information. */
async function awaitGateways({ ctx, lease }: MoveRun, seq: number, endsMs: number): Promise<void> {
  // A gateway is up to date when it has applied this entry of the change log. It does not matter which
  // snapshots its running requests use.
  for (;;) {
    lease.assertHeld();
    const lagging = await listLaggingGateways(ctx.platform, ctx.cellId, '', seq);
    if (lagging.length === 0) return;
    assertTime(endsMs, `the gateways ${lagging.join(', ')} did not respond`);
    await pause(POLL_INTERVAL_MS);
  }
}

/**
 * Waits for running tasks, because tasks create and change accounts. From now on, `run-task` starts no task
 * of this database.
 */
async function awaitTasks({ ctx, database }: MoveRun, endsMs: number): Promise<void> {
  while ((await ctx.moves.countTasksAtWork(database.id)) > 0) {
    assertTime(endsMs, 'tasks of the database are running');
    await pause(POLL_INTERVAL_MS);
  }
}

function assertTime(endsMs: number, reason: string): void {
  if (performance.now() > endsMs) throw new RetryLaterError(reason);
}

/**
 * Locks the tables against all writes. When this returns, earlier writes have ended. Only the ledger table
 * still accepts writes.
 */
async function lockTables(
  run: MoveRun,
  locks: AdminConnection,
  details: MoveDetails,
  endsMs: number,
): Promise<void> {
  const { ctx, from } = run;
  if (details.tables.length === 0) return;
  if (from.capabilities === null) throw new RetryLaterError('the server was not probed');
  const watcher = await ctx.access.openProvisioner(from);
  const sql = `LOCK TABLES ${details.tables.map((table) => `${nameOf(table)} READ`).join(', ')}`;
  try {
    await runWithShortLocks(locks, sql, {
      capabilities: from.capabilities,
      schemaName: run.database.schemaName,
      tables: details.tables.map((table) => table.name),
      endHoldersAfterMs: null,
      watcher: () => Promise.resolve(watcher),
      beforeRetry() {
        assertTime(endsMs, 'a session has locked a table');
        return Promise.resolve();
      },
    });
  } finally {
    await watcher.close();
  }
}

/**
 * Copies and compares the rows that were written since the last round. Also copies the AUTO_INCREMENT numbers,
 * the accounts and the triggers.
 */
async function copyLastChanges(run: MoveRun, details: MoveDetails, before: Definitions): Promise<void> {
  const { target, database } = run;
  const last = await syncRound(run, details, { isThorough: true });
  await compareLast(run, details, last);
  const now = await readSourceDefinitions(run);
  if (hashDefinitions(now) !== details.definitions) throw new SchemaChangedError();
  for (const { schema, name, nextNumber } of now.tables) {
    const isAfter =
      nextNumber !== null && nextNumber !== (await readNextNumber(target, nameOf({ schema, name })));
    if (isAfter)
      await target.run(`ALTER TABLE ${nameOf({ schema, name })} AUTO_INCREMENT = ${BigInt(nextNumber)}`);
  }
  await withConnection(run.ctx.access.openProvisioner(run.to), async (provisioner) => {
    // The accounts are read again, because some may have been created, rotated or revoked before the pause
    // began.
    await transferUsers(run, provisioner, await listTransferredUsers(run, before));
    for (const trigger of before.triggers) {
      await provisioner.run(`USE ${quoteName(trigger.schema)}`);
      try {
        await provisioner.run(listTriggerSettings(trigger));
        await provisioner.run(createTriggerSql(trigger, trigger.table));
      } catch (error) {
        throw toRejection(database, trigger.name, error);
      }
    }
  });
}

/** Compares the most recently written rows one by one, while the tables are locked. */
async function compareLast(run: MoveRun, details: MoveDetails, { noted }: RoundResult): Promise<void> {
  for (const [no, keys] of noted.keys) {
    const table = details.tables[no];
    if (table === undefined || table.key === null || keys.size === 0) continue;
    const where = matchKeys(table.key, [...keys], '');
    const texts = (await run.source.rows<{ t: string | null }>(selectRows(table, where))).map((row) =>
      readText(table, row.t),
    );
    const [expected, found] = [digestRows(texts), await digestTarget(run, table, where)];
    if (expected.rows !== found.rows || expected.digest !== found.digest)
      throw new RetryLaterError(`${table.name} differs`);
  }
}

/** Drops triggers that an earlier attempt created. Otherwise they would run for inserted rows. */
async function dropTriggers({ target, database }: MoveRun): Promise<void> {
  const rows = await target.rows<{ schema: string; name: string }>(
    'SELECT TRIGGER_SCHEMA AS `schema`, TRIGGER_NAME AS name FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA IN (?, ?)',
    [database.schemaName, sideSchemaName(database.schemaName)],
  );
  for (const row of rows)
    if (!row.name.startsWith(CAPTURE_PREFIX)) await target.run(`DROP TRIGGER ${nameOf(row)}`);
}

async function listUserNames({ ctx, database }: MoveRun): Promise<string[]> {
  const accounts = await ctx.directory.listAccounts(database.id);
  const users = await ctx.directory.listConnectionUsers(database.id);
  return [...accounts, ...users].map((item) => item.userName);
}

async function listAccountNames({ ctx, database }: MoveRun): Promise<string[]> {
  return (await ctx.directory.listAccounts(database.id)).map((account) => account.userName).sort();
}

/**
 * Commits the placement switch. The same transaction checks that the pause has not ended. If it is unknown
 * whether the commit succeeded, nothing is reverted, and the next worker reads the result.
 */
async function commitPlacement(
  run: MoveRun,
  locks: AdminConnection,
  checkpoint: MoveCheckpoint,
  pausing: {
    readonly users: readonly TransferredUser[];
    readonly startedMs: number;
    readonly endsMs: number;
  },
): Promise<void> {
  const entry = await run.ctx.moves.changePlace(run.move, formatCheckpoint(checkpoint));
  if (entry === null) {
    await locks.close();
    await resumeOnSource(run, pausing.users);
    throw new RetryLaterError('the pause has ended');
  }
  run.ctx.failPoint('move-switched');
  await announce(run, entry);
  // No gateway may read from the old server once the new server accepts writes.
  await awaitGateways(run, entry.seq, pausing.endsMs).catch((error: unknown) =>
    run.ctx.logger.warn({ move: run.move.id, err: error }, 'a gateway was late to learn the new placement'),
  );
  const live = await run.ctx.moves.endPause(run.move);
  if (live !== null) await announce(run, live);
  const pauseMs = Math.round(performance.now() - pausing.startedMs);
  await run.ctx.moves
    .notePause(run.move, pauseMs)
    .catch((error: unknown) =>
      run.ctx.logger.warn({ move: run.move.id, err: error, pauseMs }, 'the pause of a move was not noted'),
    );
}

/** Resumes service on the old server. If that fails, the pause ends at its deadline. */
async function resumeOnSource(run: MoveRun, users: readonly TransferredUser[]): Promise<void> {
  try {
    await unblockUsers(run, run.from, users);
    const entry = await run.ctx.moves.endPause(run.move);
    if (entry !== null) await announce(run, entry);
  } catch (error) {
    run.ctx.logger.warn(
      { move: run.move.id, err: error, errno: readServerFault(error)?.errno },
      'the pause of requests for a move could not be ended; it ends at its deadline',
    );
  }
}
