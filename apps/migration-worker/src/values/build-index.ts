import type { AdminConnection } from '@rowhouse/mysql';
import type {
  ClaimedValueIndex,
  ValueIndexSize,
  WorkerDatabase,
  WorkerServer,
} from '@rowhouse/platform-store';
import { withConnection } from '../servers/server-access.js';
import { readDeployed } from '../snapshots/read-deployed.js';
import type { WorkerContext } from '../worker-context.js';
import { fitValues, sizeOf, type IndexedColumn } from './fit-values.js';
import { listIndexable, type IndexableTable } from './list-indexable.js';
import { calmReader, readColumn } from './read-column.js';
import { makeValueTable, readStored, writeStored, type StoredIndex, type TableMark } from './value-table.js';

/**
 * The time limit of one build, in milliseconds. If columns remain, the next build reads them soon afterwards.
 */
const BUILD_MS_MAX = 5_000;

export interface Build {
  /** The size of the index. Null when the values have not changed. */
  readonly size: ValueIndexSize | null;
  readonly isComplete: boolean;
}

interface TableState {
  readonly rows: number;
  readonly updatedAt: string | null;
}

/**
 * Updates the value index of a database. The `query` account reads the rows. It has no right to hidden
 * columns, so the server itself protects them. Only tables that were written since their last read are read
 * again.
 */
export async function buildIndex(
  ctx: Pick<WorkerContext, 'access' | 'directory' | 'failPoint'>,
  { databaseId, isUnfinished }: ClaimedValueIndex,
  stopping: AbortSignal,
): Promise<Build> {
  const database = await ctx.directory.readDatabase(databaseId);
  const server = await ctx.directory.readServer(database.serverId);
  const accounts = await ctx.directory.listAccounts(databaseId);
  const tables = listIndexable(await readDeployed(ctx, database, server.engine), database.settings);
  return withConnection(ctx.access.openMigrator(server, database, accounts), async (writer) => {
    let stored = await readStored(writer, database.schemaName);
    if (stored === null) await makeValueTable(ctx, server, database, accounts);
    stored ??= { marks: new Map(), columns: [] };
    const { next, isComplete } = await withConnection(
      ctx.access.openReader(server, database, accounts),
      (reader) => readNext(reader, { database, server, tables, stored: stored as StoredIndex, stopping }),
    );
    ctx.failPoint('values-read');
    await writeStored(writer, database.schemaName, stored, next);
    ctx.failPoint('values-written');
    return {
      size: !isUnfinished && isSame(stored.columns, next.columns) ? null : sizeOf(next.columns),
      isComplete,
    };
  });
}

interface IndexBuildContext {
  readonly database: WorkerDatabase;
  readonly server: WorkerServer;
  readonly tables: readonly IndexableTable[];
  readonly stored: StoredIndex;
  readonly stopping: AbortSignal;
}

async function readNext(
  reader: AdminConnection,
  { database, server, tables, stored, stopping }: IndexBuildContext,
): Promise<{ next: StoredIndex; isComplete: boolean }> {
  await calmReader(reader, server.engine);
  const { states, nowSeconds, startedAtSeconds } = await readStates(reader, database.schemaName);
  const columns: IndexedColumn[] = [];
  const marks = new Map<string, TableMark>();
  const endsAtMs = performance.now() + BUILD_MS_MAX;
  let isComplete = true;
  // Tables that were never read come first, then the others, with the one that was read longest ago first.
  for (const table of [...tables].sort(
    (a, b) => (stored.marks.get(a.name)?.readAt ?? 0) - (stored.marks.get(b.name)?.readAt ?? 0),
  )) {
    const state = states.get(table.name);
    if (state === undefined) continue;
    const known = stored.marks.get(table.name);
    const old = stored.columns.filter(
      (column) =>
        column.table === table.name &&
        table.columns.some((indexableColumn) => indexableColumn.name === column.column),
    );
    const isLate = stopping.aborted || performance.now() > endsAtMs;
    if (known !== undefined && (isLate || isUnchanged(known, table, state, startedAtSeconds))) {
      marks.set(table.name, {
        ...known,
        columns: known.columns.filter((name) => table.columns.some((column) => column.name === name)),
      });
      columns.push(...old);
      if (isLate) isComplete = false;
    } else if (isLate) {
      isComplete = false;
    } else {
      for (const column of table.columns) {
        const found = await readColumn(reader, table, column, state.rows);
        if (found !== null) columns.push(found);
      }
      marks.set(table.name, {
        table: table.name,
        updatedAt: state.updatedAt,
        readAt: nowSeconds,
        columns: table.columns.map((column) => column.name),
      });
    }
  }
  return { next: { marks, columns: fitValues(columns) }, isComplete };
}

/**
 * Returns the state of each table. `updatedAt` is null if the last write is so recent that another write
 * could get the same time.
 */
async function readStates(
  reader: AdminConnection,
  schemaName: string,
): Promise<{ states: Map<string, TableState>; nowSeconds: number; startedAtSeconds: number }> {
  const [uptime] = await reader.rows<{ Value: string }>(`SHOW GLOBAL STATUS LIKE 'Uptime'`);
  const rows = await reader.rows<{
    name: string;
    row_count: string | number | null;
    updated_at: string | null;
    is_near: number;
    now_seconds: number;
  }>(
    `SELECT TABLE_NAME AS name, TABLE_ROWS AS row_count, UPDATE_TIME AS updated_at, UPDATE_TIME >= UTC_TIMESTAMP() - INTERVAL 2 SECOND AS is_near, UNIX_TIMESTAMP() AS now_seconds
     FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_TYPE = 'BASE TABLE'`,
    [schemaName],
  );
  const nowSeconds = Number(rows[0]?.now_seconds ?? 0);
  const states = new Map(
    rows.map((row) => [
      row.name,
      {
        rows: Number(row.row_count ?? 0),
        updatedAt: Number(row.is_near) === 1 ? null : (row.updated_at ?? ''),
      },
    ]),
  );
  return { states, nowSeconds, startedAtSeconds: nowSeconds - Number(uptime?.Value ?? 0) };
}

/**
 * Returns whether a table is unchanged. The server reports no update time for a table without writes since
 * its start. Such a table is unchanged if the server has been running since the table was read.
 */
function isUnchanged(
  mark: TableMark,
  table: IndexableTable,
  state: TableState,
  startedAtSeconds: number,
): boolean {
  if (state.updatedAt === null || mark.updatedAt !== state.updatedAt) return false;
  if (state.updatedAt === '' && startedAtSeconds >= mark.readAt) return false;
  return JSON.stringify(mark.columns) === JSON.stringify(table.columns.map((column) => column.name));
}

function isSame(before: readonly IndexedColumn[], after: readonly IndexedColumn[]): boolean {
  const toText = (columns: readonly IndexedColumn[]): string =>
    JSON.stringify(
      columns
        .filter((column) => column.state === 'indexed')
        .map((column) => JSON.stringify([column.table, column.column, column.values]))
        .sort(),
    );
  return toText(before) === toText(after);
}
