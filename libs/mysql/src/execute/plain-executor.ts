import { WritesPausedError } from '../faults.js';
import type { PoolSession } from '../session/pool-session.js';
import type { ShortWrite } from '../types.js';
import type { Executor, WriteOptions, WriteResult } from './executor.js';
import { attemptsMax, pauseBefore, toRunError } from './retry.js';
import type { RunTarget, SessionSource } from './run-options.js';
import { runStatements } from './run-statements.js';
import { runPairOn, toWriteFault, type JobState } from './session-job.js';

/**
 * Returns an executor that runs each statement on a session that no other statement uses at the same time.
 */
export function createPlainExecutor(sessions: SessionSource): Executor {
  return {
    readByKey: (target, waitMs, { sql, params }, makeSink) =>
      runStatements(sessions, target, { mode: 'read', waitMs }, (run) => run(sql, params, makeSink())),
    readFew: (target, waitMs, { sql, params }, makeSink) =>
      runStatements(sessions, target, { mode: 'read', waitMs, need: 'burst' }, (run) =>
        run(sql, params, makeSink()),
      ),
    writeRecord: (target, options, write) => writeRecord(sessions, target, options, write),
    sweep: () => undefined,
  };
}

async function writeRecord<A, B>(
  sessions: SessionSource,
  target: RunTarget,
  options: WriteOptions,
  { write, read }: ShortWrite<A, B>,
): Promise<WriteResult<A, B>> {
  for (let attempt = 1; ; attempt += 1) {
    const job: JobState = { statements: 0, opening: null };
    let session: PoolSession | null = null;
    let failure: unknown;
    let mayBeSent = false;
    try {
      session = await sessions.acquire(target.server, target.account, options.waitMs, 'short');
      if (target.account.isPaused?.() === true) throw new WritesPausedError();
      mayBeSent = true;
      if (read !== null) return await runPairOn(session, job, write, read, options.statementMsMax);
      job.statements += 1;
      return [await session.run(write.sql, write.values, write.makeSink(), options.statementMsMax), null];
    } catch (error) {
      failure = mayBeSent ? toWriteFault(error, job) : error;
    } finally {
      if (session !== null) sessions.release(session);
    }
    if (attempt >= attemptsMax(failure, 'write')) throw toRunError(failure);
    await pauseBefore(attempt);
  }
}
