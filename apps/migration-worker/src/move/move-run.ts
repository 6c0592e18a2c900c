import { sideSchemaName } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { type AdminConnection, introspectTable } from '@rowhouse/mysql';
import { toValueKind, type RawColumn, type RawTable } from '@rowhouse/schema-model';
import { toKeyColumn } from '../online-ddl/rebuild/key-column.js';
import type { KeyColumn } from '@rowhouse/platform-store';
import { toTextColumn, type TextColumn } from '../transfer/row-text.js';
import { MOVE_LEDGER, MOVE_MARK } from './move-names.js';

import type { ClaimedMove, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { HeldLease, WorkerContext } from '../worker-context.js';

/** The position of a copy or a comparison. */
export interface MovePosition {
  /** The index of the table in `MoveDetails.tables`. */
  readonly at: number;
  /** The key after which the work continues. Null at the beginning of the table. */
  readonly after: readonly string[] | null;
  readonly rowsDone: number;
}

export const FIRST_POSITION: MovePosition = { at: 0, after: null, rowsDone: 0 };

/** The progress of a move as plain JSON, as stored in the journal. */
export interface MoveCheckpoint {
  /** Null until the tables are created on the new server. Stored as `facts`. */
  readonly details: MoveDetails | null;
  readonly position: MovePosition;
  /** The number of rows that differed in a comparison and were copied again. Stored as `mended`. */
  readonly repairedRows: number;
  readonly passes: number;
  /**
   * The accounts on the old server, recorded at the placement switch. The platform's rows for them may be
   * deleted before the accounts are dropped.
   */
  readonly userNames: readonly string[];
}

export const FIRST_CHECKPOINT: MoveCheckpoint = {
  details: null,
  position: FIRST_POSITION,
  repairedRows: 0,
  passes: 0,
  userNames: [],
};

/** The checkpoint as stored in the row of a move. Rows that other versions wrote may lack members. */
type StoredCheckpoint = Omit<MoveCheckpoint, 'details' | 'repairedRows'> & {
  readonly facts: MoveDetails | null;
  readonly mended: number;
};

/** Returns the progress stored in the row of a move. */
export function parseCheckpoint(stored: unknown): MoveCheckpoint {
  const { facts, mended, ...rest } = (stored ?? {}) as Partial<StoredCheckpoint>;
  return {
    ...FIRST_CHECKPOINT,
    ...rest,
    details: facts ?? FIRST_CHECKPOINT.details,
    repairedRows: mended ?? FIRST_CHECKPOINT.repairedRows,
  };
}

/** Returns a checkpoint in the form in which the row of a move stores it. */
export function formatCheckpoint({ details, repairedRows, ...rest }: MoveCheckpoint): StoredCheckpoint {
  return { ...rest, facts: details, mended: repairedRows };
}

/** The database that is moved, its two servers, and the lease of the move. */
export interface MoveContext {
  readonly ctx: WorkerContext;
  readonly move: ClaimedMove;
  readonly lease: HeldLease;
  readonly database: WorkerDatabase;
  readonly from: WorkerServer;
  readonly to: WorkerServer;
}

/**
 * Everything that one run of a move uses. Its sessions never reconnect, so a run that has lost a session can
 * send no further statement.
 */
export interface MoveRun extends MoveContext {
  /** The migrator's sessions, with the database as their default schema. */
  readonly source: AdminConnection;
  readonly target: AdminConnection;
}

/** Thrown when a user cancelled the move, or when the database is deleted. */
export class MoveCancelledError extends Error {
  override readonly name = 'MoveCancelledError';
}

/** Thrown when the tables have changed since the copy began. */
export class SchemaChangedError extends Error {
  override readonly name = 'SchemaChangedError';
}

/** Thrown when the switch is not possible at the moment but may be soon. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';
}

/** A run in which nothing may exist on the new server yet, so `target` may be absent. */
export type SourceRun = Omit<MoveRun, 'target'> & { readonly target?: AdminConnection };

/**
 * The tables that a move copies, and a hash of all definitions. They are read once, before the copy, and are
 * stored in the journal as JSON.
 */
export interface MoveDetails {
  /** The tables, in the order in which they are copied. A table's `no` is its index in this list. */
  readonly tables: readonly MovedTable[];
  /** A hash of all definitions that `readDefinitions` returns. */
  readonly definitions: string;
  readonly rowsTotal: number;
}

export interface MovedTable {
  readonly no: number;
  /** The database's own schema or its side schema. */
  readonly schema: string;
  readonly name: string;
  readonly create: string;
  readonly columns: readonly TextColumn[];
  /**
   * The key columns that identify rows. Null if the table has no such key; the whole table is then copied
   * again after each change.
   */
  readonly key: readonly KeyColumn[] | null;
  readonly keyIndex: string;
  /** The sets of columns that cascading foreign keys reference, in this table or another. */
  readonly referenced: readonly ReferencedSet[];
  readonly isCounted: boolean;
}

/**
 * Columns that a foreign key with an action such as CASCADE references. When the action changes child rows,
 * no trigger fires.
 */
export interface ReferencedSet {
  readonly columns: readonly KeyColumn[];
  readonly children: readonly { readonly no: number; readonly columns: readonly string[] }[];
}

const ACTIONS: ReadonlySet<string> = new Set(['CASCADE', 'SET NULL', 'SET DEFAULT']);

interface TableRow {
  readonly schema: string;
  readonly name: string;
  readonly type: string;
  readonly engine: string | null;
  readonly rows: number | string | null;
}

/** Reads the tables that a move copies. Throws `transfer.not_possible` for objects that cannot be moved. */
export async function readMoveDetails(run: MoveRun, definitions: string): Promise<MoveDetails> {
  const { source, from, database } = run;
  const listed = await listTables(run);
  const raw: { row: TableRow; table: RawTable }[] = [];
  for (const row of listed) {
    const table = await introspectTable(source, row.schema, from.engine, row.name);
    if (table !== null) raw.push({ row, table });
  }
  const tables = raw.map(({ row, table }, no) => toMovedTable(row.schema, table, no));
  const withChildren = tables.map((table) => ({
    ...table,
    referenced: listReferenced(table, raw, database.schemaName),
  }));
  return {
    tables: withChildren,
    definitions,
    rowsTotal: listed.reduce((sum, row) => sum + Number(row.rows ?? 0), 0),
  };
}

async function listTables(run: MoveRun): Promise<TableRow[]> {
  const { schemaName } = run.database;
  const rows = await run.source.rows<TableRow>(
    'SELECT TABLE_SCHEMA AS `schema`, TABLE_NAME AS name, TABLE_TYPE AS type, ENGINE AS engine, TABLE_ROWS AS `rows` FROM information_schema.TABLES WHERE TABLE_SCHEMA IN (?, ?) AND TABLE_TYPE <> ? ORDER BY TABLE_SCHEMA, TABLE_NAME',
    [schemaName, sideSchemaName(schemaName), 'VIEW'],
  );
  const carried = rows.filter((row) => row.name !== MOVE_LEDGER && row.name !== MOVE_MARK);
  const odd = carried.filter((row) => row.type !== 'BASE TABLE' || row.engine?.toLowerCase() !== 'innodb');
  if (odd.length === 0) return carried;
  throw new AppError('transfer.not_possible', {
    detail:
      `${odd.map((row) => `${row.name} (${row.type === 'BASE TABLE' ? `engine ${row.engine ?? 'none'}` : row.type.toLowerCase()})`).join(', ')} ` +
      'cannot be copied during writes.',
    hint: 'Only InnoDB tables, views, triggers and routines can be moved.',
  });
}

function toMovedTable(schema: string, table: RawTable, no: number): MovedTable {
  const key = findKey(table);
  return {
    no,
    schema,
    name: table.name,
    create: table.createSql,
    columns: table.columns
      .filter((column) => column.generated === null)
      .map((column) => toTextColumn({ ...column, valueKind: toValueKind(column.type, column.sqlType) })),
    key: key?.columns ?? null,
    keyIndex: key?.index ?? '',
    referenced: [],
    isCounted: table.columns.some((column) => column.autoIncrement),
  };
}

/**
 * Returns the columns of the primary key, or of a unique key over NOT NULL columns. Values of the columns
 * must have an exact text form.
 */
function findKey(table: RawTable): { index: string; columns: KeyColumn[] } | null {
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  const unique = table.indexes
    .filter((index) => index.unique && index.kind === 'btree')
    .sort((a, b) => Number(b.name === 'PRIMARY') - Number(a.name === 'PRIMARY'));
  for (const index of unique) {
    const columns = index.columns.map((part) =>
      part.prefixLength === null ? byName.get(part.name ?? '') : undefined,
    );
    if (
      columns.every(
        (column): column is RawColumn => column !== undefined && !column.nullable && isExact(column),
      )
    )
      return { index: index.name, columns: columns.map((column) => toKeyColumn(column, column)) };
  }
  return null;
}

function isExact(column: RawColumn): boolean {
  return toKeyColumn(column, column).chunkBy !== null || column.type === 'enum' || column.type === 'set';
}

function listReferenced(
  table: MovedTable,
  raw: readonly { row: TableRow; table: RawTable }[],
  schemaName: string,
): ReferencedSet[] {
  if (table.schema !== schemaName) return [];
  const own = raw[table.no]?.table;
  const sets = new Map<
    string,
    { columns: readonly KeyColumn[]; children: { no: number; columns: readonly string[] }[] }
  >();
  for (const [no, child] of raw.entries()) {
    if (child.row.schema !== schemaName) continue;
    for (const key of child.table.foreignKeys) {
      if (key.referencedTable !== table.name || !(ACTIONS.has(key.onDelete) || ACTIONS.has(key.onUpdate)))
        continue;
      const columns = key.referencedColumns
        .map((name) => own?.columns.find((column) => column.name === name))
        .filter((column) => column !== undefined);
      const id = key.referencedColumns.join('\0');
      const set = sets.get(id) ?? {
        columns: columns.map((column) => toKeyColumn(column, column)),
        children: [],
      };
      set.children.push({ no, columns: key.columns });
      sets.set(id, set);
    }
  }
  return [...sets.values()];
}

/**
 * Checks, before a statement is sent, that the lease and both sessions are held
 * and the move is not cancelled.
 */
export async function assertMayMove(run: SourceRun): Promise<void> {
  run.lease.assertHeld();
  if (run.source.isLost() || run.target?.isLost() === true)
    throw new AppError('db.unavailable', { internal: 'the move lost a session' });
  await run.ctx.moves.assertHeld(run.move);
  if (await run.ctx.moves.isCancelRequested(run.move)) throw new MoveCancelledError();
}
