import { collectRelationships, type NamelessRelationship } from './collect-relationships.js';
import { keepCreatedColumn } from './find-created-column.js';
import { findFormat } from './find-format.js';
import { findRowKey } from './find-row-key.js';
import { namePaths } from './name-paths.js';
import { nameRelationships } from './name-relationships.js';
import { doSteps, type Steps } from './steps.js';
import type { RawColumn, RawSchema, RawTable } from './raw-schema.js';
import { toValueKind } from './to-value-kind.js';
import type { Column, Snapshot, Table } from './types.js';

/**
 * Completes what an engine described: value kinds, formats, row keys, and the stable names of
 * paths and relationships. `predecessor` is the published snapshot, whose names stay. The tables
 * of the result are sorted by name.
 */
export function nameSnapshot(schema: RawSchema, predecessor: Snapshot | null): Snapshot {
  return doSteps(nameSnapshotSteps(schema, predecessor));
}

const TABLES_PER_STEP = 32;

/** Does the same, a few tables per step. */
export function* nameSnapshotSteps(schema: RawSchema, predecessor: Snapshot | null): Steps<Snapshot> {
  const tables = [...schema.tables].sort((a, b) => (a.name < b.name ? -1 : 1));
  const before = new Map((predecessor?.tables ?? []).map((table) => [table.name, table]));
  const paths = namePaths(
    tables.map((table) => table.name),
    new Map([...before].map(([name, table]) => [name, table.path])),
  );
  const codePaths = groupBySource(collectRelationships(tables));
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
      codePaths.get(table.name) ?? [],
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
  codePaths: readonly NamelessRelationship[],
): ReadonlyMap<string, readonly NamelessRelationship[]> {
  const groups = new Map<string, NamelessRelationship[]>();
  for (const codePath of codePaths) {
    const group = groups.get(codePath.source);
    if (group === undefined) groups.set(codePath.source, [codePath]);
    else group.push(codePath);
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
