import {
  LOCK_WAIT_TIMEOUT,
  QUERY_INTERRUPTED,
  MARIADB_STATEMENT_TIMEOUT,
  MYSQL_STATEMENT_TIMEOUT,
} from '@rowhouse/errors';
import {
  quoteName,
  type CheckConstraint,
  type EngineKind,
  type ForeignKey,
  type Index,
  type RawTable,
  type ReferentialAction,
  type Trigger,
} from '@rowhouse/schema-model';
import type { AdminConnection } from '../admin/admin-connection.js';
import { readServerFault } from '../admin/admin-session.js';
import { normalizeDefinition, toRawColumn, settleExpression } from './introspect-column.js';
import {
  readSchemaRows,
  type CheckRow,
  type ColumnRow,
  type IndexPartRow,
  type SchemaRows,
  type TableRow,
  type TriggerRow,
} from './introspect-rows.js';
import { spellForeignKeys, parseForeignKey } from './foreign-keys.js';
import {
  joinCreateTable,
  readPieceName,
  splitCreateTable,
  type CreateTableParts,
} from './split-create-table.js';
import { respellBody, cutDefiner } from './trigger-text.js';

const HIDDEN_PREFIX = '_rh_';

/**
 * Describes every table and view of a schema, sorted by name. Tables, columns and keys that start with `_rh_`
 * are omitted.
 *
 * The session's default schema should be `schemaName`, because both engines then omit the qualifier in views.
 * The reads are not one consistent snapshot: callers that publish the result repeat it until two results are
 * equal.
 *
 * @param tableName describes only this table or view
 */
export async function introspectSchema(
  connection: AdminConnection,
  schemaName: string,
  engine: EngineKind,
  tableName?: string,
): Promise<RawTable[]> {
  const rows = await readSchemaRows(connection, schemaName, engine, tableName);
  return describeRows(connection, schemaName, engine, rows, HIDDEN_PREFIX);
}

/**
 * Describes one table, including the columns and keys whose names start with `_rh_`. Returns null if the
 * table does not exist.
 */
export async function introspectTable(
  connection: AdminConnection,
  schemaName: string,
  engine: EngineKind,
  tableName: string,
): Promise<RawTable | null> {
  const rows = await readSchemaRows(connection, schemaName, engine, tableName);
  const [table] = await describeRows(connection, schemaName, engine, rows, null);
  return table ?? null;
}

async function describeRows(
  connection: AdminConnection,
  schemaName: string,
  engine: EngineKind,
  rows: SchemaRows,
  hiddenPrefix: string | null,
): Promise<RawTable[]> {
  const isHidden = (name: string): boolean => hiddenPrefix !== null && name.startsWith(hiddenPrefix);
  const visible = rows.tables.filter((row) => !isHidden(row.TABLE_NAME) && isServed(row));
  const creates = await Promise.all(visible.map((row) => readCreate(connection, schemaName, engine, row)));
  const index = indexRows({
    ...rows,
    columns: await markJson(connection, schemaName, visible, rows.columns),
  });
  return visible.map((row, position) => toRawTable(row, creates[position] ?? '', index, engine, isHidden));
}

/**
 * Marks JSON columns. In MariaDB, a JSON column of a table is text with a check constraint. A view has no
 * check constraints, so its JSON columns are found from a result set.
 */
async function markJson(
  connection: AdminConnection,
  schemaName: string,
  visible: readonly TableRow[],
  columns: SchemaRows['columns'],
): Promise<SchemaRows['columns']> {
  const views = new Set(visible.filter((row) => row.TABLE_TYPE === 'VIEW').map((row) => row.TABLE_NAME));
  const mayBeJson = (column: ColumnRow): boolean =>
    column.DATA_TYPE === 'longtext' && views.has(column.TABLE_NAME);
  const candidates = [...new Set(columns.filter(mayBeJson).map((column) => column.TABLE_NAME))];
  if (candidates.length === 0) return columns;
  const found = new Map(
    await Promise.all(
      candidates.map(async (view) => [view, await readJsonColumns(connection, schemaName, view)] as const),
    ),
  );
  return columns.map((column) =>
    found.get(column.TABLE_NAME)?.includes(column.COLUMN_NAME) === true
      ? { ...column, DATA_TYPE: 'json' }
      : column,
  );
}

/**
 * The errors of a lock or statement timeout. The view itself may be valid, so the attempt can be repeated.
 */
const TIMEOUT_NUMBERS: ReadonlySet<number> = new Set([
  LOCK_WAIT_TIMEOUT,
  QUERY_INTERRUPTED,
  MARIADB_STATEMENT_TIMEOUT,
  MYSQL_STATEMENT_TIMEOUT,
]);

/** Returns the names of a view's JSON columns. The set is empty if the server rejects the view. */
async function readJsonColumns(
  connection: AdminConnection,
  schemaName: string,
  view: string,
): Promise<string[]> {
  try {
    return await connection.jsonColumns(`SELECT * FROM ${quoteName(schemaName)}.${quoteName(view)} LIMIT 0`);
  } catch (error) {
    const fault = readServerFault(error);
    if (fault?.isConnectionLost === false && !TIMEOUT_NUMBERS.has(fault.errno)) return [];
    throw error;
  }
}

function isServed(row: TableRow): boolean {
  return row.TABLE_TYPE === 'BASE TABLE' || row.TABLE_TYPE === 'VIEW';
}

async function readCreate(
  connection: AdminConnection,
  schemaName: string,
  engine: EngineKind,
  row: TableRow,
): Promise<string> {
  const isView = row.TABLE_TYPE === 'VIEW';
  const sql = `SHOW CREATE ${isView ? 'VIEW' : 'TABLE'} ${quoteName(schemaName)}.${quoteName(row.TABLE_NAME)}`;
  const [visible] = await connection.rows<Record<string, string>>(sql);
  const text = visible?.[isView ? 'Create View' : 'Create Table'] ?? '';
  if (isView) return cleanView(text, schemaName);
  return engine === 'mariadb' ? spellForeignKeys(connection, schemaName, row.TABLE_NAME, text) : text;
}

/**
 * Removes the definer, which the platform manages, from a view's text. Qualifiers that name the view's own
 * schema are removed too, because a description of a schema must not depend on its name.
 */
function cleanView(text: string, schemaName: string): string {
  const own = `${quoteName(schemaName)}.`;
  return cutDefiner(text).replace(/'(?:[^'\\]|''|\\[\s\S])*'|`(?:[^`]|``)*`\.?/g, (unit) =>
    unit === own ? '' : unit,
  );
}

interface RowIndex {
  readonly columns: ReadonlyMap<string, SchemaRows['columns']>;
  readonly indexParts: ReadonlyMap<string, readonly IndexPartRow[]>;
  readonly checks: ReadonlyMap<string, readonly CheckRow[]>;
  readonly triggers: ReadonlyMap<string, readonly TriggerRow[]>;
}

function indexRows(rows: SchemaRows): RowIndex {
  return {
    columns: groupByTable(rows.columns),
    indexParts: groupByTable(rows.indexParts),
    checks: groupByTable(rows.checks),
    triggers: groupByTable(rows.triggers),
  };
}

function groupByTable<T extends { readonly TABLE_NAME: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.TABLE_NAME);
    if (group === undefined) groups.set(row.TABLE_NAME, [row]);
    else group.push(row);
  }
  return groups;
}

function toRawTable(
  row: TableRow,
  createSql: string,
  index: RowIndex,
  engine: EngineKind,
  isHidden: (name: string) => boolean,
): RawTable {
  const columnRows = (index.columns.get(row.TABLE_NAME) ?? []).filter(
    (column) => !isHidden(column.COLUMN_NAME),
  );
  const parts =
    row.TABLE_TYPE === 'VIEW'
      ? null
      : normalizePieces(splitCreateTable(createSql), columnRows, row.TABLE_COLLATION, isHidden);
  const definitions = readDefinitions(parts);
  const indexes = toIndexes(index.indexParts.get(row.TABLE_NAME) ?? [], definitions);
  const primary = indexes.find((entry) => entry.name === 'PRIMARY');
  return {
    name: row.TABLE_NAME,
    kind: parts === null ? 'view' : 'table',
    comment: parts === null ? '' : row.TABLE_COMMENT,
    collation: row.TABLE_COLLATION,
    columns: columnRows.map((column) =>
      toRawColumn(column, definitions.columns.get(column.COLUMN_NAME) ?? '', engine),
    ),
    primaryKey: primary === undefined ? null : primary.columns.map((column) => column.name ?? ''),
    indexes,
    foreignKeys: toForeignKeys(definitions, engine),
    checks: toChecks(
      (index.checks.get(row.TABLE_NAME) ?? []).filter((check) => !isHidden(check.CONSTRAINT_NAME)),
      definitions,
    ),
    createSql: parts === null ? createSql : joinCreateTable(parts),
    ...toTriggers(
      (index.triggers.get(row.TABLE_NAME) ?? []).filter((trigger) => !isHidden(trigger.TRIGGER_NAME)),
    ),
  };
}

function toTriggers(rows: readonly TriggerRow[]): { triggers?: Trigger[] } {
  if (rows.length === 0) return {};
  return {
    triggers: rows.map((row) => ({
      name: row.TRIGGER_NAME,
      timing: row.ACTION_TIMING,
      event: row.EVENT_MANIPULATION,
      createSql: `CREATE TRIGGER ${quoteName(row.TRIGGER_NAME)} ${row.ACTION_TIMING} ${row.EVENT_MANIPULATION} ON ${quoteName(row.TABLE_NAME)} FOR EACH ROW ${respellBody(row.ACTION_STATEMENT, row.SQL_MODE)}`,
    })),
  };
}

/** Removes hidden lines of CREATE TABLE and normalizes how its columns are written. */
function normalizePieces(
  parts: CreateTableParts | null,
  columns: readonly ColumnRow[],
  tableCollation: string | null,
  isHidden: (name: string) => boolean,
): CreateTableParts | null {
  if (parts === null) return null;
  const rows = new Map(columns.map((column) => [column.COLUMN_NAME, column]));
  const chunks: string[] = [];
  for (const chunk of parts.pieces) {
    const named = readPieceName(chunk);
    if (named !== null && isHidden(named.name)) continue;
    const row = chunk.startsWith('`') && named !== null ? rows.get(named.name) : undefined;
    chunks.push(
      settleExpression(
        row === undefined || named === null
          ? chunk
          : `${quoteName(named.name)} ${normalizeDefinition(named.rest, row, tableCollation)}`,
      ),
    );
  }
  return { ...parts, pieces: chunks };
}

interface Definitions {
  readonly columns: ReadonlyMap<string, string>;
  /** The complete index lines of CREATE TABLE, by index name. */
  readonly indexes: ReadonlyMap<string, string>;
  /** The complete constraint lines of CREATE TABLE, by constraint name. */
  readonly constraints: ReadonlyMap<string, string>;
}

function readDefinitions(parts: CreateTableParts | null): Definitions {
  const columns = new Map<string, string>();
  const indexes = new Map<string, string>();
  const constraints = new Map<string, string>();
  for (const chunk of parts?.pieces ?? []) {
    const named = readPieceName(chunk);
    if (chunk.startsWith('`') && named !== null) columns.set(named.name, named.rest);
    else if (chunk.startsWith('PRIMARY KEY')) indexes.set('PRIMARY', chunk);
    else if (chunk.startsWith('CONSTRAINT') && named !== null) constraints.set(named.name, chunk);
    else if (/^(UNIQUE |FULLTEXT |SPATIAL |VECTOR )?KEY /.test(chunk) && named !== null)
      indexes.set(named.name, chunk);
  }
  return { columns, indexes, constraints };
}

function toIndexes(parts: readonly IndexPartRow[], definitions: Definitions): Index[] {
  const byName = new Map<string, IndexPartRow[]>();
  for (const part of parts) {
    if (!definitions.indexes.has(part.INDEX_NAME)) continue;
    byName.set(part.INDEX_NAME, [...(byName.get(part.INDEX_NAME) ?? []), part]);
  }
  const indexes = [...byName].map(([name, group]): Index => {
    const first = group[0];
    return {
      name,
      unique: Number(first?.NON_UNIQUE) === 0,
      kind: toIndexKind(first?.INDEX_TYPE ?? ''),
      columns: group.map((part) => ({
        name: part.COLUMN_NAME,
        prefixLength:
          part.SUB_PART === null || toIndexKind(part.INDEX_TYPE) === 'spatial' ? null : Number(part.SUB_PART),
        descending: part.COLLATION === 'D',
      })),
      definition: definitions.indexes.get(name) ?? '',
    };
  });
  // Sorts by name with PRIMARY first, because the server's order depends on the table's history.
  return indexes.sort(
    (a, b) => Number(b.name === 'PRIMARY') - Number(a.name === 'PRIMARY') || compareText(a.name, b.name),
  );
}

function toIndexKind(type: string): Index['kind'] {
  switch (type.toUpperCase()) {
    case 'FULLTEXT':
      return 'fulltext';
    case 'SPATIAL':
    case 'RTREE':
      return 'spatial';
    case 'HASH':
      return 'hash';
    case 'VECTOR':
      return 'vector';
    default:
      return 'btree';
  }
}

function toForeignKeys(definitions: Definitions, engine: EngineKind): ForeignKey[] {
  /** The action of a foreign key without an ON DELETE or ON UPDATE clause. */
  const defaultAction: ReferentialAction = engine === 'mariadb' ? 'RESTRICT' : 'NO ACTION';
  return [...definitions.constraints.values()]
    .map((line) => parseForeignKey(line, defaultAction))
    .filter((key) => key !== null)
    .sort((a, b) => compareText(a.name, b.name));
}

/**
 * Returns the check constraints of a table. In MariaDB, a check may be part of a column's definition, so it
 * has no line of its own in CREATE TABLE.
 */
function toChecks(rows: readonly CheckRow[], definitions: Definitions): CheckConstraint[] {
  return rows
    .map((row) => ({
      name: row.CONSTRAINT_NAME,
      clause: settleExpression(row.CHECK_CLAUSE),
      definition: readTableCheck(row.CONSTRAINT_NAME, definitions),
    }))
    .sort((a, b) => compareText(a.name, b.name));
}

function readTableCheck(name: string, definitions: Definitions): string {
  const line = definitions.constraints.get(name) ?? '';
  return / CHECK \(/.test(line) ? line : '';
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
