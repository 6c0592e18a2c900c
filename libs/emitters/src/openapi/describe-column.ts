import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';

/** One line or two for people: the comment, then what the schema alone does not say. */
export function describeColumn(table: CompiledTable, column: CompiledColumn): string {
  const parts = [
    column.comment.replace(/(?:^|\s)@\w+(?:\s+[\w-]+)?/g, '').trim(),
    describeKind(column),
    column.generated === null ? '' : 'Computed by the database.',
    describeReference(table, column),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function describeKind(column: CompiledColumn): string {
  switch (column.valueKind) {
    case 'decimal':
      return `Exact digits: ${column.sqlType}.`;
    case 'datetime':
      return 'No zone, as stored.';
    case 'timestamp':
      return 'UTC, with Z.';
    case 'time':
      return '[-]HHH:MM:SS.';
    case 'binary':
      return 'Base64.';
    case 'json':
      return 'Any JSON.';
    case 'geometry':
      return 'GeoJSON.';
    case 'enum':
    case 'set':
      return '';
    default:
      return column.sqlType === 'boolean' ? '' : `${column.sqlType}.`;
  }
}

function describeReference(table: CompiledTable, column: CompiledColumn): string {
  for (const key of table.foreignKeys) {
    const at = key.columns.indexOf(column.name);
    const far = at === -1 ? null : table.schema.findByName(key.referencedTable);
    const farColumn = far?.findColumn(key.referencedColumns[at] ?? '') ?? null;
    if (far !== null && farColumn !== null) return `References ${far.name}.${farColumn.name}.`;
  }
  return '';
}

/** What a create gets when it leaves the column out; empty where it must not. */
export function describeDefault(column: CompiledColumn): string {
  if (column.autoIncrement) return 'Assigned by the database when left out.';
  switch (column.default.kind) {
    case 'literal':
      return `Default ${column.default.text === '' ? "''" : column.default.text}.`;
    case 'expression':
      return `Default ${column.default.text}.`;
    case 'null':
      return 'Null when left out.';
    case 'none':
      return column.nullable ? 'Null when left out.' : '';
  }
}
