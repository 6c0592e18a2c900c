import { ownMember, type Column, type Snapshot, type Steps, type Table } from '@rowhouse/schema-model';
import type { ValueLink } from '../types.js';
import type { ColumnValues } from './lexicon.js';
import type { YieldCheck } from './yield-check.js';
import { pushTo } from './multimap.js';

/** The maximum number of words in a value. Longer values are not in the index. */
const VALUE_WORDS_MAX = 8;

/** Words that questions use for the stored values of columns with a gender. */
const GENDERS: Readonly<Record<string, readonly string[]>> = {
  m: ['male', 'man', 'boy', 'men'],
  f: ['female', 'woman', 'girl', 'women'],
  male: ['m', 'man', 'boy', 'men'],
  female: ['f', 'woman', 'girl', 'women'],
};

/** Adds the collected values and the labels of ENUM and SET columns to an index by lookup key. */
export function* indexValues(
  snapshot: Snapshot,
  values: readonly ColumnValues[],
  shouldYield: YieldCheck,
): Steps<ReadonlyMap<string, readonly ValueLink[]>> {
  const index = new Map<string, ValueLink[]>();
  const byName = new Map(snapshot.tables.map((table) => [table.name, table]));
  const add = (table: Table, column: Column, value: string): void => {
    const key = toValueKey(value);
    if (key !== '' && key.split(' ').length <= VALUE_WORDS_MAX)
      pushTo(index, key, { table, column, value, cost: 0 });
  };
  const addAll = (table: Table, column: Column, value: string): void => {
    add(table, column, value);
    if (/(?:sex|gender)$/i.test(column.name))
      for (const word of ownMember(GENDERS, value.toLowerCase().trim()) ?? [])
        pushTo(index, word, { table, column, value, cost: 0.05 });
  };
  for (const table of snapshot.tables) {
    for (const column of table.columns) {
      for (const label of column.labels ?? []) addAll(table, column, label);
      if (shouldYield(1 + (column.labels?.length ?? 0))) yield;
    }
  }
  for (const entry of values) {
    const table = byName.get(entry.table);
    const column = table?.columns.find((column) => column.name === entry.column);
    if (shouldYield(table?.columns.length ?? 1)) yield;
    if (table === undefined || column === undefined || column.labels !== null) continue;
    for (const value of entry.values) {
      addAll(table, column, value);
      if (shouldYield(1)) yield;
    }
  }
  return index;
}

/** Returns, for each column, the lookup keys of all its values in the index. */
export function* groupByColumn(
  index: ReadonlyMap<string, readonly ValueLink[]>,
  shouldYield: YieldCheck,
): Steps<ReadonlyMap<Column, ReadonlySet<string>>> {
  const found = new Map<Column, Set<string>>();
  for (const [key, links] of index) {
    for (const { column } of links) {
      const known = found.get(column);
      if (known === undefined) found.set(column, new Set([key]));
      else known.add(key);
    }
    if (shouldYield(links.length)) yield;
  }
  return found;
}

/**
 * Returns the lookup key of a value, which is its words in lower case. Punctuation between them is replaced
 * with a space.
 */
export function toValueKey(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%+#&]+/gu, ' ')
    .trim();
}
