import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { Run } from '../run-state.js';
import { sendDdl } from '../locks/send-ddl.js';
import { settleTriggers } from './triggers/move-triggers.js';
import type { UserTrigger } from '@rowhouse/platform-store';
import type { SwapPair } from './rebuild-names.js';

/**
 * Determines how far a swap of tables has progressed, and then completes or reverts it. Returns true if all
 * tables are swapped. Returns false if none is, so that the swap can start again. `triggers` were recorded
 * before the swap began.
 */
export async function repairSwap(
  run: Run,
  pairs: readonly SwapPair[],
  triggers: readonly UserTrigger[],
): Promise<boolean> {
  const present = await listTables(run.connection, run.database.schemaName, pairs);
  const hasStarted = pairs.some((pair) => present.has(pair.old));
  if (hasStarted) {
    const open = pairs.filter((pair) => present.has(pair.shadow));
    for (const pair of open) {
      const renameOriginal = present.has(pair.table)
        ? `${quoteName(pair.table)} TO ${quoteName(pair.old)}, `
        : '';
      await sendDdl(
        run,
        `RENAME TABLE ${renameOriginal}${quoteName(pair.shadow)} TO ${quoteName(pair.table)}`,
        [pair.table, pair.shadow],
      );
    }
  }
  await settleTriggers(run, pairs, triggers, hasStarted);
  return hasStarted;
}

async function listTables(
  connection: AdminConnection,
  schemaName: string,
  pairs: readonly SwapPair[],
): Promise<Set<string>> {
  const names = pairs.flatMap((pair) => [pair.table, pair.shadow, pair.old]);
  const rows = await connection.rows<{ name: string }>(
    `SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME IN (${names.map(() => '?').join(', ')})`,
    [schemaName, ...names],
  );
  return new Set(rows.map((row) => row.name));
}
