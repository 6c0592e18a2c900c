import { setTimeout as pause } from 'node:timers/promises';
import { AppError, numbersOfKind } from '@rowhouse/errors';
import {
  AccountBlock,
  COMMIT_FAILED,
  ConnectionLostError,
  DatabaseFault,
  isLockFault,
  isNodeUnavailable,
  isStaleHandle,
  NODE_NOT_READY,
} from '../faults.js';
import { isStopped } from './latency-history.js';
import type { Settled, SettledPair } from '../session/statement-pair.js';
import { GROUP_STRICTLY } from '../session/session-settings.js';
import type { PoolSession } from '../session/pool-session.js';
import type { TenantPools } from '../pool/tenant-pools.js';
import type {
  BindValue,
  KeyedStatement,
  PairedStatement,
  PoolAccount,
  PoolServer,
  RowSink,
  SessionNeed,
  ShortWrite,
  StatementResult,
} from '../types.js';
import { UnreadableColumns } from '../wire/execute-response.js';
import { NotPipelinableError } from '../wire/pipelined-connection.js';
import type { Written } from '../wire/write-pipeline.js';

/**
 * How statements run:
 *
 * - `read`: statements without a transaction, which may be repeated.
 * - `read_only`: one READ ONLY transaction for user SQL. The session is reset afterwards.
 * - `write`: one autocommitted statement, followed by reads.
 * - `transaction`: all statements or none.
 * - `dry_run`: a transaction that ends with ROLLBACK.
 */
export type RunMode = 'read' | 'read_only' | 'write' | 'transaction' | 'dry_run';

export interface RunTarget {
  readonly server: PoolServer;
  readonly account: PoolAccount;
}

export interface RunOptions {
  readonly mode: RunMode;
  /** How long to wait for a session. */
  readonly waitMs: number;
  /** Defaults to `long`. */
  readonly need?: SessionNeed;
  /** The time limit of each statement. Defaults to the limit of the pool. */
  readonly statementMsMax?: number;
  /** The SQL was written by a user, so the session is reset before its next use. Implied by `read_only`. */
  readonly isUserText?: boolean;
  /**
   * Called when a caller stops waiting for a statement that still runs. The promise resolves when the server
   * is done with it.
   */
  readonly onLeft?: (disconnected: Promise<void>) => void;
}

/** Runs one prepared statement of the job. `statementMsMax` only applies to this one. */
export type RunStatement = <R>(
  sql: string,
  values: readonly BindValue[],
  sink: RowSink<R>,
  statementMsMax?: number,
) => Promise<StatementResult<R>>;

/**
 * Runs a write and a read that does not depend on its result, in one round trip if possible. The read's
 * result is ignored when the write was rejected.
 */
export type RunPair = <A, B>(
  write: PairedStatement<A>,
  read: PairedStatement<B>,
) => Promise<readonly [StatementResult<A>, StatementResult<B>]>;

/** The statement was stopped at its time limit (MariaDB, MySQL) or by KILL QUERY. */
const TIMEOUT_NUMBERS = numbersOfKind('timeout');

/**
 * The statement was chosen as the deadlock victim. While a table is rebuilt, this is always the tenant's
 * write. It conflicts with the copy on rows, and on MySQL with the ALTER of the shadow table on metadata
 * locks.
 */
const DEADLOCK_NUMBERS = [1020, 1213];
/** A node that left its cluster also rejects at once. The next attempt uses another node. */
const REJECTED_AT_ONCE = new Set([...DEADLOCK_NUMBERS, NODE_NOT_READY]);
const REJECTED_ATTEMPTS_MAX = 9;
const PAUSE_FIRST_MS = 8;
const PAUSE_MAX_MS = 150;

/**
 * Runs `callback` on a session of the account. `callback` may be called several times, so it must start from scratch
 * each time.
 *
 * @throws DatabaseFault when the server rejected a statement; the transaction is rolled back
 * @throws AppError `limit.busy`, `db.unavailable`, `limit.statement_time`, or `db.outcome_unknown` for a
 *   write with an unknown outcome
 * @throws AccountShut before anything is sent, while writes of the account are paused
 */
export async function runStatements<T>(
  pools: TenantPools,
  target: RunTarget,
  options: RunOptions,
  callback: (run: RunStatement, runPair: RunPair) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(pools, target, options, callback);
    } catch (error) {
      if (attempt >= attemptsMax(error, options.mode)) throw toRunError(error);
      await pauseBefore(attempt);
    }
  }
}

/** The first retry has no pause. */
async function pauseBefore(attempt: number): Promise<void> {
  if (attempt > 1)
    await pause(Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** (attempt - 2)) * (0.5 + Math.random()));
}

/**
 * Runs a read of one row by its key on a session shared with other reads of the account, or like
 * `runStatements` when that is not possible. `makeSink` creates a sink for each attempt. Throws like
 * `runStatements`.
 */
export async function runKeyed<R>(
  pools: TenantPools,
  { server, account }: RunTarget,
  waitMs: number,
  statement: KeyedStatement,
  makeSink: () => RowSink<R>,
): Promise<StatementResult<R>> {
  try {
    return await pools.runKeyed(server, account, waitMs, statement, makeSink());
  } catch (error) {
    if (!(error instanceof NotPipelinableError) && !isRetryable(error, 'read')) throw toRunError(error);
    return runStatements(pools, { server, account }, { mode: 'read', waitMs }, (run) =>
      run(statement.sql, statement.params, makeSink()),
    );
  }
}

/**
 * Runs a read of few rows that may take any time. It uses the shared connection once it has proved to be
 * fast. Throws like `runStatements`.
 */
export async function runBounded<R>(
  pools: TenantPools,
  { server, account }: RunTarget,
  waitMs: number,
  statement: KeyedStatement,
  makeSink: () => RowSink<R>,
): Promise<StatementResult<R>> {
  if (pools.isQuick(account, statement.sql)) {
    try {
      return await pools.runQuick(server, account, waitMs, statement, makeSink());
    } catch (error) {
      if (!(error instanceof NotPipelinableError) && !isRetryable(error, 'read')) throw toRunError(error);
    }
  }
  const result = await runStatements(
    pools,
    { server, account },
    { mode: 'read', waitMs, need: 'burst' },
    (run) => run(statement.sql, statement.params, makeSink()),
  );
  pools.noteRun(account, statement.sql, result.elapsedMs);
  return result;
}

function attemptsMax(error: unknown, mode: RunMode): number {
  if (!isRetryable(error, mode)) return 1;
  return error instanceof DatabaseFault && REJECTED_AT_ONCE.has(error.errno) ? REJECTED_ATTEMPTS_MAX : 2;
}

/** The state of a job on the server. */
interface Begun {
  statements: number;
  /** The command to send before the first statement. Null when there is none or it was sent. */
  opening: string | null;
}

type ShortWriteOptions = Pick<RunOptions, 'waitMs' | 'statementMsMax'>;
type Result<A, B> = readonly [StatementResult<A>, StatementResult<B> | null];

/**
 * Equals `runStatements` with mode `write` for statements known in advance, with as little overhead as
 * reading one record. Concurrent writes of the account are grouped. Throws the same errors.
 */
export async function runShortWrite<A, B>(
  pools: TenantPools,
  target: RunTarget,
  options: ShortWriteOptions,
  write: ShortWrite<A, B>,
): Promise<Result<A, B>> {
  const together =
    options.statementMsMax === undefined
      ? (pools.writes?.together(target.server, target.account, options.waitMs, write) ?? null)
      : null;
  if (together !== null) {
    try {
      return await readFollowing(pools, target, options, write, await together);
    } catch (error) {
      if (!(error instanceof NotPipelinableError))
        throw toRunError(error instanceof ConnectionLostError ? outcomeUnknown(error) : error);
    }
  }
  pools.writes?.began(target.account);
  try {
    return await runWriteAlone(pools, target, options, write);
  } finally {
    pools.writes?.ended(target.account);
  }
}

/** Repeats the read of a committed write when it could not run on the pipelined connection. */
async function readFollowing<A, B>(
  pools: TenantPools,
  target: RunTarget,
  { waitMs }: ShortWriteOptions,
  { read }: ShortWrite<A, B>,
  { written, read: settled }: Written<A, B>,
): Promise<Result<A, B>> {
  if (read === null || settled === null) return [written, null];
  const mayReadAgain = hasFailed(
    settled,
    (error) => isStaleHandle(error) || isStopped(error) || error instanceof UnreadableColumns,
  );
  try {
    if (mayReadAgain)
      return [
        written,
        await runStatements(pools, target, { mode: 'read', waitMs }, (run) =>
          run(read.sql, read.values, read.makeSink()),
        ),
      ];
    return [written, unwrap(settled, { statements: 1, opening: null })];
  } catch (error) {
    if (error instanceof DatabaseFault) error.isBehindWrite = true;
    throw error;
  }
}

async function runWriteAlone<A, B>(
  pools: TenantPools,
  target: RunTarget,
  options: ShortWriteOptions,
  { write, read }: ShortWrite<A, B>,
): Promise<Result<A, B>> {
  for (let attempt = 1; ; attempt += 1) {
    const started: Begun = { statements: 0, opening: null };
    let session: PoolSession | null = null;
    let failure: unknown;
    let mayBeSent = false;
    try {
      session = await pools.acquire(target.server, target.account, options.waitMs, 'short');
      if (target.account.isShut?.() === true) throw new AccountBlock();
      mayBeSent = true;
      if (read !== null) return await runPairOn(session, started, write, read, options.statementMsMax);
      started.statements += 1;
      return [await session.run(write.sql, write.values, write.makeSink(), options.statementMsMax), null];
    } catch (error) {
      failure = mayBeSent ? toWriteFault(error, started) : error;
    } finally {
      if (session !== null) pools.release(session);
    }
    if (attempt >= attemptsMax(failure, 'write')) throw toRunError(failure);
    await pauseBefore(attempt);
  }
}

async function runOnce<T>(
  pools: TenantPools,
  target: RunTarget,
  options: RunOptions,
  callback: (run: RunStatement, runPair: RunPair) => Promise<T>,
): Promise<T> {
  const { mode } = options;
  const session = await pools.acquire(target.server, target.account, options.waitMs, options.need);
  // Checked after waiting for a session, because from here on there is no wait before the first statement.
  if (mode !== 'read' && mode !== 'read_only' && target.account.isShut?.() === true) {
    pools.release(session);
    throw new AccountBlock();
  }
  // User SQL must run in its transaction or not at all, and so must dry runs. Their transactions are opened
  // first.
  const started: Begun = {
    statements: 0,
    opening: mode === 'transaction' && options.isUserText !== true ? START : null,
  };
  const changesNothing = mode === 'read' || mode === 'read_only';
  const run: RunStatement = (sql, values, sink, statementMsMax = options.statementMsMax) =>
    runAlone(session, started, () => session.run(sql, values, sink, statementMsMax, changesNothing));
  const runPair: RunPair = (write, read) => runPairOn(session, started, write, read, options.statementMsMax);
  try {
    if (mode === 'read') return await callback(run, runPair);
    if (mode === 'write') return await runWrite(() => callback(run, runPair), started);
    if (mode === 'read_only' || options.isUserText === true) session.isTainted = true;
    if (started.opening === null) await session.command(mode === 'read_only' ? START_READ_ONLY : START);
    return await runTransaction(session, mode, () => callback(run, runPair));
  } finally {
    if (session.gone !== null) options.onLeft?.(session.gone);
    pools.release(session);
  }
}

const START = 'START TRANSACTION';
const START_READ_ONLY = 'START TRANSACTION READ ONLY';

/** Runs after the statement that opens the transaction, if that has not been sent. */
async function runAlone<R>(
  session: PoolSession,
  started: Begun,
  run: () => Promise<StatementResult<R>>,
): Promise<StatementResult<R>> {
  const { opening } = started;
  started.statements += 1;
  if (opening !== null) {
    started.opening = null;
    await session.command(opening);
  }
  return run();
}

async function runPairOn<A, B>(
  session: PoolSession,
  started: Begun,
  write: PairedStatement<A>,
  read: PairedStatement<B>,
  statementMsMax: number | undefined,
): Promise<readonly [StatementResult<A>, StatementResult<B>]> {
  const { opening } = started;
  const runOne = <R>(part: PairedStatement<R>): Promise<StatementResult<R>> =>
    runAlone(session, started, () => session.run(part.sql, part.values, part.makeSink(), statementMsMax));
  const settled = await session.runPair(
    { sql: write.sql, values: write.values, sink: write.makeSink() },
    { sql: read.sql, values: read.values, sink: read.makeSink() },
    statementMsMax,
    opening,
  );
  if (settled === null) return [await runOne(write), await runOne(read)];
  started.opening = null;
  if (opening !== null) assertOpened(settled);
  // A statement with an unknown handle did nothing.
  if (hasFailed(settled[0], isStaleHandle)) return [await runOne(write), await runOne(read)];
  const written = unwrap(settled[0], started);
  const isRead = !hasFailed(
    settled[1],
    (error) => isStaleHandle(error) || error instanceof UnreadableColumns,
  );
  return [written, isRead ? unwrap(settled[1], started) : await runOne(read)];
}

/**
 * Without its transaction, the write was autocommitted and cannot be rolled back together with later
 * statements.
 */
function assertOpened([write, , rejected]: SettledPair<unknown, unknown>): void {
  if (rejected === null) return;
  if (write.kind === 'done')
    throw new AppError('db.outcome_unknown', { internal: rejected.message, cause: rejected });
  throw rejected;
}

function hasFailed(settled: Settled<unknown>, isSo: (error: unknown) => boolean): boolean {
  return settled.kind === 'failed' && isSo(settled.error);
}

function unwrap<R>(settled: Settled<R>, started: Begun): StatementResult<R> {
  started.statements += 1;
  if (settled.kind === 'failed') throw settled.error;
  return settled.result;
}

export interface CheckOptions {
  readonly waitMs: number;
  /** Rejects columns that do not depend on grouped ones, on MariaDB too. */
  readonly groupsStrictly: boolean;
}

/**
 * Lets the server parse a user's statement and resolve its names with the rights of the account. Nothing is
 * run. Throws like `runStatements`.
 */
export async function checkStatement(
  pools: TenantPools,
  target: RunTarget,
  { waitMs, groupsStrictly }: CheckOptions,
  sql: string,
): Promise<void> {
  const session = await pools.acquire(target.server, target.account, waitMs);
  session.isTainted = true;
  try {
    if (groupsStrictly && target.server.engine === 'mariadb') await session.command(GROUP_STRICTLY);
    await session.check(sql);
  } catch (error) {
    throw toRunError(error);
  } finally {
    pools.release(session);
  }
}

async function runWrite<T>(callback: () => Promise<T>, started: Begun): Promise<T> {
  try {
    return await callback();
  } catch (error) {
    throw toWriteFault(error, started);
  }
}

/** Converts the error of an autocommitted write, after something was sent. */
function toWriteFault(error: unknown, { statements }: Begun): unknown {
  if (error instanceof DatabaseFault) error.isBehindWrite = statements > 1;
  return error instanceof ConnectionLostError || isHalfCommitted(error) ? outcomeUnknown(error) : error;
}

async function runTransaction<T>(
  session: PoolSession,
  mode: RunMode,
  callback: () => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await callback();
  } catch (error) {
    await rollBack(session);
    throw error;
  }
  if (mode === 'transaction') await commit(session);
  else await rollBack(session);
  return result;
}

/** A session that cannot roll back is not used again. */
export async function rollBack(session: PoolSession): Promise<void> {
  if (session.isLost || session.isDoomed) return;
  try {
    await session.command('ROLLBACK');
  } catch {
    session.destroy('ROLLBACK failed');
  }
}

/** A rejected COMMIT has rolled back. A COMMIT without a response may have succeeded. */
async function commit(session: PoolSession): Promise<void> {
  try {
    await session.command('COMMIT');
  } catch (error) {
    if (error instanceof ConnectionLostError) throw outcomeUnknown(error);
    await rollBack(session);
    if (isHalfCommitted(error)) throw outcomeUnknown(error);
    throw error;
  }
}

function isRetryable(error: unknown, mode: RunMode): boolean {
  if (error instanceof DatabaseFault)
    return (isLockFault(error) || isNodeUnavailable(error)) && !error.isBehindWrite;
  // With `write`, a lost session means an unknown outcome. In a transaction, nothing was committed yet.
  return error instanceof ConnectionLostError && !error.isTimeout && mode !== 'write';
}

/**
 * Converts rejections and lost sessions to errors for callers. A DatabaseFault that is not a timeout is
 * returned unchanged.
 */
export function toRunError(error: unknown): unknown {
  if (error instanceof DatabaseFault && !error.isBehindWrite && TIMEOUT_NUMBERS.has(error.errno))
    return new AppError('limit.statement_time', { internal: error.sqlMessage, cause: error });
  if (error instanceof DatabaseFault && !error.isBehindWrite && isNodeUnavailable(error))
    return new AppError('db.unavailable', { retryAfterSeconds: 1, internal: error.sqlMessage, cause: error });
  if (!(error instanceof ConnectionLostError)) return error;
  if (error.isTimeout) return new AppError('limit.statement_time', { internal: error.message, cause: error });
  return new AppError('db.unavailable', { retryAfterSeconds: 1, internal: error.message, cause: error });
}

/** The node lost its cluster while the write was being replicated. */
function isHalfCommitted(error: unknown): error is DatabaseFault {
  return error instanceof DatabaseFault && error.errno === COMMIT_FAILED && !error.isBehindWrite;
}

function outcomeUnknown(error: ConnectionLostError | DatabaseFault): AppError {
  return new AppError('db.outcome_unknown', { internal: error.message, cause: error });
}
