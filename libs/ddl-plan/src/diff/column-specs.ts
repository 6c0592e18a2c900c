import type { Column, Table } from '@rowhouse/schema-model';
import { findMoved, placeColumn } from './column-order.js';
import { splitOptions } from './diff-partitions.js';
import { quoteName } from '../sql-text.js';
import { tableOptions } from '../structure-text.js';
import { hasTemporaryDefault } from './temporary-default.js';

/**
 * Reports whether an INSERT must contain a value for the column, because it is NOT NULL and has no default.
 */
export function isRequired(column: Column): boolean {
  return (
    !column.nullable &&
    column.default.kind === 'none' &&
    !column.autoIncrement &&
    column.generated === null &&
    hasTemporaryDefault(column)
  );
}

export function modifySpec(column: Column): string {
  return `MODIFY COLUMN ${quoteName(column.name)} ${column.definition}`;
}

/**
 * Returns the ADD COLUMN clauses for new columns. Inserts each column into `present` at its position in the
 * target.
 */
export function addSpecs(
  columns: readonly Column[],
  order: readonly string[],
  present: string[],
  define: (column: Column) => string = (column) => column.definition,
): string[] {
  return columns.map(
    (column) =>
      `ADD COLUMN ${quoteName(column.name)} ${define(column)}${placeColumn(present, order, column.name)}`,
  );
}

/**
 * Returns the clauses that change a column. If it changes between stored and generated, it is dropped and
 * added again, because no server can convert it in place.
 */
export function reshapeSpecs(
  from: Column,
  to: Column,
  order: readonly string[],
  present: string[],
): string[] {
  if (from.generated === null && to.generated === null) return [modifySpec(to)];
  return [
    `DROP COLUMN ${quoteName(from.name)}`,
    `ADD COLUMN ${quoteName(to.name)} ${to.definition}${placeColumn(present, order, to.name)}`,
  ];
}

/**
 * Returns the clauses that reorder the columns by moving as few as possible. Each clause repeats the new
 * definition of its column.
 */
export function moveSpecs(
  columns: ReadonlyMap<string, Column>,
  order: readonly string[],
  present: string[],
): { specs: string[]; names: ReadonlySet<string> } {
  const moved = findMoved(present, order);
  const specs = moved.map(
    (name) =>
      `MODIFY COLUMN ${quoteName(name)} ${columns.get(name)?.definition ?? ''}${placeColumn(present, order, name)}`,
  );
  return { specs, names: new Set(moved) };
}

export function optionSpecs(from: Table, to: Table): string[] {
  const [old, next] = [from, to].map((table) => splitOptions(tableOptions(table)).options);
  if (old === next || next === undefined) return [];
  // The ENGINE option is removed, because a repeated ENGINE=InnoDB would rebuild the table.
  const text = next.replace(/^ENGINE=\w+\s*/, '');
  // A server keeps the options that the statement does not repeat, so a removed comment must be set to an
  // empty text.
  const isCommentGone = /\bCOMMENT='/.test(old ?? '') && !/\bCOMMENT='/.test(text);
  return [`${text}${isCommentGone ? " COMMENT=''" : ''}`.trim()].filter((spec) => spec !== '');
}
