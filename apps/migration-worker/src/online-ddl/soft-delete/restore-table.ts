import { sideSchemaName } from '@rowhouse/contracts';
import type { RestoreColumnsDetails, RestoreTableDetails } from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { introspectTable, quoteName } from '@rowhouse/mysql';
import type { JournalStep } from '@rowhouse/platform-store';
import { runCreateStep } from '../steps/run-create-step.js';
import type { Run } from '../run-state.js';
import { sendDdl } from '../locks/send-ddl.js';
import { alterWithFallback } from '../steps/alter-with-fallback.js';
import { readTable } from '../rebuild/read-rebuild-details.js';

/** Moves the soft-deleted table back with its rows. Later steps of the plan add its keys and triggers. */
export async function restoreTable(run: Run, step: JournalStep, details: RestoreTableDetails): Promise<void> {
  const { schemaName } = run.database;
  const side = sideSchemaName(schemaName);
  await runCreateStep(run, step, 'restore_table', async () => {
    const retained = await introspectTable(run.connection, side, run.server.engine, details.keptName);
    if (retained !== null) {
      await sendDdl(
        run,
        `RENAME TABLE ${quoteName(side)}.${quoteName(details.keptName)} TO ${quoteName(schemaName)}.${quoteName(step.table)}`,
        [step.table],
      );
      run.ctx.failPoint('restore-moved');
    } else if ((await introspectTable(run.connection, schemaName, run.server.engine, step.table)) === null) {
      throw new AppError('schema.not_possible', {
        detail: `The retained data of ${step.table} no longer exists.`,
        hint: 'Its retention period ended, or it was purged.',
        extra: { table: step.table },
      });
    }
    await run.ctx.softDeleted.markRestored(details.keptId);
  });
}

/** Renames soft-deleted columns back. One ALTER renames all of them or none. */
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
        detail: `The retained data of ${names} no longer exists.`,
        hint: 'Its retention period ended, or it was purged.',
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
    for (const column of details.columns) await run.ctx.softDeleted.markRestored(column.keptId);
  });
}
