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

/** The type as the database knows it; of labels the schema tells all. */
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

/** What a create gets when it leaves the column out; empty where it must not. */
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
      // That it may be null, and left out, the schema says.
      return '';
  }
}
