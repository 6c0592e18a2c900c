import { AppError } from '@rowhouse/errors';
import { ConnectionLostError, DatabaseFault, isStaleHandle } from '../faults.js';
import type { PoolSession } from '../session/pool-session.js';
import type { Settled, SettledPair } from '../session/statement-sender.js';
import type { PairedStatement, StatementResult } from '../types.js';
import { UnreadableColumnsError } from '../wire/execute-response.js';
import { isHalfCommitted, outcomeUnknown } from './retry.js';

/** The state of a job on the server. */
export interface JobState {
  statements: number;
  /** The command that opens the transaction. Null once it was sent, or if the job has no transaction. */
  opening: string | null;
}

/** Runs one statement. If the command that opens the transaction was not sent yet, it is sent first. */
export async function runAlone<R>(
  session: PoolSession,
  job: JobState,
  run: () => Promise<StatementResult<R>>,
): Promise<StatementResult<R>> {
  const { opening } = job;
  job.statements += 1;
  if (opening !== null) {
    job.opening = null;
    await session.command(opening);
  }
  return run();
}

export async function runPairOn<A, B>(
  session: PoolSession,
  job: JobState,
  write: PairedStatement<A>,
  read: PairedStatement<B>,
  statementMsMax: number | undefined,
): Promise<readonly [StatementResult<A>, StatementResult<B>]> {
  const { opening } = job;
  const runOne = <R>(part: PairedStatement<R>): Promise<StatementResult<R>> =>
    runAlone(session, job, () => session.run(part.sql, part.values, part.makeSink(), statementMsMax));
  const settled = await session.runPair(
    { sql: write.sql, values: write.values, sink: write.makeSink() },
    { sql: read.sql, values: read.values, sink: read.makeSink() },
    statementMsMax,
    opening,
  );
  if (settled === null) return [await runOne(write), await runOne(read)];
  job.opening = null;
  if (opening !== null) assertOpened(settled);
  // The server did not recognize the handle of the write, so it executed neither statement.
  if (hasFailed(settled[0], isStaleHandle)) return [await runOne(write), await runOne(read)];
  const written = unwrap(settled[0], job);
  const isRead = !hasFailed(
    settled[1],
    (error) => isStaleHandle(error) || error instanceof UnreadableColumnsError,
  );
  return [written, isRead ? unwrap(settled[1], job) : await runOne(read)];
}

/**
 * Throws if START TRANSACTION was rejected. The write that was sent with it was then autocommitted, so later
 * statements cannot be rolled back together with it.
 */
function assertOpened([write, , rejected]: SettledPair<unknown, unknown>): void {
  if (rejected === null) return;
  if (write.kind === 'done')
    throw new AppError('db.outcome_unknown', { internal: rejected.message, cause: rejected });
  throw rejected;
}

export function hasFailed(settled: Settled<unknown>, isExpected: (error: unknown) => boolean): boolean {
  return settled.kind === 'failed' && isExpected(settled.error);
}

export function unwrap<R>(settled: Settled<R>, job: JobState): StatementResult<R> {
  job.statements += 1;
  if (settled.kind === 'failed') throw settled.error;
  return settled.result;
}

export async function runWrite<T>(callback: () => Promise<T>, job: JobState): Promise<T> {
  try {
    return await callback();
  } catch (error) {
    throw toWriteFault(error, job);
  }
}

/** Converts the error of a write that commits by itself, after at least one statement was sent. */
export function toWriteFault(error: unknown, { statements }: JobState): unknown {
  if (error instanceof DatabaseFault) error.isBehindWrite = statements > 1;
  return error instanceof ConnectionLostError || isHalfCommitted(error) ? outcomeUnknown(error) : error;
}
