import { AppError } from '@rowhouse/errors';
import type { Table } from '@rowhouse/schema-model';

/**
 * Returns hidden columns whose values are left out. Throws if rows cannot lack one: a required column without
 * a default, or one that identifies or joins rows.
 */
export function findBlank(table: Table, hidden: readonly string[]): string[] {
  const columns = table.columns.filter((column) => hidden.includes(column.name) && column.generated === null);
  const needed = columns.filter((column) => {
    const takesNothing = !column.nullable && column.default.kind === 'none';
    const isUnique = table.indexes.some(
      (index) => index.unique && index.columns.some((part) => part.name === column.name),
    );
    const standsEmpty = column.nullable && column.default.kind !== 'literal';
    return takesNothing || column.autoIncrement || (isUnique && !standsEmpty);
  });
  if (needed.length === 0) return columns.map((column) => column.name);
  throw new AppError('transfer.not_possible', {
    detail: `${needed.map((column) => `${table.name}.${column.name}`).join(', ')} is hidden, and no row can be without it.`,
    hint: 'Leave the table out, or give the column a default.',
    extra: { table: table.name, columns: needed.map((column) => column.name) },
  });
}
