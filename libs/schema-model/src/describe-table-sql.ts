import type { CompiledTable } from './compile/compiled-snapshot.js';

/**
 * Returns the CREATE statement of a table without its hidden parts. If nothing is hidden, this is the
 * published text. Otherwise, it is composed of the visible parts.
 */
export function describeTableSql(table: CompiledTable): string {
  const { rights } = table.schema;
  if (table.kind === 'view') {
    // The text of a view may contain any table and column, so it is only returned if the API key can see
    // everything.
    const isMasked =
      rights.tables !== null || Object.values(rights.hiddenColumns).some((names) => names.length > 0);
    return isMasked
      ? `-- The definition of view ${table.quoted} is not shown to this key`
      : table.source.createSql;
  }
  const hidden = table.columns.filter((column) => column.hidden).map((column) => column.quoted);
  const keys = table.foreignKeys.filter((key) => table.schema.findByName(key.referencedTable) !== null);
  const isComplete =
    hidden.length === 0 && keys.length === table.foreignKeys.length && !hidesTargetColumn(table);
  return isComplete ? table.source.createSql : composeVisible(table, hidden);
}

function hidesTargetColumn(table: CompiledTable): boolean {
  return table.foreignKeys.some((key) => !isTargetVisible(table, key.referencedTable, key.referencedColumns));
}

function isTargetVisible(
  table: CompiledTable,
  targetTable: string,
  targetColumns: readonly string[],
): boolean {
  const target = table.schema.findByName(targetTable);
  return target !== null && targetColumns.every((name) => target.findColumn(name) !== null);
}

function composeVisible(table: CompiledTable, hidden: readonly string[]): string {
  const mentionsHidden = (text: string): boolean => hidden.some((name) => text.includes(name));
  const columns = table.columns
    .filter((column) => !column.hidden)
    .map(
      (column) =>
        `${column.quoted} ${mentionsHidden(column.definition) ? column.sqlType : column.definition}`,
    );
  const indexes = table.indexes.map((index) => index.definition);
  const keys = table.foreignKeys
    .filter((key) => isTargetVisible(table, key.referencedTable, key.referencedColumns))
    .map((key) => key.definition);
  const checks = table.source.checks.map((check) => check.definition);
  const chunks = [
    ...columns,
    ...[...indexes, ...keys, ...checks].filter((chunk) => chunk !== '' && !mentionsHidden(chunk)),
  ];
  return `CREATE TABLE ${table.quoted} (\n  ${chunks.join(',\n  ')}\n)${readOptions(table.source.createSql)}`;
}

/**
 * Returns the table options, such as ENGINE, CHARSET and COMMENT. They follow the last parenthesis at the
 * start of a line.
 */
function readOptions(createSql: string): string {
  const end = createSql.lastIndexOf('\n)');
  return end < 0 ? '' : createSql.slice(end + 2);
}
