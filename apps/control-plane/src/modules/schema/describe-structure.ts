import type { ColumnStructure, ForeignKeyStructure, TableStructureResponse } from '@rowhouse/contracts';
import type { Column, ForeignKey, Index, Snapshot, Table } from '@rowhouse/schema-model';

/** Returns a table with everything that edits can change, in the form that edits use. */
export function describeStructure(
  snapshot: Snapshot,
  table: Table,
  revision: number,
): TableStructureResponse {
  return {
    revision,
    name: table.name,
    kind: table.kind,
    comment: table.comment,
    columns: table.columns.map((column) => describeColumn(column, table)),
    primary_key: [...(table.primaryKey ?? [])],
    indexes: table.indexes
      .filter((index) => index.name !== 'PRIMARY')
      .map((index) => ({
        name: index.name,
        type: typeOf(index),
        columns: index.columns.map((part) => part.name ?? '(expression)'),
      })),
    foreign_keys: table.foreignKeys.map(describeKey),
    referenced_by: snapshot.tables.flatMap((other) =>
      other.foreignKeys
        .filter((key) => key.referencedTable === table.name)
        .map((key) => ({ ...describeKey(key), table: other.name })),
    ),
    checks: table.checks.map((check) => ({ name: check.name, expression: check.clause })),
    triggers: (table.triggers ?? []).map((trigger) => trigger.name),
    sql: table.createSql,
  };
}

function describeColumn(column: Column, table: Table): ColumnStructure {
  return {
    name: column.name,
    type: column.sqlType,
    nullable: column.nullable,
    default:
      column.default.kind === 'literal' || column.default.kind === 'expression'
        ? { kind: column.default.kind, text: column.default.text }
        : { kind: column.default.kind },
    auto_increment: column.autoIncrement,
    unique: table.indexes.some(
      (index) =>
        index.unique &&
        index.name !== 'PRIMARY' &&
        index.columns.length === 1 &&
        index.columns[0]?.name === column.name,
    ),
    comment: column.comment,
    generated: column.generated,
    definition: column.definition,
  };
}

function describeKey(key: ForeignKey): ForeignKeyStructure {
  return {
    name: key.name,
    columns: [...key.columns],
    to: key.referencedTable,
    to_columns: [...key.referencedColumns],
    on_delete: key.onDelete.toLowerCase(),
    on_update: key.onUpdate.toLowerCase(),
  };
}

function typeOf(index: Index): TableStructureResponse['indexes'][number]['type'] {
  if (index.kind === 'fulltext' || index.kind === 'spatial' || index.kind === 'vector') return index.kind;
  return index.unique ? 'unique' : 'plain';
}
