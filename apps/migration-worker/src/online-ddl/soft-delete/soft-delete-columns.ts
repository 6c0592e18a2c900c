import { retainedName, type KeepColumnsDetails } from '@rowhouse/ddl-plan';
import { quoteName } from '@rowhouse/mysql';
import type { JournalStep } from '@rowhouse/platform-store';
import { createId } from '@rowhouse/runtime';
import { alterWithFallback } from '../steps/alter-with-fallback.js';
import { runCreateStep } from '../steps/run-create-step.js';
import { readTable } from '../rebuild/read-rebuild-details.js';
import type { Run } from '../run-state.js';
import { RETENTION_HOURS } from './soft-delete-table.js';

/**
 * Makes dropped columns invisible and gives them reserved names, so that they remain in their table. One
 * ALTER changes all of them or none.
 */
export async function softDeleteColumns(
  run: Run,
  step: JournalStep,
  index: number,
  details: KeepColumnsDetails,
): Promise<void> {
  await runCreateStep(run, step, 'keep_columns', async () => {
    const existing = await readTable(run, step.table);
    const present = new Set(existing.columns.map((column) => column.name));
    const retained = details.columns.map((column, position) => ({
      ...column,
      keptName: retainedName(run.migration.id, index, position),
    }));
    if (retained.every((column) => present.has(column.keptName))) return;
    const base = run.base.tables.find((table) => table.name === step.table);
    for (const column of retained) {
      const before =
        (base ?? existing).columns.find((entry) => entry.name === column.name)?.definition ??
        column.definition;
      await run.ctx.softDeleted.keep({
        id: createId('kep'),
        databaseId: run.database.id,
        migrationId: run.migration.id,
        step: index,
        kind: 'column',
        tableName: step.table,
        columnName: column.name,
        keptName: column.keptName,
        hours: RETENTION_HOURS,
        definition: { sql: before, triggers: [], foreignKeys: [] },
      });
    }
    run.ctx.failPoint('keep-written');
    const specs = [
      ...retained.map(
        (column) =>
          `CHANGE COLUMN ${quoteName(column.name)} ${quoteName(column.keptName)} ${column.definition}`,
      ),
      ...details.dropSpecs,
    ];
    await alterWithFallback(run, `ALTER TABLE ${quoteName(step.table)} ${specs.join(', ')}`, step.table);
  });
}
