import { keptName, type KeepColumnsDetails } from '@rowhouse/ddl-plan';
import { quoteName } from '@rowhouse/mysql';
import type { JournalStep } from '@rowhouse/platform-store';
import { createId } from '@rowhouse/runtime';
import { climb } from '../climb.js';
import { runMadeStep } from '../made-step.js';
import { readTable } from '../rebuild/read-rebuild-facts.js';
import type { Run } from '../run-state.js';
import { KEPT_HOURS } from './keep-table.js';

/**
 * Retains dropped columns in their table, invisible and under reserved names. One ALTER handles all or none.
 */
export async function keepColumns(run: Run, step: JournalStep, index: number, details: KeepColumnsDetails): Promise<void> {
  await runMadeStep(run, step, 'keep_columns', async () => {
    const standing = await readTable(run, step.table);
    const present = new Set(standing.columns.map((column) => column.name));
    const kept = details.columns.map((column, at) => ({ ...column, keptName: keptName(run.migration.id, index, at) }));
    if (kept.every((column) => present.has(column.keptName))) return;
    const base = run.base.tables.find((table) => table.name === step.table);
    for (const column of kept) {
      const before = (base ?? standing).columns.find((entry) => entry.name === column.name)?.definition ?? column.definition;
      await run.ctx.kept.keep({
        id: createId('kep'), databaseId: run.database.id, migrationId: run.migration.id, step: index, kind: 'column', tableName: step.table, columnName: column.name, keptName: column.keptName, hours: KEPT_HOURS,
        definition: { sql: before, triggers: [], foreignKeys: [] },
      });
    }
    run.ctx.failPoint('keep-written');
    const specs = [...kept.map((column) => `CHANGE COLUMN ${quoteName(column.name)} ${quoteName(column.keptName)} ${column.definition}`), ...details.dropSpecs];
    await climb(run, `ALTER TABLE ${quoteName(step.table)} ${specs.join(', ')}`, step.table);
  });
}
