import type { AdminConnection } from '@rowhouse/mysql';
import { assertMayGoOn, type Run } from './run-state.js';
import { runWithShortLocks, type LockPatience } from './short-locks.js';

/** After this many tries the journal says that the run waits for a lock. */
const TRIES_UNTIL_TOLD = 3;

/** Sends one statement over the run's session (or another that was prepared for short locks) and lets no request wait behind it. */
export async function sendDdl(run: Run, sql: string, tables: readonly string[], connection: AdminConnection = run.connection): Promise<void> {
  let isTold = false;
  await runWithShortLocks(connection, sql, {
    ...makePatience(run, tables),
    async beforeRetry(tries) {
      if (tries === TRIES_UNTIL_TOLD) {
        isTold = true;
        await run.ctx.migrations.setState(run.migration, 'waiting_for_lock');
      }
      await assertMayGoOn(run);
    },
  });
  if (isTold) await run.ctx.migrations.setState(run.migration, run.state.current);
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
