import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';

/** Returns a short description for people: the comment, followed by what the schema does not state. */
export function describeColumn(table: CompiledTable, column: CompiledColumn): string {
  const parts = [
    column.comment.replace(/(?:^|\s)@\w+(?:\s+[\w-]+)?/g, '').trim(),
    describeKind(column),
    column.generated === null ? '' : 'Computed by the database.',
    describeReference(table, column),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns the SQL type, or an empty string for ENUM and SET, whose labels are in the schema. */
function describeKind(column: CompiledColumn): string {
  return column.valueKind === 'enum' || column.valueKind === 'set' ? '' : `${column.sqlType}.`;
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

/**
 * Describes the value of a column in a create without it.
 * Returns an empty string when it must not be omitted.
 */
export function describeDefault(column: CompiledColumn): string {
  if (column.autoIncrement) return 'Assigned by the database when left out.';
  if (column.required) return '';
  switch (column.default.kind) {
    case 'literal':
      return `Default ${column.default.text === '' ? "''" : column.default.text}.`;
    case 'expression':
      return `Default ${column.default.text}.`;
    case 'null':
    case 'none':
      // The schema already states that it is nullable and optional.
      return '';
  }
}
