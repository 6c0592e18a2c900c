import type { Column, Snapshot, Steps, Table } from '@rowhouse/schema-model';
import { isCalendar, isKey, isNumeric } from '../resolve/column-kinds.js';
import type { ColumnLink } from '../types.js';
import { toRoot } from '../words/inflect.js';
import { wordSet } from '../words/word-set.js';
import type { YieldCheck } from './yield-check.js';

/** Last words of number columns that state an amount. */
const AMOUNTS = wordSet('quantity amount number count unit level stock balance hand');

const BEGINNING = wordSet(`
  created create creation added placed ordered order posted issued issue opened started start made
  registered registration joined published released release booked entered inserted submitted received hired
  launched uploaded sent written signed recorded logged listed bought purchased
`);

/** Words for events after the creation of a row, or before it. */
const LATER = wordSet(`
  updated update modified changed deleted birth born death died expiry expire expires expired expiration due
  end ended closed canceled finished finish until valid last next left returned return deadline delivered
  delivery shipped paid completed
`);

const COST = 0.2;

/**
 * Finds the creation time of the rows of each table, which `newest` and
 * `oldest` refer to when no column is called a date. It is a column named by a
 * verb for creation or by the table's own name, or else the only time column.
 */
export function* listBeginnings(
  snapshot: Snapshot,
  tableWords: ReadonlyMap<Table, readonly string[]>,
  columnWords: ReadonlyMap<Column, readonly string[]>,
  shouldYield: YieldCheck,
): Steps<ColumnLink[]> {
  const found: ColumnLink[] = [];
  for (const table of snapshot.tables) {
    const own = new Set((tableWords.get(table) ?? []).map(toRoot));
    const has = (column: Column, fits: (word: string) => boolean): boolean =>
      (columnWords.get(column) ?? []).some(fits);
    const isOwn = (column: Column): boolean => has(column, (word) => own.has(toRoot(word)));
    const times = table.columns.filter(
      (column) => isCalendar(column) && (isOwn(column) || !has(column, (word) => LATER.has(word))),
    );
    const named = times.filter((column) => isOwn(column) || has(column, (word) => BEGINNING.has(word)));
    const meant = named.length > 0 ? named : times.length === 1 ? times : [];
    found.push(...meant.map((column) => ({ table, column, cost: COST })));
    if (shouldYield(table.columns.length)) yield;
  }
  return found;
}

/**
 * Finds tables that only state amounts of what their keys refer to, and since when:
 * `stock (product_id, warehouse_id, qty)`. Returns the amount column of each.
 */
export function* listAmounts(
  snapshot: Snapshot,
  columnWords: ReadonlyMap<Column, readonly string[]>,
  shouldYield: YieldCheck,
): Steps<ReadonlyMap<Table, Column>> {
  const found = new Map<Table, Column>();
  for (const table of snapshot.tables) {
    const [column, ...more] = table.columns.filter((column) => !isKey(table, column) && !isCalendar(column));
    const isAmount =
      column !== undefined &&
      more.length === 0 &&
      table.foreignKeys.length > 0 &&
      isNumeric(column) &&
      column.valueKind !== 'boolean' &&
      AMOUNTS.has(columnWords.get(column)?.at(-1) ?? '');
    if (isAmount) found.set(table, column);
    if (shouldYield(table.columns.length)) yield;
  }
  return found;
}

/** The extra cost of another time column when the creation time of the rows is known. */
const LATER_COST = 0.6;

/**
 * Lists the columns with dates and years.
 * Columns with a common name for a time cost least. Works in steps.
 */
export function* listDateColumns(
  snapshot: Snapshot,
  beginnings: readonly ColumnLink[],
  shouldYield: YieldCheck,
): Steps<ColumnLink[]> {
  const isDate = (column: Column): boolean =>
    isCalendar(column) ||
    column.valueKind === 'year' ||
    (isNumeric(column) &&
      /year|^(?:born|died|founded|established|built)$/i.test(column.name) &&
      !/num|count|id$|experience|work/i.test(column.name));
  const begins = new Set(beginnings.map(({ column }) => column));
  const started = new Set(beginnings.map(({ table }) => table));
  const found: ColumnLink[] = [];
  for (const table of snapshot.tables) {
    for (const column of table.columns) {
      if (isDate(column))
        found.push({
          table,
          column,
          cost: begins.has(column)
            ? Math.min(costOfDate(column), BEGINNING_COST)
            : started.has(table) && isCalendar(column)
              ? Math.max(costOfDate(column), LATER_COST)
              : costOfDate(column),
        });
    }
    if (shouldYield(table.columns.length)) yield;
  }
  return found;
}

const BEGINNING_COST = 0.15;

/** Returns the extra cost of a date column. A date without a name most likely means a creation date. */
function costOfDate({ name }: Column): number {
  if (
    /creat|^date$|^year$|_date$|_at$|^time$|date_of|added|placed|posted|ordered/i.test(name) &&
    !/updat|modif|delet|birth|expir|end|due/i.test(name)
  )
    return /creat|^date$|^year$/i.test(name) ? 0 : 0.15;
  return /updat|modif|delet|birth|expir/i.test(name) ? 0.7 : 0.3;
}
