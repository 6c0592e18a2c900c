import type { Column, Table } from '@rowhouse/schema-model';
import { findMoved, placeColumn } from './column-order.js';
import { splitOptions } from './diff-partitions.js';
import { quoteName } from './sql-text.js';
import { tableOptions } from './structure-text.js';
import { hasTemporaryDefault } from './temporary-default.js';

/** NOT NULL without a default: callers must send it. */
export function isRequired(column: Column): boolean {
  return !column.nullable && column.default.kind === 'none' && !column.autoIncrement && column.generated === null && hasTemporaryDefault(column);
}

export function modifySpec(column: Column): string {
  return `MODIFY COLUMN ${quoteName(column.name)} ${column.definition}`;
}

/** Puts each column into `present` where the target has it. */
export function addSpecs(columns: readonly Column[], order: readonly string[], present: string[], define: (column: Column) => string = (column) => column.definition): string[] {
  return columns.map((column) => `ADD COLUMN ${quoteName(column.name)} ${define(column)}${placeColumn(present, order, column.name)}`);
}

/** Whether a value is stored or computed cannot be modified in place: the column goes and comes again. */
export function reshapeSpecs(from: Column, to: Column, order: readonly string[], present: string[]): string[] {
  if (from.generated === null && to.generated === null) return [modifySpec(to)];
  return [`DROP COLUMN ${quoteName(from.name)}`, `ADD COLUMN ${quoteName(to.name)} ${to.definition}${placeColumn(present, order, to.name)}`];
}

/** As few columns as can be move, each with its definition as it is to be. */
export function moveSpecs(columns: ReadonlyMap<string, Column>, order: readonly string[], present: string[]): { specs: string[]; names: ReadonlySet<string> } {
  const moved = findMoved(present, order);
  const specs = moved.map((name) => `MODIFY COLUMN ${quoteName(name)} ${columns.get(name)?.definition ?? ''}${placeColumn(present, order, name)}`);
  return { specs, names: new Set(moved) };
}

export function optionSpecs(from: Table, to: Table): string[] {
  const [old, next] = [from, to].map((table) => splitOptions(tableOptions(table)).options);
  if (old === next || next === undefined) return [];
  // ENGINE=InnoDB again would rebuild the table.
  const text = next.replace(/^ENGINE=\w+\s*/, '');
  // What is not said again stays: a comment that goes must be said to be empty.
  const isCommentGone = /\bCOMMENT='/.test(old ?? '') && !/\bCOMMENT='/.test(text);
  return [`${text}${isCommentGone ? " COMMENT=''" : ''}`.trim()].filter((spec) => spec !== '');
}
