// @ts-check
/**
 * A schema that was not used for tuning, with rows and questions.
 * Each question has one or more gold queries, and the rows of any of them are correct.
 * @typedef {{ name: string, statements: readonly string[], questions: readonly (readonly [question: string,
 *   ...gold: string[]])[] }} InventedSet
 */

/** @param {string | number | null} value */
const toSql = (value) =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;

/**
 * Returns an INSERT of `count` rows whose first column counts from 1.
 * @param {string} table
 * @param {number} count
 * @param {(index: number) => readonly (string | number | null)[]} make returns the other columns of row `index`,
 *   which counts from 0
 */
export function fill(table, count, make) {
  return insert(
    table,
    Array.from({ length: count }, (_, index) => [index + 1, ...make(index)]),
  );
}

/**
 * @param {string} table
 * @param {readonly (readonly (string | number | null)[])[]} rows the values of all columns
 */
export function insert(table, rows) {
  return `INSERT INTO ${table} VALUES ${rows.map((row) => `(${row.map(toSql).join(', ')})`).join(', ')}`;
}

/**
 * Returns the day this number of days before November 21, 2026.
 * @param {number} days
 */
export function dayBefore(days) {
  return new Date(Date.UTC(2026, 10, 21) - days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * Returns a time on that day, different for every row.
 * @param {number} days
 * @param {number} index
 */
export function momentBefore(days, index) {
  return `${dayBefore(days)} ${String(8 + (index % 10)).padStart(2, '0')}:${String((index * 7) % 60).padStart(2, '0')}:00`;
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} index
 * @returns {T} the element at that index, starting over after the last one
 */
export function pick(list, index) {
  return /** @type {T} */ (list[index % list.length]);
}

export const FIRST_NAMES = [
  'Alice',
  'Bruno',
  'Carmen',
  'David',
  'Emma',
  'Felix',
  'Gloria',
  'Henry',
  'Irene',
  'Jack',
  'Karin',
  'Leon',
  'Maria',
  'Noah',
  'Olivia',
  'Peter',
  'Rita',
  'Simon',
  'Teresa',
  'Victor',
];
export const LAST_NAMES = [
  'Keller',
  'Moreau',
  'Novak',
  'Okafor',
  'Petrov',
  'Quist',
  'Rossi',
  'Silva',
  'Tanaka',
  'Ueda',
  'Vargas',
  'Weber',
  'Young',
  'Zimmer',
  'Abbott',
  'Bauer',
  'Conti',
];
