import { plainStep, type PlannedStep } from '@rowhouse/ddl-plan';
import { quoteName } from '@rowhouse/mysql';
import type { WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { CounterSetting } from '@rowhouse/query-engine';
import type { Snapshot } from '@rowhouse/schema-model';
import { withConnection } from '../servers/server-access.js';
import { readNextNumber } from '../snapshots/table-statistics.js';
import type { DatabaseAccess } from '../worker-context.js';

interface CounterSteps {
  readonly steps: readonly PlannedStep[];
  /** One sentence for each setting whose table does not exist. */
  readonly notes: readonly string[];
}

/**
 * Plans the steps that raise AUTO_INCREMENT to the last number set for each table. A number is never lowered,
 * because ids of deleted rows would be reused.
 */
export async function planCounters(
  ctx: DatabaseAccess,
  database: WorkerDatabase,
  server: WorkerServer,
  target: Snapshot,
  settings: readonly CounterSetting[],
): Promise<CounterSteps> {
  if (settings.length === 0) return { steps: [], notes: [] };
  const accounts = await ctx.directory.listAccounts(database.id);
  const steps: PlannedStep[] = [];
  const notes: string[] = [];
  await withConnection(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    for (const { table, next } of new Map(
      settings.map((setting) => [setting.table.toLowerCase(), setting]),
    ).values()) {
      const found =
        target.tables.find((entry) => entry.name === table) ??
        target.tables.find((entry) => entry.name.toLowerCase() === table.toLowerCase());
      if (found === undefined || !found.columns.some((column) => column.autoIncrement)) {
        notes.push(
          `AUTO_INCREMENT of ${table} was not set to ${next}, because the schema has no table ${table} ` +
            'with such a column.',
        );
        continue;
      }
      const existing = await connection.rows(
        'SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?',
        [database.schemaName, found.name],
      );
      const current = existing.length === 0 ? null : await readNextNumber(connection, quoteName(found.name));
      if (BigInt(next) > BigInt(current ?? '1')) steps.push(counterStep(found.name, next));
    }
  });
  return { steps, notes };
}

function counterStep(table: string, next: string): PlannedStep {
  return plainStep('alter_table', table, 'widen', `ALTER TABLE ${quoteName(table)} AUTO_INCREMENT = ${next}`);
}
