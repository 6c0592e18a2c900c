import type { Column, Table } from '@rowhouse/schema-model';
import type { Literal } from '../types.js';
import { wordSet } from '../words/word-set.js';

const NUMERIC = wordSet('integer decimal float double boolean bit year');

const CALENDAR = wordSet('date datetime timestamp');

/** Reports whether the column stores numbers, years, bits or booleans. */
export const isNumeric = (column: Column): boolean => NUMERIC.has(column.valueKind);

/** Reports whether the column stores dates or times of day. */
export const isCalendar = (column: Column): boolean => CALENDAR.has(column.valueKind);

/** Reports whether the column can be compared with a literal of this kind. */
export function fitsLiteral(column: Column, literal: Literal): boolean {
  if (literal.kind === 'period')
    return isCalendar(column) || column.valueKind === 'year' || isYearNumber(column);
  if (literal.kind === 'number')
    return (
      isNumeric(column) ||
      column.valueKind === 'string' ||
      column.valueKind === 'enum' ||
      (isCalendar(column) && isYear(literal.value))
    );
  if (isNumeric(column)) return /^-?\d+(\.\d+)?$/.test(literal.text);
  if (isCalendar(column)) return /^\d{4}-\d{1,2}-\d{1,2}/.test(literal.text);
  return !['json', 'binary', 'geometry', 'vector'].includes(column.valueKind);
}

/** Reports whether a number can be a year, which must be between 1700 and 2100. */
export function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1_700 && value <= 2_100;
}

function isYearNumber(column: Column): boolean {
  return isNumeric(column) && /year/i.test(column.name);
}

/**
 * Reports whether the column belongs to the primary key or to a foreign key. A sum of keys has no meaning.
 */
export function isKey(table: Table, column: Column): boolean {
  return (
    table.primaryKey?.includes(column.name) === true ||
    table.foreignKeys.some((key) => key.columns.includes(column.name))
  );
}

/** Reports whether the column of a link contains numbers or years. Booleans and bits are not included. */
export function isNumberLink(link: { readonly column: { readonly valueKind: string } }): boolean {
  return ['integer', 'decimal', 'float', 'double', 'year'].includes(link.column.valueKind);
}
