import type { TaskPayload, TaskResult, TransferTable } from '@rowhouse/contracts';
import { AppError, UNKNOWN_COLUMN, NO_SUCH_TABLE, TABLE_DEFINITION_CHANGED } from '@rowhouse/errors';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import { cutProblems, type OpenFile, type WorkerDatabase, type WorkerServer } from '@rowhouse/platform-store';
import { ownMember, type Snapshot, type Table } from '@rowhouse/schema-model';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { withConnection } from '../servers/server-access.js';
import { toSnapshot } from '../snapshots/fingerprints.js';
import { readDeployed } from '../snapshots/read-deployed.js';
import { readNextNumber } from '../snapshots/table-statistics.js';
import type { TransferContext } from '../worker-context.js';
import { createChunkWriter, type ChunkWriter } from './chunk-writer.js';
import { inspectSeparately } from '../snapshots/inspect-schema.js';
import { describeText, readWholeSchema } from './read-whole-schema.js';
import { createRowDigest, makeRowText, type SelectedRow } from './row-text.js';
import { readProbedServer } from '../servers/read-probed-server.js';

/**
 * The errors that occur if a table has changed since the consistent snapshot began, or if a column or table
 * no longer exists.
 */
const SCHEMA_MOVED = new Set([UNKNOWN_COLUMN, NO_SUCH_TABLE, TABLE_DEFINITION_CHANGED]);
const ATTEMPTS_MAX = 5;

/**
 * Exports the schema and rows of a database from one consistent snapshot. If the schema changes during the
 * export, the export starts again. Each table is locked for reading only while it is read.
 */
export async function exportDatabase(
  ctx: TransferContext,
  payload: TaskPayload<'export_database'>,
): Promise<TaskResult<'export_database'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  if (database.isDeleted || database.provisionState !== 'ready')
    throw new AppError('db.provisioning', { detail: 'The database is not ready.' });
  const server = await readProbedServer(ctx, database.serverId);
  const accounts = await ctx.directory.listAccounts(database.id);
  for (let attempts = 1; ; attempts += 1) {
    const file = await ctx.transfers.openFile(payload.file_id);
    ctx.failPoint('export-opened');
    try {
      return await withConnection(ctx.access.openMigrator(server, database, accounts), (connection) =>
        writeFile(ctx, payload, { database, server, connection, file }),
      );
    } catch (error) {
      if (!SCHEMA_MOVED.has(readServerFault(error)?.errno ?? 0) || attempts === ATTEMPTS_MAX) throw error;
    }
  }
}

interface Source {
  readonly database: WorkerDatabase;
  readonly server: WorkerServer;
  readonly connection: AdminConnection;
  readonly file: OpenFile;
}

async function writeFile(
  ctx: TransferContext,
  payload: TaskPayload<'export_database'>,
  { database, server, connection, file }: Source,
): Promise<{ rows: number }> {
  await connection.run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  await connection
    .run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
    .catch(async (error: unknown) => {
      // MariaDB does not accept the options READ ONLY and WITH CONSISTENT SNAPSHOT in one statement.
      if (readServerFault(error)?.errno !== 1064) throw error;
      await connection.run('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    });
  const looking = ctx.access.openMigrator(server, database, await ctx.directory.listAccounts(database.id));
  const {
    schema,
    notes: schemaNotes,
    omitted: unread,
  } = await inspectSeparately(looking, server.engine, (session) =>
    readWholeSchema(ctx, { database, server, connection: session }),
  );
  const snapshot = toSnapshot(schema, await readDeployed(ctx, database, server.engine));
  const { hidden_columns: hiddenColumns, number_columns: numberColumns } = database.settings;
  const hidden = payload.leaves_hidden_out ? hiddenColumns : {};
  const requested = chooseTables(snapshot, payload.tables);
  const blanks = new Map(
    requested.map((table) => [table.name, findBlank(table, ownMember(hidden, table.name) ?? [])]),
  );
  const writer = createChunkWriter(ctx.transfers, file);
  await connection.run('SAVEPOINT before_table');
  const tables: TransferTable[] = [];
  for (const table of requested) {
    tables.push(await writeTable(connection, writer, table, blanks.get(table.name) ?? []));
    // Releases the table's lock. The consistent snapshot stays open.
    await connection.run('ROLLBACK TO SAVEPOINT before_table');
    ctx.failPoint('export-table');
  }
  await connection.run('ROLLBACK');
  const hiddenNotes = [...blanks].flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column} is hidden, so its values were omitted.`),
  );
  const omitted = [...hiddenNotes, ...unread];
  const notes = [...omitted, ...schemaNotes, ...(await describeText(snapshot))];
  const settings = { ...(payload.leaves_hidden_out ? {} : { hiddenColumns }), numberColumns };
  const { contentHash, body } = await encodeSnapshot(snapshot);
  ctx.failPoint('export-before-end');
  await ctx.transfers.finishFile(file, {
    chunks: writer.chunks,
    contentHash,
    schemaBody: body,
    manifest: { tables, notes, leftOut: omitted, ...cutProblems([]), ...settings },
    bytes: writer.bytes,
    rowsTotal: writer.rows,
  });
  return { rows: writer.rows };
}

function chooseTables(snapshot: Snapshot, names: readonly string[] | null): Table[] {
  return snapshot.tables.filter(
    (table) => table.kind === 'table' && (names === null || names.includes(table.name)),
  );
}

async function writeTable(
  connection: AdminConnection,
  writer: ChunkWriter,
  table: Table,
  blank: readonly string[],
): Promise<TransferTable> {
  const text = makeRowText(table, blank);
  const digest = createRowDigest();
  for await (const row of connection.stream<SelectedRow>(text.select)) {
    if (row.t === null)
      throw new AppError('transfer.row_too_large', {
        detail: `A row of ${table.name} is larger than the database server accepts in one statement.`,
      });
    digest.add(row.t);
    await writer.add(table.name, Number(row.isLax ?? 0) === 1 ? text.laxInsert : text.insert, row.t);
  }
  await writer.flush();
  const nextNumber = table.columns.some((column) => column.autoIncrement)
    ? await readNextNumber(connection, quoteName(table.name))
    : null;
  // The digest is omitted if values are omitted, because the exported row then differs from the stored one.
  return {
    name: table.name,
    rows: digest.rows,
    digest: blank.length === 0 ? digest.digest : null,
    nextNumber,
  };
}

/**
 * Returns the hidden columns whose values are left out of the export. Throws if rows cannot lack such a
 * value, because the column is required and has no default, or because it identifies or joins rows.
 */
function findBlank(table: Table, hidden: readonly string[]): string[] {
  const columns = table.columns.filter((column) => hidden.includes(column.name) && column.generated === null);
  const needed = columns.filter((column) => {
    const takesNothing = !column.nullable && column.default.kind === 'none';
    const isUnique = table.indexes.some(
      (index) => index.unique && index.columns.some((part) => part.name === column.name),
    );
    const standsEmpty = column.nullable && column.default.kind !== 'literal';
    return takesNothing || column.autoIncrement || (isUnique && !standsEmpty);
  });
  if (needed.length === 0) return columns.map((column) => column.name);
  throw new AppError('transfer.not_possible', {
    detail:
      `${needed.map((column) => `${table.name}.${column.name}`).join(', ')} is hidden, but every ` +
      'row requires it.',
    hint: 'Omit the table, or give the column a default.',
    extra: { table: table.name, columns: needed.map((column) => column.name) },
  });
}
