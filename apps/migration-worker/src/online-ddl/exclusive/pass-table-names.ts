import { sideSchemaName } from '@rowhouse/contracts';
import { retainedName, orderMoves, type ExclusiveDetails } from '@rowhouse/ddl-plan';
import { introspectTable, quoteName } from '@rowhouse/mysql';
import { putBack, stripTable } from '../soft-delete/soft-delete-table.js';
import { assertMayContinue, type Run } from '../run-state.js';
import { sendDdl } from '../locks/send-ddl.js';
import { listSoftDeletedTables } from './set-aside.js';
import { isInterruption } from '../../jobs/job-faults.js';

/**
 * Gives all tables their new names with one RENAME, which is atomic on both engines. Two tables with equal
 * structure may swap their names, so the schema does not show whether the RENAME has run. The RENAME
 * therefore also renames an empty marker table, whose name shows this.
 */
export async function passTableNames(run: Run, index: number, details: ExclusiveDetails): Promise<void> {
  if (!movesTables(details)) return;
  const retained = listSoftDeletedTables(run, index, details);
  const marker = markerNames(run, index);
  if (await exists(run, marker.after)) return;
  try {
    await assertMayContinue(run);
    for (const { table } of retained) await strip(run, table);
    run.ctx.failPoint('exclusive-stripped');
    await sendDdl(run, `CREATE TABLE IF NOT EXISTS ${quoteName(marker.before)} (id int PRIMARY KEY)`, [
      marker.before,
    ]);
    await sendDdl(run, renameText(run, index, details, marker), listLocked(run, details));
  } catch (error) {
    if (!isInterruption(error)) await undo(run, details, retained, marker.before);
    throw error;
  }
  run.ctx.failPoint('exclusive-renamed');
}

/** Drops the marker table once the journal records that the tables were renamed. */
export async function dropMarker(run: Run, index: number, details: ExclusiveDetails): Promise<void> {
  const { after } = markerNames(run, index);
  if (movesTables(details)) await sendDdl(run, `DROP TABLE IF EXISTS ${quoteName(after)}`, [after]);
}

function movesTables({ keptTables: softDeletedTables, tables, restoredTables }: ExclusiveDetails): boolean {
  return softDeletedTables.length + tables.length + restoredTables.length > 0;
}

/** The numbers in the names of the marker tables. Soft-deleted objects of a step never have these numbers. */
const MARKERS = { before: 8_001, after: 8_002 };

function markerNames(run: Run, index: number): { readonly before: string; readonly after: string } {
  return {
    before: retainedName(run.migration.id, index, MARKERS.before),
    after: retainedName(run.migration.id, index, MARKERS.after),
  };
}

async function exists(run: Run, table: string): Promise<boolean> {
  return (await introspectTable(run.connection, run.database.schemaName, run.server.engine, table)) !== null;
}

async function strip(run: Run, table: string): Promise<void> {
  const existing = await introspectTable(run.connection, run.database.schemaName, run.server.engine, table);
  if (existing !== null) await stripTable(run, existing);
}

function renameText(
  run: Run,
  index: number,
  details: ExclusiveDetails,
  marker: { readonly before: string; readonly after: string },
): string {
  const side = quoteName(sideSchemaName(run.database.schemaName));
  const own = quoteName(run.database.schemaName);
  const renames = [
    ...listSoftDeletedTables(run, index, details).map(
      ({ table, keptName: name }) => `${own}.${quoteName(table)} TO ${side}.${quoteName(name)}`,
    ),
    ...orderMoves(details.tables).map(
      (move) => `${own}.${quoteName(move.from)} TO ${own}.${quoteName(move.to)}`,
    ),
    ...details.restoredTables.map(
      (entry) => `${side}.${quoteName(entry.keptName)} TO ${own}.${quoteName(entry.table)}`,
    ),
    `${own}.${quoteName(marker.before)} TO ${own}.${quoteName(marker.after)}`,
  ];
  return `RENAME TABLE ${renames.join(', ')}`;
}

/** Returns the tables of the statement, and the tables that are connected to them by foreign keys. */
function listLocked(run: Run, { keptTables: softDeletedTables, tables }: ExclusiveDetails): string[] {
  const names = new Set([
    ...softDeletedTables.map((entry) => entry.table),
    ...tables.map((move) => move.from),
  ]);
  const tied = run.base.tables
    .filter((table) => table.foreignKeys.some((key) => names.has(key.referencedTable)))
    .map((table) => table.name);
  return [...new Set([...names, ...tied])];
}

/** Creates the dropped keys and triggers again if the tables are not renamed after all. */
async function undo(
  run: Run,
  details: ExclusiveDetails,
  retained: ReturnType<typeof listSoftDeletedTables>,
  marker: string,
): Promise<void> {
  for (const { table, keptName: name } of retained) {
    const entry = details.keptTables.find((other) => other.table === table);
    if (entry !== undefined) await putBack(run, table, name, entry);
  }
  await sendDdl(run, `DROP TABLE IF EXISTS ${quoteName(marker)}`, [marker]);
}
