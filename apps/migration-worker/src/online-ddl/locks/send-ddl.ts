import { AppError } from '@rowhouse/errors';
import type { AdminConnection } from '@rowhouse/mysql';
import { openPrepared } from '../../servers/lazy-connection.js';
import { assertMayContinue, type Run } from '../run-state.js';
import { runBehindGates, runWithShortLocks, type Gate, type LockWaitOptions } from './short-locks.js';
import { setTimeout as pause } from 'node:timers/promises';
import { lexSql, type SqlToken } from '@rowhouse/query-engine';

/**
 * The limits for parsing a statement that the worker itself wrote. SQL from users is limited when it is
 * submitted.
 */
const LEX_BOUNDS = { bytesMax: 4 * 1024 * 1024, depthMax: 256, tokensMax: 800_000 };

/**
 * The pause between two attempts to lock busy tables, in milliseconds. Statements that waited during the
 * first attempt run in this pause.
 */
const REST_MS = 60;

/** After this number of attempts, the journal reports that the run waits for a lock. */
const ATTEMPTS_UNTIL_REPORTED = 3;
const GATE_IDLE_SECONDS_MAX = 5;

/**
 * Sends one statement over the run's session or another session that is prepared for short locks. The
 * statement never makes requests wait for long.
 */
export async function sendDdl(
  run: Run,
  sql: string,
  tables: readonly string[],
  connection: AdminConnection = run.connection,
): Promise<void> {
  await whileReported(run, [...tables, ...readReferredTables(sql)], (lockWait) =>
    runWithShortLocks(connection, sql, lockWait),
  );
}

/**
 * Sends one statement as `sendDdl` does, while writes to the tables `gated` are blocked. These tables are the
 * only ones whose triggers write to `tables`.
 */
export async function sendGatedDdl(
  run: Run,
  sql: string,
  tables: readonly string[],
  gated: readonly string[],
): Promise<void> {
  const gates: Gate[] = [];
  try {
    for (const table of gated) gates.push({ table, session: await openGate(run) });
    await whileReported(run, tables, (lockWait) => runBehindGates(run.connection, sql, lockWait, gates));
  } catch (error) {
    throw gates.some(({ session }) => session.isLost())
      ? new AppError('db.unavailable', { internal: 'a session that kept writes out was lost', cause: error })
      : error;
  } finally {
    for (const { session } of gates) await session.close();
  }
}

/**
 * Opens a session that blocks writes to a table by locking it. Foreign key checks are off, so locking the
 * table locks no other table. If the worker stalls, the server ends the session, which releases the lock.
 */
function openGate(run: Run): Promise<AdminConnection> {
  const opening = run.ctx.access.openMigrator(run.server, run.database, run.accounts);
  return openPrepared(opening, (session) =>
    session.run(`SET SESSION foreign_key_checks = 0, wait_timeout = ${GATE_IDLE_SECONDS_MAX}`),
  );
}

/**
 * Reports in the journal that the run waits for a lock. The report ends as soon as the statement has the
 * lock, because the statement itself may take an hour.
 */
async function whileReported(
  run: Run,
  tables: readonly string[],
  callback: (lockWait: LockWaitOptions) => Promise<void>,
): Promise<void> {
  let isReported = false;
  let reporting: Promise<void> = Promise.resolve();
  const report = (isWaiting: boolean): Promise<void> => {
    if (isReported !== isWaiting && !run.lease.signal.aborted) {
      isReported = isWaiting;
      run.lease.setWaiting(isWaiting);
      reporting = reporting.then(() =>
        run.ctx.migrations.setState(run.migration, isWaiting ? 'waiting_for_lock' : run.state.current),
      );
    }
    return reporting;
  };
  try {
    await callback({
      ...makeLockWait(run, tables),
      // If this report fails, the statement continues. The journal is then updated when the statement ends.
      onAtWork: () =>
        void report(false).catch(() => {
          isReported = true;
          reporting = Promise.resolve();
        }),
      async beforeRetry(attempts) {
        if (attempts >= ATTEMPTS_UNTIL_REPORTED) await report(true);
        await assertMayContinue(run);
      },
    });
  } finally {
    run.lease.setWaiting(false);
    // The report also ends after an error, because the run may continue with another statement.
    await report(false);
  }
}

function makeLockWait(
  run: Run,
  tables: readonly string[],
): Omit<LockWaitOptions, 'beforeRetry' | 'onAtWork'> {
  const seconds = run.database.settings.end_idle_transactions_after_seconds;
  return {
    capabilities: run.capabilities,
    watcher: () => run.watcher.get(),
    schemaName: run.database.schemaName,
    tables,
    endHoldersAfterMs: seconds === null ? null : seconds * 1_000,
  };
}

export function pauseBetweenLocks(): Promise<void> {
  return pause(REST_MS);
}

/**
 * Returns the tables that follow REFERENCES in a statement. Adding a foreign key locks them too. Strings and
 * comments are ignored. Returns an empty list if the statement cannot be parsed.
 */
export function readReferredTables(sql: string): string[] {
  if (!/\breferences\b/i.test(sql)) return [];
  const tokens = readTokens(sql);
  const found = tokens.flatMap((token, index) => {
    if (token.kind !== 'word' || token.value !== 'REFERENCES') return [];
    const isQualified = tokens[index + 2]?.text === '.';
    const name = tokens[index + (isQualified ? 3 : 1)];
    return name?.kind === 'quoted' ? [name.value] : name?.kind === 'word' ? [name.text] : [];
  });
  return [...new Set(found)];
}

/**
 * Splits a statement into tokens without comments. In the output of servers, executable comments contain
 * options such as partitions, but never a foreign key.
 */
function readTokens(sql: string): SqlToken[] {
  try {
    return lexSql(sql, LEX_BOUNDS).filter((token) => token.kind !== 'comment');
  } catch {
    return [];
  }
}
