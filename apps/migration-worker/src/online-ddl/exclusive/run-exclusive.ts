import type { ExclusiveAlter, ExclusiveDetails } from '@rowhouse/ddl-plan';
import { introspectTable, quoteName } from '@rowhouse/mysql';
import type { JournalStep } from '@rowhouse/platform-store';
import { climb } from '../climb.js';
import { carrySettings } from '../keep-named-settings.js';
import { runMadeStep } from '../made-step.js';
import { withPausedRequests } from '../pause-requests.js';
import { publishWhatStands, regrant } from '../publish-run.js';
import { assertMayGoOn, type Run } from '../run-state.js';
import { sendDdl } from '../send-ddl.js';
import { keepAside, listKeptColumns } from './keep-aside.js';
import { dropMarker, passTableNames } from './pass-table-names.js';

/** What an exclusive step has done. It is written down before each statement, and tells what a failed run has done. */
export interface ExclusivePosition {
  /** Whether all tables have their new names. */
  readonly areTablesRenamed: boolean;
  /** How many of the ALTERs are done. */
  readonly altered: number;
  /** The columns of the next table when its ALTER was sent; null before. */
  readonly columnsBefore: string | null;
  /** Its primary key then; not written by earlier versions. */
  readonly keyBefore?: string;
}

/** Returns how far an exclusive step that is not done has come. */
export function readPosition(checkpoint: JournalStep['checkpoint']): ExclusivePosition {
  return (checkpoint?.['exclusive'] as ExclusivePosition | undefined) ?? { areTablesRenamed: false, altered: 0, columnsBefore: null };
}

/**
 * Gives names to other objects while no request runs, and publishes what they mean then. A run that takes over goes on at
 * the statement at which the earlier one ended: requests stay paused until then.
 */
export async function runExclusive(run: Run, step: JournalStep, index: number, details: ExclusiveDetails): Promise<void> {
  // What is hidden is hidden under both names before the names pass on.
  await carrySettings(run);
  await regrant(run);
  await runMadeStep(run, step, 'exclusive', async () => {
    // Nothing can be taken back by halves once a name has passed on.
    await withPausedRequests(run, async () => {
      run.state.mayCancel = false;
      try {
        await makeChanges(run, step, index, details);
        await regrant(run);
        await publishWhatStands(run, 'migration');
        run.ctx.failPoint('exclusive-published');
      } finally {
        run.state.mayCancel = true;
      }
    });
    for (const entry of [...details.restoredTables, ...details.alters.flatMap((alter) => alter.restored)]) await run.ctx.kept.markRestored(entry.keptId);
  });
}

async function makeChanges(run: Run, step: JournalStep, index: number, details: ExclusiveDetails): Promise<void> {
  let position = readPosition(step.checkpoint);
  const save = async (next: ExclusivePosition): Promise<void> => {
    position = next;
    await run.ctx.steps.checkpoint(run.migration, step.ordinal, { ...step.checkpoint, exclusive: { ...next } });
  };
  if (!position.areTablesRenamed) {
    await keepAside(run, index, details);
    await passTableNames(run, index, details);
    await save({ ...position, areTablesRenamed: true });
  }
  for (const [at, alter] of details.alters.entries()) {
    if (at < position.altered) continue;
    const { columns, key } = await readShape(run, alter.table);
    const isChanged = position.columnsBefore !== columns || (position.keyBefore ?? key) !== key;
    const wasSent = at === position.altered && position.columnsBefore !== null && isChanged;
    if (!wasSent) {
      await save({ ...position, columnsBefore: columns, keyBefore: key });
      run.ctx.failPoint('exclusive-alter');
      await climb(run, alterText(run, index, details, alter), alter.table);
      run.ctx.failPoint('exclusive-altered');
    }
    await save({ ...position, altered: at + 1, columnsBefore: null });
  }
  for (const { table, sql } of details.creates) {
    await assertMayGoOn(run);
    if ((await introspectTable(run.connection, run.database.schemaName, run.server.engine, table)) === null) await sendDdl(run, sql, [table]);
  }
  await dropMarker(run, index, details);
}

/** The names of all columns in their order, hidden ones too, and the primary key: every ALTER of an exclusive step changes one. */
async function readShape(run: Run, table: string): Promise<{ columns: string; key: string }> {
  const standing = await introspectTable(run.connection, run.database.schemaName, run.server.engine, table);
  const primary = standing?.indexes.find((index) => index.name === 'PRIMARY');
  return { columns: JSON.stringify(standing?.columns.map((column) => column.name) ?? null), key: primary?.definition ?? '' };
}

function alterText(run: Run, index: number, details: ExclusiveDetails, alter: ExclusiveAlter): string {
  const own = new Set(alter.kept.map((column) => column.name));
  const kept = listKeptColumns(run, index, details).filter((column) => column.table === alter.table && own.has(column.name));
  const specs = [
    ...kept.map((column) => `CHANGE COLUMN ${quoteName(column.name)} ${quoteName(column.keptName)} ${column.definition}`),
    ...alter.renames.map((move) => `RENAME COLUMN ${quoteName(move.from)} TO ${quoteName(move.to)}`),
    ...alter.restored.map((column) => `CHANGE COLUMN ${quoteName(column.keptName)} ${quoteName(column.name)} ${column.definition}`),
    ...alter.specs,
  ];
  return `ALTER TABLE ${quoteName(alter.table)} ${specs.join(', ')}`;
}
