import { setTimeout as pause } from 'node:timers/promises';
import { AppError, numbersOfKind } from '@rowhouse/errors';
import { AccountShut, COMMIT_FAILED, ConnectionLost, DatabaseFault, isNodeAway, isStaleHandle, NODE_NOT_READY } from './pool-fault.js';
import type { Settled } from './pool-pair.js';
import type { PoolSession } from './pool-session.js';
import type { TenantPools } from './pool.js';
import type { BindValue, KeyedStatement, PoolAccount, PoolServer, RowSink, StatementResult } from './pool-types.js';
import { UnreadableColumns } from './wire/answer.js';
import { NotForLane } from './wire/lane.js';

/**
 * - `read`: statements without a transaction; safe to run again.
 * - `read_only`: one READ ONLY transaction for text that a user wrote; the session is cleaned before anybody uses it again.
 * - `write`: one statement that commits by itself, and reads after it.
 * - `transaction`: all or nothing.
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
  /** A write of one record: see `TenantPools.acquire`. */
  readonly isShort?: boolean;
  /** Of each statement; the pool's own limit otherwise. */
  readonly statementMsMax?: number;
  /** A user wrote the text: the session is cleaned before anybody uses it again. So with `read_only` always. */
  readonly isUserText?: boolean;
  /** Told of a statement that the server is not done with though its caller waits no longer, and when it is. */
  readonly onLeft?: (gone: Promise<void>) => void;
}

/** Runs one prepared statement of the job at hand; `statementMsMax` of this one alone. */
export type RunStatement = <R>(sql: string, values: readonly BindValue[], sink: RowSink<R>, statementMsMax?: number) => Promise<StatementResult<R>>;

/** One of two statements that go together; `makeSink` gives a new sink each time. */
export interface PairedStatement<R> {
  readonly sql: string;
  readonly values: readonly BindValue[];
  makeSink(): RowSink<R>;
}

/**
 * A write, and the read behind it that needs nothing of what the write gives: in one trip where that can be, one after the
 * other where not. Rejects as each alone would: what the read finds is not looked at when the write was refused.
 */
export type RunPair = <A, B>(write: PairedStatement<A>, read: PairedStatement<B>) => Promise<readonly [StatementResult<A>, StatementResult<B>]>;

/** Lock wait time-out and deadlock: surely rolled back by then, so the whole job may run again. */
const LOCK_FAULT_NUMBERS = numbersOfKind('retry');
/** Stopped at the statement time limit (MariaDB, MySQL), or by KILL QUERY. */
const TIMEOUT_NUMBERS = numbersOfKind('timeout');

/**
 * One of two was chosen to give way, at once. While a table is rebuilt that is always the write: it meets the copy in rows
 * and, on MySQL, an ALTER of the shadow in the locks of tables, so long as that tries to be let in.
 */
const DEADLOCK_NUMBERS = [1020, 1213];
/** A node that has left its cluster refuses at once, too; the next attempt goes to another one. */
const REFUSED_AT_ONCE = new Set([...DEADLOCK_NUMBERS, NODE_NOT_READY]);
const REFUSED_ATTEMPTS_MAX = 9;
const PAUSE_FIRST_MS = 8;
const PAUSE_MAX_MS = 150;

/**
 * Runs `work` on a session of the account. `work` may be called again, so it must begin anew each time.
 * Throws DatabaseFault for what the server refused (the transaction is rolled back by then), and AppError:
 * `limit.busy`, `db.unavailable`, `limit.statement_time`, and `db.outcome_unknown` for a write whose end nobody saw.
 * AccountShut, before anything is sent, for what may write while the account's writes are held.
 */
export async function runStatements<T>(pools: TenantPools, target: RunTarget, options: RunOptions, work: (run: RunStatement, runPair: RunPair) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(pools, target, options, work);
    } catch (error) {
      if (attempt >= attemptsMax(error, options.mode)) throw toRunError(error);
      if (attempt > 1) await pause(Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** (attempt - 2)) * (0.5 + Math.random()));
    }
  }
}

/**
 * One read of a row by its key, beside others of its account on one session (`runStatements` otherwise, and again
 * there where it may). `makeSink` gives a new sink for each attempt. Throws as `runStatements` does.
 */
export async function runKeyed<R>(pools: TenantPools, { server, account }: RunTarget, waitMs: number, statement: KeyedStatement, makeSink: () => RowSink<R>): Promise<StatementResult<R>> {
  try {
    return await pools.runKeyed(server, account, waitMs, statement, makeSink());
  } catch (error) {
    if (!(error instanceof NotForLane) && !mayRunAgain(error, 'read')) throw toRunError(error);
    return runStatements(pools, { server, account }, { mode: 'read', waitMs }, (run) => run(statement.sql, statement.params, makeSink()));
  }
}

function attemptsMax(error: unknown, mode: RunMode): number {
  if (!mayRunAgain(error, mode)) return 1;
  return error instanceof DatabaseFault && REFUSED_AT_ONCE.has(error.errno) ? REFUSED_ATTEMPTS_MAX : 2;
}

async function runOnce<T>(pools: TenantPools, target: RunTarget, options: RunOptions, work: (run: RunStatement, runPair: RunPair) => Promise<T>): Promise<T> {
  const session = await pools.acquire(target.server, target.account, options.waitMs, options.isShort);
  // Asked behind the wait for a session: from here on there is none before the first statement.
  if (options.mode !== 'read' && options.mode !== 'read_only' && target.account.isShut?.() === true) {
    pools.release(session);
    throw new AccountShut();
  }
  let begun = 0;
  const changesNothing = options.mode === 'read' || options.mode === 'read_only';
  const run: RunStatement = (sql, values, sink, statementMsMax = options.statementMsMax) => {
    begun += 1;
    return session.run(sql, values, sink, statementMsMax, changesNothing);
  };
  const runPair: RunPair = async (write, read) => {
    const settled = await session.runPair({ ...write, sink: write.makeSink() }, { ...read, sink: read.makeSink() }, options.statementMsMax);
    // A handle that is not known any more has done nothing.
    const isWritten = settled !== null && !hasFailed(settled[0], isStaleHandle);
    const written = isWritten ? unwrap(settled[0], () => void (begun += 1)) : await run(write.sql, write.values, write.makeSink());
    const isRead = isWritten && !hasFailed(settled[1], (error) => isStaleHandle(error) || error instanceof UnreadableColumns);
    return [written, isRead ? unwrap(settled[1], () => void (begun += 1)) : await run(read.sql, read.values, read.makeSink())];
  };
  try {
    if (options.mode === 'read') return await work(run, runPair);
    if (options.mode === 'write') return await runWrite(() => work(run, runPair), () => begun > 1);
    if (options.mode === 'read_only' || options.isUserText === true) session.isTainted = true;
    return await runTransaction(session, options.mode, () => work(run, runPair));
  } finally {
    if (session.gone !== null) options.onLeft?.(session.gone);
    pools.release(session);
  }
}

function hasFailed(settled: Settled<unknown>, isSo: (error: unknown) => boolean): boolean {
  return settled.kind === 'failed' && isSo(settled.error);
}

function unwrap<R>(settled: Settled<R>, onBegun: () => void): StatementResult<R> {
  onBegun();
  if (settled.kind === 'failed') throw settled.error;
  return settled.result;
}

/** Has the server read a user's statement and bind its names, as the account may; nothing of it runs. Throws as `runStatements` does. */
export async function checkStatement(pools: TenantPools, target: RunTarget, waitMs: number, sql: string): Promise<void> {
  const session = await pools.acquire(target.server, target.account, waitMs);
  session.isTainted = true;
  try {
    await session.check(sql);
  } catch (error) {
    throw toRunError(error);
  } finally {
    pools.release(session);
  }
}

async function runWrite<T>(work: () => Promise<T>, isWritten: () => boolean): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseFault) error.isBehindWrite = isWritten();
    throw error instanceof ConnectionLost || isHalfCommitted(error) ? outcomeUnknown(error) : error;
  }
}

async function runTransaction<T>(session: PoolSession, mode: RunMode, work: () => Promise<T>): Promise<T> {
  await session.command(mode === 'read_only' ? 'START TRANSACTION READ ONLY' : 'START TRANSACTION');
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await rollBack(session);
    throw error;
  }
  if (mode === 'transaction') await commit(session);
  else await rollBack(session);
  return result;
}

/** A session that will not roll back is not given to anybody again. */
export async function rollBack(session: PoolSession): Promise<void> {
  if (session.isLost || session.isDoomed) return;
  try {
    await session.command('ROLLBACK');
  } catch {
    session.destroy('ROLLBACK failed');
  }
}

/** A refused COMMIT has rolled back; a COMMIT without an answer may have happened. */
async function commit(session: PoolSession): Promise<void> {
  try {
    await session.command('COMMIT');
  } catch (error) {
    if (error instanceof ConnectionLost) throw outcomeUnknown(error);
    await rollBack(session);
    if (isHalfCommitted(error)) throw outcomeUnknown(error);
    throw error;
  }
}

function mayRunAgain(error: unknown, mode: RunMode): boolean {
  if (error instanceof DatabaseFault) return (LOCK_FAULT_NUMBERS.has(error.errno) || isNodeAway(error)) && !error.isBehindWrite;
  // `write` turns a lost session into an unknown outcome; in a transaction nothing was committed yet.
  return error instanceof ConnectionLost && !error.isTimeout && mode !== 'write';
}

/** What the server's refusals and lost sessions are for a caller; a DatabaseFault that is no time-out stays one. */
export function toRunError(error: unknown): unknown {
  if (error instanceof DatabaseFault && !error.isBehindWrite && TIMEOUT_NUMBERS.has(error.errno)) return new AppError('limit.statement_time', { internal: error.sqlMessage, cause: error });
  if (error instanceof DatabaseFault && !error.isBehindWrite && isNodeAway(error)) return new AppError('db.unavailable', { retryAfterSeconds: 1, internal: error.sqlMessage, cause: error });
  if (!(error instanceof ConnectionLost)) return error;
  if (error.isTimeout) return new AppError('limit.statement_time', { internal: error.message, cause: error });
  return new AppError('db.unavailable', { retryAfterSeconds: 1, internal: error.message, cause: error });
}

/** The node lost its cluster while the write was on its way to the others. */
function isHalfCommitted(error: unknown): error is DatabaseFault {
  return error instanceof DatabaseFault && error.errno === COMMIT_FAILED && !error.isBehindWrite;
}

function outcomeUnknown(error: ConnectionLost | DatabaseFault): AppError {
  return new AppError('db.outcome_unknown', { internal: error.message, cause: error });
}
