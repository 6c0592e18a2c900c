import type { ExclusiveAlter, ExclusiveDetails } from '@rowhouse/ddl-plan';
import { introspectTable, quoteName } from '@rowhouse/mysql';
import type { DdlCheckpoint, DdlStep, ExclusivePosition } from '@rowhouse/platform-store';
import { alterWithFallback } from '../steps/alter-with-fallback.js';
import { transferSettings } from '../named-settings.js';
import { runCreateStep } from '../steps/run-create-step.js';
import { withPausedRequests } from '../pause-requests.js';
import { publishCurrentSchema, regrant } from '../publish-run.js';
import { assertMayContinue, withoutCancelling, type Run } from '../run-state.js';
import { sendDdl } from '../locks/send-ddl.js';
import { setAside, listSoftDeletedColumns } from './set-aside.js';
import { dropMarker, passTableNames } from './pass-table-names.js';

const FIRST_POSITION: ExclusivePosition = { areTablesRenamed: false, altered: 0, columnsBefore: null };

/** Returns how far an unfinished exclusive step has progressed. */
export function readPosition({ exclusive }: DdlCheckpoint): ExclusivePosition {
  return exclusive ?? FIRST_POSITION;
}

/**
 * Runs an exclusive step, which gives names to other objects, while all requests are paused. It then
 * publishes what the names now mean. If another worker takes over, it continues at the statement where the
 * earlier one ended, and requests stay paused until then.
 */
export async function runExclusive(
  run: Run,
  step: DdlStep,
  index: number,
  details: ExclusiveDetails,
): Promise<void> {
  // Before the names change, the settings hide each hidden column under both names.
  await transferSettings(run);
  await regrant(run);
  await runCreateStep(run, step, 'exclusive', async () => {
    // Once a name has changed, the step can no longer be reverted, so it must not be cancelled.
    await withPausedRequests(run, () =>
      withoutCancelling(run, async () => {
        await makeChanges(run, step, index, details);
        await regrant(run);
        await publishCurrentSchema(run, 'migration');
        run.ctx.failPoint('exclusive-published');
      }),
    );
    for (const entry of [...details.restoredTables, ...details.alters.flatMap((alter) => alter.restored)])
      await run.ctx.softDeleted.markRestored(entry.keptId);
  });
}

async function makeChanges(run: Run, step: DdlStep, index: number, details: ExclusiveDetails): Promise<void> {
  let position = readPosition(step.checkpoint);
  const save = async (next: ExclusivePosition): Promise<void> => {
    position = next;
    await run.ctx.steps.checkpoint(run.migration, step.ordinal, {
      ...step.checkpoint,
      exclusive: next,
    });
  };
  if (!position.areTablesRenamed) {
    await setAside(run, index, details);
    await passTableNames(run, index, details);
    await save({ ...position, areTablesRenamed: true });
  }
  for (const [offset, alter] of details.alters.entries()) {
    if (offset < position.altered) continue;
    const { columns, key } = await readShape(run, alter.table);
    const isChanged = position.columnsBefore !== columns || (position.keyBefore ?? key) !== key;
    const wasSent = offset === position.altered && position.columnsBefore !== null && isChanged;
    if (!wasSent) {
      await save({ ...position, columnsBefore: columns, keyBefore: key });
      run.ctx.failPoint('exclusive-alter');
      await alterWithFallback(run, alterText(run, index, details, alter), alter.table);
      run.ctx.failPoint('exclusive-altered');
    }
    await save({ ...position, altered: offset + 1, columnsBefore: null });
  }
  for (const { table, sql } of details.creates) {
    await assertMayContinue(run);
    if ((await introspectTable(run.connection, run.database.schemaName, run.server.engine, table)) === null)
      await sendDdl(run, sql, [table]);
  }
  await dropMarker(run, index, details);
}

/**
 * Returns the names of a table's columns in order, including hidden ones, and its primary key. Each ALTER of
 * an exclusive step changes one of the two, so the result shows which ALTER has run.
 */
async function readShape(run: Run, table: string): Promise<{ columns: string; key: string }> {
  const existing = await introspectTable(run.connection, run.database.schemaName, run.server.engine, table);
  const primary = existing?.indexes.find((index) => index.name === 'PRIMARY');
  return {
    columns: JSON.stringify(existing?.columns.map((column) => column.name) ?? null),
    key: primary?.definition ?? '',
  };
}

function alterText(run: Run, index: number, details: ExclusiveDetails, alter: ExclusiveAlter): string {
  const own = new Set(alter.kept.map((column) => column.name));
  const retained = listSoftDeletedColumns(run, index, details).filter(
    (column) => column.table === alter.table && own.has(column.name),
  );
  const specs = [
    ...retained.map(
      (column) =>
        `CHANGE COLUMN ${quoteName(column.name)} ${quoteName(column.keptName)} ${column.definition}`,
    ),
    ...alter.renames.map((move) => `RENAME COLUMN ${quoteName(move.from)} TO ${quoteName(move.to)}`),
    ...alter.restored.map(
      (column) =>
        `CHANGE COLUMN ${quoteName(column.keptName)} ${quoteName(column.name)} ${column.definition}`,
    ),
    ...alter.specs,
  ];
  return `ALTER TABLE ${quoteName(alter.table)} ${specs.join(', ')}`;
}
