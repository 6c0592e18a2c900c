import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { RowValues } from '../../plan/plan-parts.js';
import { allowOn } from '../program-parts.js';
import { writePlaceholder } from '../placeholder.js';
import type { SelectList } from '../read/select-list.js';
import { createStatementTexts } from '../statement-texts.js';
import type { BoundValue } from '../../values/cell.js';
import type { Statement } from '../statement.js';

const ROWS_PER_STATEMENT = 256;
const VALUES_PER_STATEMENT = 16_384;
/**
 * The maximum number of values for which all rows are inserted by one statement, whatever their number.
 * Preparing such a statement once costs less than a transaction around several statements. For more values,
 * the server would store too many prepared statements, one for each number of rows.
 */
const VALUES_EXACT_MAX = 512;

/**
 * Reports whether RETURNING returns the values as they are stored. MariaDB computes a VIRTUAL column that
 * depends on the auto-increment column as if the assigned number were 0.
 */
export function isReturnedAsStored(table: CompiledTable): boolean {
  let isSo = returned.get(table);
  if (isSo === undefined) {
    isSo =
      !table.columns.some((column) => column.autoIncrement) ||
      !table.columns.some((column) => column.generated === 'virtual');
    returned.set(table, isSo);
  }
  return isSo;
}

const returned = new WeakMap<CompiledTable, boolean>();

/** Caches the SQL texts of INSERTs of one record, by the record's columns. */
const texts = createStatementTexts();

/**
 * Returns statements that insert rows in order, with RETURNING. Consecutive rows with the same columns share
 * a statement. For larger numbers of values, the number of its rows is a power of two.
 */
export function insertReturning(
  table: CompiledTable,
  rows: readonly RowValues[],
  list: SelectList,
): Statement[] {
  const [only] = rows;
  if (only !== undefined && rows.length === 1)
    return [
      {
        role: { kind: 'records' },
        sql: findInsert(table, [only], list),
        params: toParams(only),
        shape: list.shape,
      },
    ];
  let from = 0;
  return groupRows(rows, ROWS_PER_STATEMENT, VALUES_EXACT_MAX).map((group) => {
    const inserts = { table, rows: group, from };
    from += group.length;
    return {
      role: { kind: 'records' },
      sql: findInsert(table, group, list),
      params: allParams(group),
      shape: list.shape,
      inserts,
    };
  });
}

function findInsert(
  table: CompiledTable,
  rows: readonly [RowValues, ...RowValues[]],
  list: SelectList,
): string {
  if (rows.length * rows[0].length > VALUES_EXACT_MAX) return returningSql(table, rows, list);
  const name = rows.length === 1 ? nameRow(rows[0]) : `${nameRow(rows[0])}x${rows.length}`;
  return texts.find(table, list, name) ?? texts.keep(table, list, name, returningSql(table, rows, list));
}

/** Returns the values of all rows in order. */
function allParams(rows: readonly RowValues[]): BoundValue[] {
  const params: BoundValue[] = [];
  for (const row of rows) for (const { value } of row) params.push(value);
  return params;
}

/** Returns a cache name made of the columns of the row. */
function nameRow(row: RowValues): string {
  let name = '';
  for (const { column } of row) name += `${column.position} `;
  return name;
}

/** The object that identifies cached SQL texts without RETURNING. */
const PLAIN = {};

/**
 * Returns the statement that inserts one row without RETURNING. `index` is the index of the row in the body.
 */
export function insertOne(table: CompiledTable, row: RowValues, index: number): Statement {
  const name = nameRow(row);
  const sql = texts.find(table, PLAIN, name) ?? texts.keep(table, PLAIN, name, insertSql(table, [row]));
  return { role: { kind: 'write', row: index }, sql, params: toParams(row), shape: null };
}

function returningSql(table: CompiledTable, rows: readonly RowValues[], list: SelectList): string {
  return `${insertSql(table, rows)} RETURNING ${list.text}`;
}

/**
 * Returns a statement for the first half of the rows of the INSERT `whole`, but at least for one row. `count`
 * is the number of rows in the returned statement.
 */
export function insertHalf(
  whole: Statement,
  table: CompiledTable,
  rows: readonly RowValues[],
): { readonly statement: Statement; readonly count: number } {
  const count = floorPowerOfTwo(Math.max(1, Math.floor(rows.length / 2)));
  const held = rows.slice(0, count);
  const half: Statement = {
    role: { kind: 'write', row: 0 },
    sql: insertSql(table, held),
    params: allParams(held),
    shape: null,
  };
  return {
    statement: whole.sql.startsWith('INSERT INTO ') ? half : allowOn(half, table.schema.engine),
    count,
  };
}

/**
 * Returns statements that insert rows without RETURNING. `role.row` of each statement is the index of its
 * first row in the body.
 */
export function insertPlain(
  table: CompiledTable,
  rows: readonly RowValues[],
  rowsPerStatement: number,
): Statement[] {
  const statements: Statement[] = [];
  let row = 0;
  for (const group of groupRows(rows, rowsPerStatement)) {
    statements.push({
      role: { kind: 'write', row },
      sql: insertSql(table, group),
      params: allParams(group),
      shape: null,
      inserts: { table, rows: group, from: row },
    });
    row += group.length;
  }
  return statements;
}

function toParams(row: RowValues): BoundValue[] {
  return row.map((entry) => entry.value);
}

function insertSql(table: CompiledTable, rows: readonly RowValues[]): string {
  const columns: readonly CompiledColumn[] = (rows[0] ?? []).map((entry) => entry.column);
  const values = `(${columns.map(writePlaceholder).join(', ')})`;
  return `INSERT INTO ${table.quoted} (${columns.map((column) => column.quoted).join(', ')}) VALUES ${rows.map(() => values).join(', ')}`;
}

/**
 * Groups consecutive rows with the same columns. The size of a group is rounded down to a power of two if the
 * group has more than `exactMax` values.
 */
function groupRows(rows: readonly RowValues[], rowsMax: number, exactMax = 0): [RowValues, ...RowValues[]][] {
  const groups: [RowValues, ...RowValues[]][] = [];
  let start = 0;
  while (start < rows.length) {
    const first = rows[start] ?? [];
    let end = start + 1;
    while (end < rows.length && hasSameColumns(first, rows[end] ?? [])) end += 1;
    const maximum = Math.min(
      rowsMax,
      Math.max(1, Math.floor(VALUES_PER_STATEMENT / Math.max(1, first.length))),
    );
    while (start < end) {
      const remaining = Math.min(maximum, end - start);
      const size = remaining * first.length <= exactMax ? remaining : floorPowerOfTwo(remaining);
      groups.push([rows[start] ?? [], ...rows.slice(start + 1, start + size)]);
      start += size;
    }
  }
  return groups;
}

function hasSameColumns(a: RowValues, b: RowValues): boolean {
  return a.length === b.length && a.every((entry, index) => entry.column === b[index]?.column);
}

function floorPowerOfTwo(count: number): number {
  let size = 1;
  while (size * 2 <= count) size *= 2;
  return size;
}
