import type { Column, Snapshot, Steps, Table } from '@rowhouse/schema-model';
import { isCalendar } from '../resolve/fits-literal.js';
import type { ColumnLink } from '../types.js';
import { toRoot } from '../words/inflect.js';
import type { YieldCheck } from './yield-check.js';
import { wordSet } from '../words/word-set.js';

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
