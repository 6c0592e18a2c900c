import type { Steps } from '@rowhouse/schema-model';
import { findLabel } from '../resolve/find-label.js';
import type { TableLink, ValueLink } from '../types.js';
import { NAME_WORK, type YieldCheck } from './yield-check.js';
import type { ColumnValues, Lexicon } from './lexicon.js';

const COST = 0.1;

const WORDS_MAX = 4;

/**
 * Indexes people by the first word of a name of several words in one column.
 * Two people with the same first name give two links.
 */
export function* listFirstNames(
  people: readonly TableLink[],
  values: readonly ColumnValues[],
  shouldYield: YieldCheck,
): Steps<ReadonlyMap<string, readonly ValueLink[]>> {
  const found = new Map<string, ValueLink[]>();
  for (const { table } of people) {
    const [column, ...more] = findLabel(table);
    const own =
      column === undefined || more.length > 0
        ? undefined
        : values.find((entry) => entry.table === table.name && entry.column === column.name);
    if (column === undefined || own === undefined) continue;
    for (const value of own.values) {
      if (shouldYield(1)) yield;
      const words = value.trim().split(/\s+/);
      const first = words[0]?.toLowerCase() ?? '';
      if (words.length < 2 || words.length > WORDS_MAX) continue;
      const links = found.get(first) ?? [];
      links.push({ table, column, value, cost: COST });
      found.set(first, links);
    }
  }
  return found;
}

const PEOPLE = [
  'user',
  'person',
  'employee',
  'customer',
  'student',
  'member',
  'author',
  'client',
  'staff',
  'player',
  'teacher',
  'professor',
  'artist',
  'driver',
  'patient',
  'doctor',
  'physician',
  'guest',
  'reviewer',
  'scientist',
  'instructor',
  'singer',
  'pilot',
  'actor',
  'candidate',
  'visitor',
  'account',
];

/** The cost of taking the rows of a table for people because it has a first and a last name. */
const NAMED_PEOPLE_COST = 0.8;

/** Finds the tables whose rows are people, such as `users` and `employees`. Works in steps. */
export function* listPeople(tableWords: Lexicon['tableWords'], shouldYield: YieldCheck): Steps<TableLink[]> {
  const people: TableLink[] = [];
  for (const [table, words] of tableWords) {
    const position = PEOPLE.indexOf(words.at(-1) ?? '');
    if (position >= 0) people.push({ table, cost: 0.1 + 0.02 * position });
    else if (findLabel(table).length === 2) people.push({ table, cost: NAMED_PEOPLE_COST });
    if (shouldYield(NAME_WORK)) yield;
  }
  return people;
}
