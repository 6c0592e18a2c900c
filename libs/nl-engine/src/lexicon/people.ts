import type { Steps } from '@rowhouse/schema-model';
import { findLabel } from '../resolve/find-label.js';
import type { TableLink, ValueLink } from '../types.js';
import { NAME_WORK, type YieldCheck } from './yield-check.js';
import type { ColumnValues, Lexicon } from './lexicon.js';

const FIRST_NAME_COST = 0.1;

const NAME_WORDS_MAX = 4;

/**
 * Maps the first names of people to their full names, if one column contains these. Two people with the same
 * first name have two links.
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
      if (words.length < 2 || words.length > NAME_WORDS_MAX) continue;
      const links = found.get(first) ?? [];
      links.push({ table, column, value, cost: FIRST_NAME_COST });
      found.set(first, links);
    }
  }
  return found;
}

const NOUNS_FOR_PEOPLE = [
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

/**
 * The cost of treating the rows of a table as people if only its columns for first and last names indicate
 * this.
 */
const NAMED_PEOPLE_COST = 0.8;

/** Returns the tables whose rows are people, such as `users` and `employees`. Yields between steps. */
export function* listPeople(tableWords: Lexicon['tableWords'], shouldYield: YieldCheck): Steps<TableLink[]> {
  const people: TableLink[] = [];
  for (const [table, words] of tableWords) {
    const position = NOUNS_FOR_PEOPLE.indexOf(words.at(-1) ?? '');
    if (position >= 0) people.push({ table, cost: 0.1 + 0.02 * position });
    else if (findLabel(table).length === 2) people.push({ table, cost: NAMED_PEOPLE_COST });
    if (shouldYield(NAME_WORK)) yield;
  }
  return people;
}
