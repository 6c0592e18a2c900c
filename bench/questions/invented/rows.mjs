// @ts-check
/**
 * A schema that nobody tuned on, its rows, and questions with SQL that answers them. `gold`: the rows of any one of the statements are right.
 * @typedef {{ name: string, statements: readonly string[], questions: readonly (readonly [question: string, ...gold: string[]])[] }} InventedSet
 */

/** @param {string | number | null} value */
const toSql = (value) => (value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`);

/**
 * An INSERT of so many rows, numbered from 1 in their first column.
 * @param {string} table
 * @param {number} count
 * @param {(at: number) => readonly (string | number | null)[]} make the other columns of row `at`, which counts from 0
 */
export function fill(table, count, make) {
  return insert(table, Array.from({ length: count }, (_, at) => [at + 1, ...make(at)]));
}

/** @param {string} table @param {readonly (readonly (string | number | null)[])[]} rows of all columns */
export function insert(table, rows) {
  return `INSERT INTO ${table} VALUES ${rows.map((row) => `(${row.map(toSql).join(', ')})`).join(', ')}`;
}

/** The day so many days before 21 November 2026. @param {number} days */
export function dayBefore(days) {
  return new Date(Date.UTC(2026, 10, 21) - days * 86_400_000).toISOString().slice(0, 10);
}

/** A moment of that day, another one for every row. @param {number} days @param {number} at */
export function momentBefore(days, at) {
  return `${dayBefore(days)} ${String(8 + (at % 10)).padStart(2, '0')}:${String((at * 7) % 60).padStart(2, '0')}:00`;
}

/** @template T @param {readonly T[]} list @param {number} at @returns {T} the one at that place, from the start again behind the end */
export function pick(list, at) {
  return /** @type {T} */ (list[at % list.length]);
}

export const FIRST_NAMES = ['Alice', 'Bruno', 'Carmen', 'David', 'Emma', 'Felix', 'Gloria', 'Henry', 'Irene', 'Jack', 'Karin', 'Leon', 'Maria', 'Noah', 'Olivia', 'Peter', 'Rita', 'Simon', 'Teresa', 'Victor'];
export const LAST_NAMES = ['Keller', 'Moreau', 'Novak', 'Okafor', 'Petrov', 'Quist', 'Rossi', 'Silva', 'Tanaka', 'Ueda', 'Vargas', 'Weber', 'Young', 'Zimmer', 'Abbott', 'Bauer', 'Conti'];
