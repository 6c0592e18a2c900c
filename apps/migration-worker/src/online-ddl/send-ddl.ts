import { AppError } from '@rowhouse/errors';
import type { AdminConnection } from '@rowhouse/mysql';
import { openPrepared } from '../servers/open-prepared.js';
import { assertMayGoOn, type Run } from './run-state.js';
import { runBehindGates, runWithShortLocks, type Gate, type LockPatience } from './short-locks.js';

/** After this many tries the journal says that the run waits for a lock. */
const TRIES_UNTIL_TOLD = 3;
const GATE_IDLE_SECONDS_MAX = 5;

/** Sends one statement over the run's session (or another that was prepared for short locks) and lets no request wait behind it. */
export async function sendDdl(run: Run, sql: string, tables: readonly string[], connection: AdminConnection = run.connection): Promise<void> {
  await whileTold(run, tables, (patience) => runWithShortLocks(connection, sql, patience));
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

async function whileTold(run: Run, tables: readonly string[], work: (patience: LockPatience) => Promise<void>): Promise<void> {
  let isTold = false;
  try {
    await work({
      ...makePatience(run, tables),
      async beforeRetry(tries) {
        if (tries === TRIES_UNTIL_TOLD) {
          isTold = true;
          run.lease.setWaiting(true);
          await run.ctx.migrations.setState(run.migration, 'waiting_for_lock');
        }
        await assertMayGoOn(run);
      },
    });
  } finally {
    run.lease.setWaiting(false);
    // Another statement may follow one that was refused.
    if (isTold && !run.lease.signal.aborted) await run.ctx.migrations.setState(run.migration, run.state.current);
  }
}

function makePatience(run: Run, tables: readonly string[]): Omit<LockPatience, 'beforeRetry'> {
  const seconds = run.database.settings.end_idle_transactions_after_seconds;
  return {
    capabilities: run.capabilities,
    watcher: () => run.watcher.get(),
    schemaName: run.database.schemaName,
    tables,
    endHoldersAfterMs: seconds === null ? null : seconds * 1_000,
  };
}
