import type { TaskPayload, TaskResult, TransferTable } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { ForeignKey, Snapshot, Table } from '@rowhouse/schema-model';
import { decodeSnapshot } from '@rowhouse/snapshot-store';
import { withConnection } from '../servers/server-access.js';
import { readSchema } from '../snapshots/inspect-schema.js';
import type { TransferContext } from '../worker-context.js';
import { findBooleanNumbers } from './find-boolean-numbers.js';
import { loadRowsOfFile } from './load-rows-of-file.js';
import { openLoadSession } from './load-session.js';
import { readNextNumber } from '../snapshots/table-statistics.js';
import { joinOrphans } from './load-notes.js';
import { listCarried } from './row-text.js';
import { readProbedServer } from '../servers/read-probed-server.js';

/**
 * Loads a file's rows into existing, empty tables of a live database. Their triggers act on the rows, as when
 * a standard client inserts the rows of a dump into existing tables.
 */
export async function loadRows(
  ctx: TransferContext,
  payload: TaskPayload<'load_rows'>,
): Promise<TaskResult<'load_rows'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  if (database.isDeleted || database.provisionState !== 'ready')
    throw new AppError('db.provisioning', { detail: 'The database is not ready.' });
  await ctx.transfers.beginLoad(payload.load_id);
  const file = await ctx.transfers.readFile(payload.file_id);
  const server = await readProbedServer(ctx, database.serverId);
  const accounts = await ctx.directory.listAccounts(database.id);
  const source = file.schemaBody === null ? null : await decodeSnapshot(file.schemaBody, file.contentHash);
  const tables = (file.manifest?.tables ?? []).filter((table) => table.rows > 0);
  await withConnection(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    const session = await openLoadSession(connection, database, server.engine, payload.load_id);
    const { tables: existing } = await readSchema(connection, database.schemaName, server.engine);
    const present = new Map(existing.map((table) => [table.name, table as Table]));
    if ((await session.read()).stage === 'schema') {
      assertTaken(tables, source, present);
      await assertEmpty(connection, tables);
      await session.write({ stage: 'rows', done: 0, rows: 0 });
    }
    const position = await loadRowsOfFile(ctx, session, {
      loadId: payload.load_id,
      file,
      schemaName: database.schemaName,
    });
    await ctx.transfers.noteLoad(payload.load_id, {
      state: 'verifying',
      chunksDone: position.done,
      rowsDone: position.rows,
    });
    ctx.failPoint('load-rows-in');
    await raiseNextNumbers(connection, file.manifest?.tables ?? [], present);
    const acted = listInsertTriggers(tables, present);
    const actedNote = acted.length === 0 ? [] : [`Triggers ran for the loaded rows: ${acted.join(', ')}.`];
    const loaded = tables.flatMap(({ name }) => present.get(name) ?? []);
    const numbers = await findBooleanNumbers(connection, loaded, database.settings.number_columns);
    await ctx.transfers.writeLoadNotes(payload.load_id, [
      ...(await session.notes.read()),
      ...actedNote,
      ...numbers,
    ]);
    await omitOrphans(connection, tables, present);
    await session.forget();
  });
  await ctx.transfers.endLoad(payload.load_id, 'done', null);
  return { rows: file.rowsTotal };
}

/** Throws `transfer.not_possible` unless every table and column of the file exists. */
function assertTaken(
  tables: readonly TransferTable[],
  source: Snapshot | null,
  present: ReadonlyMap<string, Table>,
): void {
  const faults = tables.flatMap(({ name }) => {
    const table = present.get(name);
    if (table?.kind !== 'table') return [`there is no table ${name}`];
    const columns = new Set(listCarried(table).map((column) => column.name));
    const requested = source?.tables.find((entry) => entry.name === name);
    const missing = (requested === undefined ? [] : listCarried(requested))
      .filter((column) => !columns.has(column.name))
      .map((column) => `${name} has no column ${column.name}`);
    return missing;
  });
  if (faults.length === 0) return;
  throw new AppError('transfer.not_possible', {
    detail: `The rows cannot be loaded: ${faults.join('; ')}.`,
    hint: 'Deploy the schema of the file first, or restore the file into a new database.',
    extra: { faults },
  });
}

function listInsertTriggers(tables: readonly TransferTable[], present: ReadonlyMap<string, Table>): string[] {
  const triggers = tables.flatMap(({ name }) => present.get(name)?.triggers ?? []);
  return triggers.filter((trigger) => trigger.event === 'INSERT').map((trigger) => trigger.name);
}

/**
 * Raises AUTO_INCREMENT to the file's number, so that ids of deleted rows are not reused. The number never
 * decreases.
 */
async function raiseNextNumbers(
  connection: AdminConnection,
  tables: readonly TransferTable[],
  present: ReadonlyMap<string, Table>,
): Promise<void> {
  for (const { name, nextNumber } of tables) {
    if (nextNumber === null || present.get(name)?.columns.some((column) => column.autoIncrement) !== true)
      continue;
    const current = await readNextNumber(connection, quoteName(name));
    if (current === null || BigInt(current) < BigInt(nextNumber))
      await connection.run(`ALTER TABLE ${quoteName(name)} AUTO_INCREMENT = ${BigInt(nextNumber)}`);
  }
}

async function assertEmpty(connection: AdminConnection, tables: readonly TransferTable[]): Promise<void> {
  const full: string[] = [];
  for (const { name } of tables)
    if ((await connection.rows(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`)).length > 0) full.push(name);
  if (full.length === 0) return;
  throw new AppError('transfer.not_possible', {
    detail:
      `${full.join(', ')} already ${full.length === 1 ? 'has' : 'have'} rows. Rows can only be ` +
      'loaded into empty tables.',
    hint: 'Restore the file into a new database, or delete the rows first.',
    extra: { tables: full },
  });
}

/**
 * Deletes rows that reference missing rows, until none is left. The rows were loaded with key checks off, and
 * only this load has written rows. Throws `transfer.rows_refused` if any row was deleted.
 */
async function omitOrphans(
  connection: AdminConnection,
  tables: readonly TransferTable[],
  present: ReadonlyMap<string, Table>,
): Promise<void> {
  const removed = new Map<string, number>();
  for (let found = 1; found > 0;) {
    found = 0;
    for (const { name } of tables) {
      for (const key of present.get(name)?.foreignKeys ?? []) {
        const { affectedRows } = await connection.run(deleteOrphans(name, key));
        found += affectedRows;
        const words = `of ${name}, whose ${key.columns.join(', ')} is not in ${key.referencedTable}`;
        if (affectedRows > 0) removed.set(words, (removed.get(words) ?? 0) + affectedRows);
      }
    }
  }
  if (removed.size === 0) return;
  throw new AppError('transfer.rows_refused', {
    detail:
      `${[...removed].map(([words, rows]) => `${rows} rows ${words}`).join('; ')}. They were ` +
      'omitted. All other rows were loaded.',
    extra: { left_out: [...removed].map(([what, rows]) => ({ what, rows })) },
  });
}

function deleteOrphans(table: string, key: ForeignKey): string {
  return `DELETE c FROM ${joinOrphans(table, key)}`;
}
