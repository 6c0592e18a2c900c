import { setTimeout as pause } from 'node:timers/promises';
import { databaseRecordKey, sideSchemaName, type MoveState, type TaskError } from '@rowhouse/contracts';
import { AppError, toAppError } from '@rowhouse/errors';
import type { AdminConnection } from '@rowhouse/mysql';
import { LeaseLostError, type ClaimedMove, type WorkerServer } from '@rowhouse/platform-store';
import { endSessionsEverywhere } from '../accounts/sessions/end-sessions.js';
import { dropDatabaseAndAccounts } from '../accounts/drop-database-and-accounts.js';
import { withConnection } from '../servers/server-access.js';
import type { HeldLease, WorkerContext } from '../worker-context.js';
import { dropCaptures, makeCaptures, makeLedger } from './capture-text.js';
import { unlockUsers } from './transfer-users.js';
import { hashDefinitions, readSourceDefinitions } from './definitions.js';
import {
  readMoveDetails,
  type MoveDetails,
  FIRST_CHECKPOINT,
  FIRST_POSITION,
  MoveCancelledError,
  RetryLaterError,
  SchemaChangedError,
  formatCheckpoint,
  parseCheckpoint,
  type MoveCheckpoint,
  type MoveContext,
  type MovePosition,
  type MoveRun,
  type SourceRun,
} from './move-run.js';
import { MOVE_MARK } from './move-names.js';
import { isMarked, preparePlacement, makeStructure } from './prepare-target.js';
import { finalizePlacement } from './finalize-placement.js';
import { switchPlacement } from './switch-placement.js';
import { compareTables, copyTables, type NoteMove } from './walk-tables.js';
import { readProbedServer } from '../servers/read-probed-server.js';
import { toTaskError, isInterruption } from '../jobs/job-faults.js';

const ATTEMPTS_MAX = 100;
/**
 * The maximum number of attempts before the first row is copied. If a server cannot be reached, this must be
 * reported soon, because the user who started the move waits for it.
 */
const FIRST_ATTEMPTS_MAX = 8;
const SWITCHES_MAX = 30;
const SWITCH_REST_MS = 1_000;
const PASSES_MAX = 3;
const RESTARTS_MAX = 5;
const NOTE_INTERVAL_MS = 250;

/**
 * Runs a claimed move from its current state to its end. Throws only when the lease or a session is lost, so
 * that the move must be claimed again.
 */
export async function runMove(ctx: WorkerContext, move: ClaimedMove, lease: HeldLease): Promise<void> {
  const [database, from, to] = await Promise.all([
    ctx.directory.readDatabase(move.databaseId),
    ctx.directory.readServer(move.fromServerId),
    ctx.directory.readServer(move.toServerId),
  ]);
  const moveContext: MoveContext = { ctx, move, lease, database, from, to };
  try {
    if (move.state === 'undoing') return await undo(moveContext, move.error);
    if (move.state === 'settling') return await settle(moveContext, parseCheckpoint(move.checkpoint), null);
    if (await ctx.moves.isCancelRequested(move)) throw new MoveCancelledError();
    await execute(await probe(moveContext));
  } catch (error) {
    if (error instanceof LeaseLostError) throw error;
    if (error instanceof MoveCommittedError) throw error.cause;
    if (move.state === 'settling' || (isInterruption(error) && move.attempt < attemptsMax(move))) throw error;
    if (!(error instanceof MoveCancelledError))
      ctx.logger.warn({ move: move.id, database: database.id, err: error }, 'a move is taken back');
    const fault = error instanceof MoveCancelledError ? null : toTaskError(toFault(error));
    await undo(moveContext, fault);
  }
}

/**
 * Probes the servers that were never probed. This runs after the start of the move, so that the move ends
 * with a reason if a server is down.
 */
async function probe(move: MoveContext): Promise<MoveContext> {
  return {
    ...move,
    from: await readProbedServer(move.ctx, move.from.id),
    to: await readProbedServer(move.ctx, move.to.id),
  };
}

function attemptsMax(move: ClaimedMove): number {
  return parseCheckpoint(move.checkpoint).details === null ? FIRST_ATTEMPTS_MAX : ATTEMPTS_MAX;
}

function toFault(error: unknown): AppError {
  const fault = toAppError(error);
  if (fault.code !== 'db.unavailable') return fault;
  return new AppError('db.unavailable', {
    detail: 'A server of the move is unreachable. The database was not moved.',
    hint: 'Use POST /api/admin/servers/{id}/probe to find out which. Start the move again when it responds.',
    cause: error,
  });
}

/** Thrown for a failure after the switch, when the move can no longer be reverted. */
class MoveCommittedError extends Error {}

async function execute(moveContext: MoveContext): Promise<void> {
  const { ctx, move } = moveContext;
  let checkpoint = parseCheckpoint(move.checkpoint);
  let state: MoveState = move.state;
  if (move.attempt > 1) {
    await endEarlierSessions(moveContext);
    await releaseSource(moveContext);
  }
  const locked = await withRun(moveContext, checkpoint, async (run, first) => {
    checkpoint = first;
    for (let restarts = 0; ; restarts += 1) {
      try {
        ({ checkpoint, state } = await fill(run, checkpoint, state));
        return await changeOver(run, checkpoint);
      } catch (error) {
        if (!(error instanceof SchemaChangedError) || restarts === RESTARTS_MAX)
          throw error instanceof SchemaChangedError ? schemaKeepsMoving() : error;
        ctx.logger.info({ move: move.id }, 'the schema changed during a move, so the move starts again');
        await preparePlacement(run);
        checkpoint = await prepare(run);
        state = 'copying';
      }
    }
  });
  try {
    await settle(moveContext, { ...checkpoint, userNames: locked.userNames }, locked.locks);
  } catch (error) {
    throw new MoveCommittedError('settling', { cause: error });
  } finally {
    // The locks are released, because they would prevent the removal of the old placement. The next attempt
    // takes its own locks.
    await locked.locks.close();
  }
}

function schemaKeepsMoving(): AppError {
  return new AppError('schema.busy', {
    detail: 'The schema kept changing while the database was copied.',
    hint: 'Start the move again when the tables are not being changed over direct connections.',
  });
}

/** Runs the copy and the comparison, each from its recorded position. */
async function fill(
  run: MoveRun,
  from: MoveCheckpoint,
  state: MoveState,
): Promise<{ checkpoint: MoveCheckpoint; state: MoveState }> {
  const { ctx, move } = run;
  let checkpoint = from;
  const details = requireDetails(move, checkpoint);
  const enter = async (next: MoveState, changed: Partial<MoveCheckpoint>): Promise<void> => {
    checkpoint = { ...checkpoint, ...changed };
    await ctx.moves.enter(move, next, formatCheckpoint(checkpoint));
    ctx.failPoint(`move-${next}`);
  };
  const note = createNote(async (position) => {
    checkpoint = { ...checkpoint, position };
    await ctx.moves.note(move, formatCheckpoint(checkpoint), {
      rowsDone: position.rowsDone,
      rowsTotal: Math.max(details.rowsTotal, position.rowsDone),
    });
  });
  if (state === 'copying') {
    await copyTables(run, details, checkpoint.position, note);
    await enter('comparing', { position: FIRST_POSITION });
  }
  if (state === 'copying' || state === 'comparing') {
    for (;;) {
      const repaired = await compareTables(run, details, checkpoint.position, (position) =>
        note({ ...position, rowsDone: details.rowsTotal }),
      );
      if (repaired === 0) break;
      ctx.logger.warn({ move: move.id, rows: repaired }, 'rows of a move were repaired');
      if (checkpoint.passes + 1 >= PASSES_MAX)
        throw new AppError('transfer.differs', {
          detail: 'The copy did not match the database, so the database was not moved.',
        });
      await enter('comparing', {
        position: FIRST_POSITION,
        repairedRows: checkpoint.repairedRows + repaired,
        passes: checkpoint.passes + 1,
      });
    }
    await enter('switching', { position: FIRST_POSITION });
  }
  return { checkpoint, state: 'switching' };
}

/** Tries to switch the placement, until an attempt finishes within its pause. */
async function changeOver(
  run: MoveRun,
  checkpoint: MoveCheckpoint,
): Promise<{ locks: AdminConnection; userNames: readonly string[] }> {
  const { ctx, move } = run;
  const details = requireDetails(move, checkpoint);
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await switchPlacement(run, details, checkpoint);
    } catch (error) {
      if (!(error instanceof RetryLaterError)) throw error;
      ctx.logger.info({ move: move.id, tries: attempts, why: error.message }, 'a move did not change over');
      if (attempts >= SWITCHES_MAX) {
        throw new AppError('db.timeout', {
          detail:
            'The database could not be switched to the other server within the time limit for paused writes.',
          hint:
            'End long transactions on direct connections, and start the move again when there is less ' +
            'traffic.',
          internal: error.message,
        });
      }
      await pause(SWITCH_REST_MS);
    }
  }
}

/** Returns the move's details. Every checkpoint after the preparation contains them. */
function requireDetails(move: ClaimedMove, { details }: MoveCheckpoint): MoveDetails {
  if (details === null) throw new Error(`no tables are recorded for the move ${move.id}`);
  return details;
}

/**
 * Returns a function that stores at most four positions a second. The stored position may therefore be older
 * than the copy.
 */
function createNote(write: (position: MovePosition) => Promise<void>): NoteMove {
  let nextAt = 0;
  let index = -1;
  return async (position) => {
    if (position.at === index && performance.now() < nextAt) return;
    index = position.at;
    nextAt = performance.now() + NOTE_INTERVAL_MS;
    await write(position);
  };
}

/** Ends the sessions of an earlier run, so that the earlier run can send no further statement. */
async function endEarlierSessions({ ctx, database, from, to }: MoveContext): Promise<void> {
  const migrator = (await ctx.directory.listAccounts(database.id)).find(
    (account) => account.kind === 'migrator',
  );
  if (migrator === undefined) return;
  for (const server of [from, to])
    await withConnection(ctx.access.openProvisioner(server), (provisioner) =>
      endSessionsEverywhere(ctx, provisioner, server, migrator.userName, { reach: 'members' }),
    );
}

/**
 * Restores service on the old server. Ends a pause that an earlier run left, and lets direct connections log
 * in.
 */
async function releaseSource({ ctx, move, database, from }: MoveContext): Promise<void> {
  await withConnection(ctx.access.openProvisioner(from), (provisioner) =>
    unlockUsers(ctx, provisioner, database.id),
  );
  const entry = await ctx.moves.endPause(move);
  if (entry !== null) await ctx.changes.announce(entry, [databaseRecordKey(ctx.cellId, database.id)]);
}

async function withRun<T>(
  move: MoveContext,
  checkpoint: MoveCheckpoint,
  callback: (run: MoveRun, checkpoint: MoveCheckpoint) => Promise<T>,
): Promise<T> {
  const { ctx, database, from, to } = move;
  const accounts = await ctx.directory.listAccounts(database.id);
  return withConnection(ctx.access.openMigrator(from, database, accounts), async (source) => {
    await source.run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    const started: SourceRun = { ...move, source };
    await ctx.moves.assertHeld(move.move);
    if (checkpoint.details === null) {
      await makeLedger(started);
      await preparePlacement(started);
    }
    return withConnection(ctx.access.openMigrator(to, database, accounts), async (target) => {
      await prepareTarget(target, to);
      const run: MoveRun = { ...started, target };
      return callback(run, checkpoint.details === null ? await prepare(run) : checkpoint);
    });
  });
}

/**
 * Prepares the session so that rows are inserted unchanged, whatever keys, checks and zeros they have. The
 * strict SQL mode is off, because it rejects the empty value of an ENUM. All rows are compared afterwards.
 */
async function prepareTarget(target: AdminConnection, to: WorkerServer): Promise<void> {
  await target.run(
    `SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION', foreign_key_checks = 0`,
  );
  if (to.engine === 'mariadb') await target.run('SET SESSION check_constraint_checks = 0');
}

/**
 * Creates the tables on the new server and the capture triggers on the old one. Once the checkpoint is
 * stored, neither is created again.
 */
async function prepare(run: MoveRun): Promise<MoveCheckpoint> {
  await makeLedger(run);
  const definitions = await readSourceDefinitions(run);
  const details = await readMoveDetails(run, hashDefinitions(definitions));
  await makeStructure(run, details, definitions);
  run.ctx.failPoint('move-structure');
  await makeCaptures(run, details);
  const checkpoint = { ...FIRST_CHECKPOINT, details };
  await run.ctx.moves.enter(run.move, 'copying', formatCheckpoint(checkpoint));
  run.ctx.failPoint('move-captured');
  return checkpoint;
}

async function settle(
  moveContext: MoveContext,
  checkpoint: MoveCheckpoint,
  locks: AdminConnection | null,
): Promise<void> {
  const { ctx, move, database } = moveContext;
  const lateRows = await finalizePlacement({ ...moveContext, checkpoint, locks });
  if (lateRows > 0)
    await ctx.moves.enter(move, 'settling', formatCheckpoint(checkpoint), {
      code: 'transfer.differs',
      detail: `${lateRows} rows were written to the old server after the switch. The database was not removed there.`,
    });
  await ctx.moves.end(move, 'done');
  ctx.logger.info(
    {
      move: move.id,
      database: database.id,
      from: move.fromServerId,
      to: move.toServerId,
      attempt: move.attempt,
    },
    'database moved',
  );
}

/**
 * Reverts a move. The old server, which serves requests, is cleaned up first, and then the new one if it can
 * be reached.
 */
async function undo(moveContext: MoveContext, error: TaskError | null): Promise<void> {
  const { ctx, move, database, from } = moveContext;
  await ctx.moves.enter(move, 'undoing', null, ...(error === null ? [] : [error]));
  ctx.failPoint('move-undoing');
  if (move.attempt > 1)
    await endEarlierSessions(moveContext).catch((fault: unknown) =>
      ctx.logger.warn({ move: move.id, err: fault }, 'sessions of an earlier run were not ended'),
    );
  await releaseSource(moveContext);
  const accounts = await ctx.directory.listAccounts(database.id);
  if (accounts.length > 0)
    await withConnection(ctx.access.openMigrator(from, database, accounts), (source) =>
      dropCaptures({ ...moveContext, source }),
    );
  await clearTarget(moveContext).catch((fault: unknown) => {
    // The parts that remain on the new server are removed by the next move to it.
    ctx.logger.warn(
      { move: move.id, server: move.toServerId, err: fault },
      'what a move left at the new place was not removed',
    );
  });
  await ctx.moves.end(move, error === null ? 'cancelled' : 'failed');
}

async function clearTarget({ ctx, database, to }: MoveContext): Promise<void> {
  const { serverId } = await ctx.directory.readDatabase(database.id);
  if (serverId === to.id)
    throw new AppError('internal.defect', {
      internal: `${database.id} runs on the server whose copy would be removed after a move`,
    });
  const names = [
    ...(await ctx.directory.listAccounts(database.id)),
    ...(await ctx.directory.listConnectionUsers(database.id)),
  ].map((item) => item.userName);
  await withConnection(ctx.access.openProvisioner(to), async (provisioner) => {
    if (await isMarked(provisioner, sideSchemaName(database.schemaName), MOVE_MARK, null))
      await dropDatabaseAndAccounts(ctx, provisioner, to, database.schemaName, names);
  });
}
