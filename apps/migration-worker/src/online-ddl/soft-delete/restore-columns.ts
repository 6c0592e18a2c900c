import type { RestoreColumnsDetails } from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { quoteName } from '@rowhouse/mysql';
import type { JournalStep } from '@rowhouse/platform-store';
import { alterWithFallback } from '../alter-with-fallback.js';
import { runCreateStep } from '../made-step.js';
import { readTable } from '../rebuild/read-rebuild-details.js';
import type { Run } from '../run-state.js';

/** Gives retained columns their names back. One ALTER handles all or none. */
export async function restoreColumns(
  run: Run,
  step: JournalStep,
  details: RestoreColumnsDetails,
): Promise<void> {
  await runCreateStep(run, step, 'restore_columns', async () => {
    const present = new Set((await readTable(run, step.table)).columns.map((column) => column.name));
    const waiting = details.columns.filter((column) => !present.has(column.name));
    const removed = waiting.filter((column) => !present.has(column.keptName));
    if (removed.length > 0) {
      const names = removed.map((column) => `${step.table}.${column.name}`).join(', ');
      throw new AppError('schema.not_possible', {
        detail: `What was kept of ${names} is gone.`,
        hint: 'Its time was over, or it was purged.',
        extra: { table: step.table },
      });
    }
    const specs = waiting.map(
      (column) =>
        `CHANGE COLUMN ${quoteName(column.keptName)} ${quoteName(column.name)} ${column.definition}`,
    );
    if (specs.length > 0)
      await alterWithFallback(run, `ALTER TABLE ${quoteName(step.table)} ${specs.join(', ')}`, step.table);
    run.ctx.failPoint('restore-moved');
    for (const column of details.columns) await run.ctx.kept.markRestored(column.keptId);
  });
}
