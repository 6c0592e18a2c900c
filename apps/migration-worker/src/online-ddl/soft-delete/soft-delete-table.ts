import { sideSchemaName } from '@rowhouse/contracts';
import { retainedName, type KeepTableDetails, type SoftDeletedDefinition } from '@rowhouse/ddl-plan';
import { introspectTable, quoteName } from '@rowhouse/mysql';
import type { RawTable } from '@rowhouse/schema-model';
import type { JournalStep } from '@rowhouse/platform-store';
import { createId } from '@rowhouse/runtime';
import { createAsDefiner } from '../steps/replace-trigger.js';
import { runCreateStep } from '../steps/run-create-step.js';
import { assertMayContinue, withoutCancelling, type Run } from '../run-state.js';
import { sendDdl } from '../locks/send-ddl.js';
import { isInterruption } from '../../jobs/job-faults.js';

/** The number of hours within which a drop can be reverted. */
export const RETENTION_HOURS = 24;

/**
 * Moves a dropped table to the side schema. Its triggers and foreign keys are recorded and dropped first. A
 * table with triggers cannot be moved, and a foreign key of the moved table would prevent deletes in the
 * table that it references.
 */
export async function softDeleteTable(
  run: Run,
  step: JournalStep,
  index: number,
  details: KeepTableDetails,
): Promise<void> {
  const { schemaName } = run.database;
  const name = retainedName(run.migration.id, index, 0);
  await runCreateStep(run, step, 'keep_table', async () => {
    const existing = await introspectTable(run.connection, schemaName, run.server.engine, step.table);
    if (existing === null) return;
    await run.ctx.softDeleted.keep({
      id: createId('kep'),
      databaseId: run.database.id,
      migrationId: run.migration.id,
      step: index,
      kind: 'table',
      tableName: step.table,
      columnName: null,
      keptName: name,
      hours: RETENTION_HOURS,
      definition: describeSoftDeleted(existing, details),
    });
    run.ctx.failPoint('keep-written');
    try {
      await assertMayContinue(run);
      await moveAside(run, step, existing, name);
    } catch (error) {
      if (!isInterruption(error)) await putBack(run, step.table, name, details);
      throw error;
    }
  });
}

/** Returns the stored definition of a soft-deleted table. */
export function describeSoftDeleted(existing: RawTable, details: KeepTableDetails): SoftDeletedDefinition {
  return {
    sql: existing.createSql,
    triggers: (existing.triggers ?? []).map((trigger) => trigger.createSql),
    foreignKeys: details.foreignKeys.map((key) => ({ name: key.name, definition: key.definition })),
  };
}

/** Drops a table's triggers and foreign keys before the table is soft-deleted. */
export async function stripTable(run: Run, existing: RawTable): Promise<void> {
  for (const trigger of existing.triggers ?? [])
    await sendDdl(run, `DROP TRIGGER ${quoteName(trigger.name)}`, [existing.name]);
  run.ctx.failPoint('keep-triggers-gone');
  if (existing.foreignKeys.length > 0) {
    const specs = existing.foreignKeys.map((key) => `DROP FOREIGN KEY ${quoteName(key.name)}`).join(', ');
    await sendDdl(run, `ALTER TABLE ${quoteName(existing.name)} ${specs}`, [
      existing.name,
      ...existing.foreignKeys.map((key) => key.referencedTable),
    ]);
  }
  run.ctx.failPoint('keep-keys-gone');
}

async function moveAside(run: Run, step: JournalStep, existing: RawTable, name: string): Promise<void> {
  const { schemaName } = run.database;
  await stripTable(run, existing);
  await sendDdl(
    run,
    `RENAME TABLE ${quoteName(schemaName)}.${quoteName(step.table)} TO ${quoteName(sideSchemaName(schemaName))}.${quoteName(name)}`,
    [step.table],
  );
}

/** Creates the dropped triggers and keys again if the table is not soft-deleted after all. */
export async function putBack(
  run: Run,
  table: string,
  name: string,
  details: KeepTableDetails,
): Promise<void> {
  const { schemaName } = run.database;
  const definition = await run.ctx.softDeleted.readDefinition(run.database.id, name);
  const existing = await introspectTable(run.connection, schemaName, run.server.engine, table);
  if (definition === null || existing === null) return;
  await withoutCancelling(run, async () => {
    const keys = new Set(existing.foreignKeys.map((key) => key.name));
    // Keys that an earlier step of the plan has dropped are not created again here.
    const own = details.foreignKeys.filter((key) => key.isStanding && !keys.has(key.name));
    for (const key of own)
      await sendDdl(run, `ALTER TABLE ${quoteName(table)} ADD ${key.definition}`, [table]);
    const triggers = new Set((existing.triggers ?? []).map((trigger) => trigger.createSql));
    for (const trigger of definition.triggers)
      if (!triggers.has(trigger)) await createAsDefiner(run, trigger, table);
    await run.ctx.softDeleted.forget(run.database.id, name);
  });
}
