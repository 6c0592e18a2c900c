import { sideSchemaName } from '@rowhouse/contracts';
import type { RestoreTableDetails } from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { introspectTable, quoteName } from '@rowhouse/mysql';
import type { JournalStep } from '@rowhouse/platform-store';
import { runCreateStep } from '../made-step.js';
import type { Run } from '../run-state.js';
import { sendDdl } from '../send-ddl.js';

/** Moves the retained table back with its rows. Later steps of the plan add its keys and triggers. */
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
        detail: `What was kept of ${step.table} is gone.`,
        hint: 'Its time was over, or it was purged.',
        extra: { table: step.table },
      });
    }
    await run.ctx.kept.markRestored(details.keptId);
  });
}
