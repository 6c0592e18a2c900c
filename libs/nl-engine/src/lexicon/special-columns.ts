import type { Column, Snapshot, Steps, Table } from '@rowhouse/schema-model';
import { isCalendar, isKey, isNumeric } from '../resolve/column-kinds.js';
import type { ColumnLink } from '../types.js';
import { toRoot } from '../words/inflect.js';
import { wordSet } from '../words/word-set.js';
import type { YieldCheck } from './yield-check.js';

/** The last words in names of number columns that contain an amount. */
const AMOUNT_NOUNS = wordSet('quantity amount number count unit level stock balance hand');

const CREATION_WORDS = wordSet(`
  created create creation added placed ordered order posted issued issue opened started start made
  registered registration joined published released release booked entered inserted submitted received hired
  launched uploaded sent written signed recorded logged listed bought purchased
`);

/** Words for events other than the creation of a row. */
const OTHER_EVENT_WORDS = wordSet(`
  updated update modified changed deleted birth born death died expiry expire expires expired expiration due
  end ended closed canceled finished finish until valid last next left returned return deadline delivered
  delivery shipped paid completed
`);

const CREATION_TIME_COST = 0.2;

/**
 * Returns the columns with the creation time of rows, to which `newest` and `oldest` refer. Their names
 * contain a word for creation or the name of the table. If there is no such column, the only time column of a
 * table is returned.
 */
export function* listCreationTimes(
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
    const hasTableRoot = (column: Column): boolean => has(column, (word) => own.has(toRoot(word)));
    const times = table.columns.filter(
      (column) =>
        isCalendar(column) && (hasTableRoot(column) || !has(column, (word) => OTHER_EVENT_WORDS.has(word))),
    );
    const named = times.filter(
      (column) => hasTableRoot(column) || has(column, (word) => CREATION_WORDS.has(word)),
    );
    const chosen = named.length > 0 ? named : times.length === 1 ? times : [];
    found.push(...chosen.map((column) => ({ table, column, cost: CREATION_TIME_COST })));
    if (shouldYield(table.columns.length)) yield;
  }
  return found;
}

/**
 * Returns the columns with amounts of tables that contain only foreign keys, times and one amount, such as
 * `stock (product_id, warehouse_id, qty)`.
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
      AMOUNT_NOUNS.has(columnWords.get(column)?.at(-1) ?? '');
    if (isAmount) found.set(table, column);
    if (shouldYield(table.columns.length)) yield;
  }
  return found;
}

/** The minimum cost of another time column if the column with the creation time of the rows is known. */
const OTHER_TIME_COST = 0.6;

/**
 * Returns the columns that store dates or years. Creation times, and columns with a general name such as
 * `date`, have the lowest cost. Yields between steps.
 */
export function* listDateColumns(
  snapshot: Snapshot,
  creationTimes: readonly ColumnLink[],
  shouldYield: YieldCheck,
): Steps<ColumnLink[]> {
  const isDate = (column: Column): boolean =>
    isCalendar(column) ||
    column.valueKind === 'year' ||
    (isNumeric(column) &&
      /year|^(?:born|died|founded|established|built)$/i.test(column.name) &&
      !/num|count|id$|experience|work/i.test(column.name));
  const creationColumns = new Set(creationTimes.map(({ column }) => column));
  const tablesWithCreation = new Set(creationTimes.map(({ table }) => table));
  const found: ColumnLink[] = [];
  for (const table of snapshot.tables) {
    for (const column of table.columns) {
      if (isDate(column))
        found.push({
          table,
          column,
          cost: creationColumns.has(column)
            ? Math.min(costOfDateName(column), DATED_CREATION_COST)
            : tablesWithCreation.has(table) && isCalendar(column)
              ? Math.max(costOfDateName(column), OTHER_TIME_COST)
              : costOfDateName(column),
        });
    }
    if (shouldYield(table.columns.length)) yield;
  }
  return found;
}

const DATED_CREATION_COST = 0.15;

/**
 * Returns the cost of a date column. A date in a question without a verb is most probably the date of
 * creation.
 */
function costOfDateName({ name }: Column): number {
  if (
    /creat|^date$|^year$|_date$|_at$|^time$|date_of|added|placed|posted|ordered/i.test(name) &&
    !/updat|modif|delet|birth|expir|end|due/i.test(name)
  )
    return /creat|^date$|^year$/i.test(name) ? 0 : 0.15;
  return /updat|modif|delet|birth|expir/i.test(name) ? 0.7 : 0.3;
}
