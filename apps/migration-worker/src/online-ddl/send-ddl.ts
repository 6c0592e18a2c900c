import { AppError } from '@rowhouse/errors';
import type { AdminConnection } from '@rowhouse/mysql';
import { openPrepared } from '../servers/open-prepared.js';
import { readReferredTables } from './read-referred-tables.js';
import { assertMayGoOn, type Run } from './run-state.js';
import { runBehindGates, runWithShortLocks, type Gate, type LockPatience } from './short-locks.js';

/** After this many tries the journal says that the run waits for a lock. */
const TRIES_UNTIL_TOLD = 3;
const GATE_IDLE_SECONDS_MAX = 5;

/** Sends one statement over the run's session (or another that was prepared for short locks) and lets no request wait behind it. */
export async function sendDdl(run: Run, sql: string, tables: readonly string[], connection: AdminConnection = run.connection): Promise<void> {
  await whileTold(run, [...tables, ...readReferredTables(sql)], (patience) => runWithShortLocks(connection, sql, patience));
}

/** The same while no write gets into the tables `gated`, by whose triggers alone others write to `tables`. */
export async function sendGatedDdl(run: Run, sql: string, tables: readonly string[], gated: readonly string[]): Promise<void> {
  const gates: Gate[] = [];
  try {
    for (const table of gated) gates.push({ table, session: await openGate(run) });
    await whileTold(run, tables, (patience) => runBehindGates(run.connection, sql, patience, gates));
  } catch (error) {
    throw gates.some(({ session }) => session.isLost()) ? new AppError('db.unavailable', { internal: 'a session that kept writes out was lost', cause: error }) : error;
  } finally {
    for (const { session } of gates) await session.close();
  }
}

/** Without foreign key checks a lock of one table is a lock of that table alone. A worker that stands still must not keep it. */
function openGate(run: Run): Promise<AdminConnection> {
  const opening = run.ctx.access.openMigrator(run.server, run.database, run.accounts);
  return openPrepared(opening, (session) => session.run(`SET SESSION foreign_key_checks = 0, wait_timeout = ${GATE_IDLE_SECONDS_MAX}`));
}

/** The journal says that the run waits for as long as it does: a statement that came to its tables may take an hour. */
async function whileTold(run: Run, tables: readonly string[], work: (patience: LockPatience) => Promise<void>): Promise<void> {
  let isTold = false;
  let telling: Promise<void> = Promise.resolve();
  const tell = (isWaiting: boolean): Promise<void> => {
    if (isTold !== isWaiting && !run.lease.signal.aborted) {
      isTold = isWaiting;
      run.lease.setWaiting(isWaiting);
      telling = telling.then(() => run.ctx.migrations.setState(run.migration, isWaiting ? 'waiting_for_lock' : run.state.current));
    }
    return telling;
  };
  try {
    await work({
      ...makePatience(run, tables),
      // The statement goes on all the same, and is told at its end.
      onAtWork: () => void tell(false).catch(() => {
        isTold = true;
        telling = Promise.resolve();
      }),
      async beforeRetry(tries) {
        if (tries >= TRIES_UNTIL_TOLD) await tell(true);
        await assertMayGoOn(run);
      },
    });
  } finally {
    run.lease.setWaiting(false);
    // Another statement may follow one that was refused.
    await tell(false);
  }
}

function makePatience(run: Run, tables: readonly string[]): Omit<LockPatience, 'beforeRetry' | 'onAtWork'> {
  const seconds = run.database.settings.end_idle_transactions_after_seconds;
  return {
    capabilities: run.capabilities,
    watcher: () => run.watcher.get(),
    schemaName: run.database.schemaName,
    tables,
    endHoldersAfterMs: seconds === null ? null : seconds * 1_000,
  };
}
