import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';

/** Returns a short description for people: the comment, followed by what the schema does not state. */
export function describeColumn(table: CompiledTable, column: CompiledColumn): string {
  return join([
    readComment(column),
    describeKind(column),
    column.generated === null ? '' : 'Computed by the database.',
    describeReference(table, column),
  ]);
}

/** Describes a column of a create. It omits the type, which the record describes. */
export function describeGiven(table: CompiledTable, column: CompiledColumn): string {
  return join([readComment(column), describeReference(table, column)]);
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

function readComment({ comment }: CompiledColumn): string {
  return comment.replace(/(?:^|\s)@\w+(?:\s+[\w-]+)?/g, '').trim();
}

/** Returns the SQL type, or an empty string for ENUM and SET, whose labels are in the schema. */
function describeKind(column: CompiledColumn): string {
  return column.valueKind === 'enum' || column.valueKind === 'set' ? '' : `${column.sqlType}.`;
}

function describeReference(table: CompiledTable, column: CompiledColumn): string {
  for (const key of table.foreignKeys) {
    const index = key.columns.indexOf(column.name);
    const target = index === -1 ? null : table.schema.findByName(key.referencedTable);
    const targetColumn = target?.findColumn(key.referencedColumns[index] ?? '') ?? null;
    if (target !== null && targetColumn !== null) return `References ${target.name}.${targetColumn.name}.`;
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
