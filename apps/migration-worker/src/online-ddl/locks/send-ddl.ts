import { AppError } from '@rowhouse/errors';
import type { AdminConnection } from '@rowhouse/mysql';
import { openPrepared } from '../../servers/lazy-connection.js';
import { assertMayContinue, type Run } from '../run-state.js';
import { runBehindGates, runWithShortLocks, type Gate, type LockWaitOptions } from './short-locks.js';
import { setTimeout as pause } from 'node:timers/promises';
import { lexSql, type SqlToken } from '@rowhouse/query-engine';

/**
 * Limits for parsing a statement that the worker itself wrote. Schema texts are limited when they are
 * submitted.
 */
const LEX_BOUNDS = { bytesMax: 4 * 1024 * 1024, depthMax: 256, tokensMax: 800_000 };

/**
 * The pause between two locks on busy tables in milliseconds. The statements that waited for the first lock
 * run during the pause.
 */
const REST_MS = 60;

/** The number of attempts after which the journal reports that the run waits for a lock. */
const ATTEMPTS_UNTIL_REPORTED = 3;
const GATE_IDLE_SECONDS_MAX = 5;

/**
 * Sends one statement over the run's session, or over another session that was prepared for short locks. No
 * request has to wait for the statement.
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
 * Sends one statement like `sendDdl`, while writes to the tables `gated` are blocked. Only triggers of these
 * tables write to `tables`.
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
 * Opens a gate session. With foreign key checks off, locking a table locks no other table. If the worker
 * stalls, the server ends the session and its lock.
 */
function openGate(run: Run): Promise<AdminConnection> {
  const opening = run.ctx.access.openMigrator(run.server, run.database, run.accounts);
  return openPrepared(opening, (session) =>
    session.run(`SET SESSION foreign_key_checks = 0, wait_timeout = ${GATE_IDLE_SECONDS_MAX}`),
  );
}

/**
 * Reports in the journal that the run waits for a lock, until the statement has the lock. The statement
 * itself may take an hour.
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
      // If the report fails, the statement continues, and the journal is updated at its end.
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
    // The report is also cleared after an error, because the run may continue with another statement.
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
 * Returns the tables that follow `REFERENCES`, because adding a foreign key locks both tables. Strings and
 * comments are ignored. Returns an empty list for a statement that cannot be parsed.
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
 * Splits a statement into tokens and omits comments. In the output of servers, executable comments contain
 * options such as partitions, but never a key.
 */
function readTokens(sql: string): SqlToken[] {
  try {
    return lexSql(sql, LEX_BOUNDS).filter((token) => token.kind !== 'comment');
  } catch {
    return [];
  }
}
