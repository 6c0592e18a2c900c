import { collectRelationships, type NamelessRelationship } from './collect-relationships.js';
import { keepCreatedColumn } from './find-created-column.js';
import { namePaths } from './name-paths.js';
import { nameRelationships } from './name-relationships.js';
import { doSteps, type Steps } from '../steps.js';
import type { RawColumn, RawSchema, RawTable } from '../raw-schema.js';
import { toValueKind } from './to-value-kind.js';
import type { Column, ColumnFormat, Snapshot, Table } from '../types.js';

const FORMATS: readonly ColumnFormat[] = [
  'email',
  'uri',
  'uuid',
  'date',
  'date-time',
  'ipv4',
  'ipv6',
  'hostname',
];

const TEXT_TYPES = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext']);

/**
 * Completes the schema that an engine described with value kinds, formats, row keys, and stable names of
 * paths and relationships. `predecessor` is the published snapshot, whose names do not change. The tables of
 * the result are sorted by name.
 */
export function nameSnapshot(schema: RawSchema, predecessor: Snapshot | null): Snapshot {
  return doSteps(nameSnapshotSteps(schema, predecessor));
}

const TABLES_PER_STEP = 32;

/** Returns the same result as `nameSnapshot`, and yields after every few tables. */
export function* nameSnapshotSteps(schema: RawSchema, predecessor: Snapshot | null): Steps<Snapshot> {
  const tables = [...schema.tables].sort((a, b) => (a.name < b.name ? -1 : 1));
  const before = new Map((predecessor?.tables ?? []).map((table) => [table.name, table]));
  const paths = namePaths(
    tables.map((table) => table.name),
    new Map([...before].map(([name, table]) => [name, table.path])),
  );
  const relationshipsBySource = groupBySource(collectRelationships(tables));
  const complete = (
    table: RawTable,
    columns = table.columns.map((column) => completeColumn(column, table)),
  ): Table => ({
    name: table.name,
    kind: table.kind,
    path: paths.get(table.name) ?? `_tables/${table.name}`,
    comment: table.comment,
    collation: table.collation,
    columns,
    ...keepCreatedColumn(columns, before.get(table.name)),
    primaryKey: table.primaryKey,
    rowKey: findRowKey(table),
    indexes: table.indexes,
    foreignKeys: table.foreignKeys,
    checks: table.checks,
    relationships: nameRelationships(
      relationshipsBySource.get(table.name) ?? [],
      new Set(table.columns.map((column) => column.name)),
      before.get(table.name)?.relationships ?? [],
    ),
    createSql: table.createSql,
    ...(table.triggers === undefined || table.triggers.length === 0 ? {} : { triggers: table.triggers }),
  });
  const named: Table[] = [];
  for (const table of tables) {
    if (named.length % TABLES_PER_STEP === TABLES_PER_STEP - 1) yield;
    named.push(complete(table));
  }
  const { routines = [] } = schema;
  return { format: 1, engine: schema.engine, tables: named, ...(routines.length === 0 ? {} : { routines }) };
}

function groupBySource(
  relationshipsBySource: readonly NamelessRelationship[],
): ReadonlyMap<string, readonly NamelessRelationship[]> {
  const groups = new Map<string, NamelessRelationship[]>();
  for (const relationship of relationshipsBySource) {
    const group = groups.get(relationship.source);
    if (group === undefined) groups.set(relationship.source, [relationship]);
    else group.push(relationship);
  }
  return groups;
}

function completeColumn(column: RawColumn, table: RawTable): Column {
  const isJson = table.checks.some(
    (check) =>
      check.clause.toLowerCase() === `json_valid(\`${column.name.toLowerCase().replaceAll('`', '``')}\`)`,
  );
  return {
    ...column,
    valueKind: toValueKind(column.type, column.sqlType, isJson),
    format: findFormat(column),
  };
}

/**
 * Returns the format that written values of a text column must have. The tag `@format …` in the column's
 * comment determines it, and `@format none` disables the check.
 *
 * Without a tag, a NOT NULL column named `email` or `…_email` must contain email addresses. A nullable column
 * need not, because existing programs store other text in such columns.
 */
export function findFormat(column: RawColumn): ColumnFormat | null {
  if (!TEXT_TYPES.has(column.type)) return null;
  const tag = /(?:^|\s)@format\s+([a-z0-9-]+)/.exec(column.comment)?.[1];
  if (tag !== undefined) return FORMATS.find((format) => format === tag) ?? null;
  const name = column.name.toLowerCase();
  return !column.nullable && (name === 'email' || name.endsWith('_email')) ? 'email' : null;
}

/**
 * Returns the columns whose values `{id}` contains. These are the columns of the primary key. Without one,
 * they are those of a unique key whose parts are complete NOT NULL columns, namely of the first such key by
 * name.
 */
export function findRowKey(table: RawTable): readonly string[] | null {
  if (table.primaryKey !== null && table.primaryKey.length > 0) return table.primaryKey;
  const nullable = new Set(table.columns.filter((column) => column.nullable).map((column) => column.name));
  const candidates = table.indexes
    .filter((index) => index.unique && index.columns.length > 0)
    .filter((index) =>
      index.columns.every(
        (part) => part.name !== null && part.prefixLength === null && !nullable.has(part.name),
      ),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return candidates[0]?.columns.map((part) => part.name ?? '') ?? null;
}
