// @ts-check
import { readComparedNames, readGroupedNames } from './gold-literals.mjs';

/**
 * @typedef {import('./training-set.mjs').TrainingDatabase} TrainingDatabase
 * @typedef {import('./make-database.mjs').MadeTable} MadeTable
 * @typedef {import('./make-database.mjs').MadeColumn} MadeColumn
 */

const MEASURES = new Set(['INT', 'DOUBLE', 'DATE', 'DATETIME']);

/**
 * Is this a column whose values tell rows apart: a measure, or a person's name? A question for the oldest, or for those whose name is on
 * no list, then has one answer, however it is asked. Keys and columns that a gold query groups by are not.
 *
 * @param {ReadonlySet<string>} grouped names of columns, as `listGrouped` gives them
 * @param {{ name: string, sqlType: string }} column
 */
export function tellsApart(grouped, { name, sqlType }) {
  return !grouped.has(name.toLowerCase()) && (MEASURES.has(sqlType) || (sqlType.startsWith('VARCHAR') && /name$/i.test(name)));
}

/** @param {TrainingDatabase} database @returns {ReadonlySet<string>} names of columns behind GROUP BY, in lower case */
export function listGrouped({ questions }) {
  return new Set(questions.flatMap(({ sql }) => readGroupedNames(sql)));
}

/** What rows are called by, in the names of columns. */
const CALLED = /(?:name|title|details?)$/i;

/**
 * Columns of names that a gold query takes rows from others by. Rows of one name are two where the question is about rows, one where the query
 * compares names: no two rows have the same one.
 *
 * @param {TrainingDatabase} database @returns {ReadonlySet<string>} in lower case
 */
export function listCompared({ questions }) {
  return new Set(questions.flatMap(({ sql }) => readComparedNames(sql)).filter((name) => CALLED.test(name)));
}

/**
 * Columns that a gold query averages or sums up hold numbers, whatever their schema calls them.
 *
 * @param {TrainingDatabase} database
 * @returns {ReadonlySet<string>} names of columns, in lower case
 */
export function listSummed({ questions }) {
  return new Set(questions.flatMap(({ sql }) => [...sql.matchAll(/\b(?:avg|sum)\s*\(\s*(?:\w+\.)?(\w+)\s*\)/gi)].map((match) => match[1]?.toLowerCase() ?? '')));
}

/**
 * The highest and the lowest value of every measure stand in one row only: other rows get a value between them.
 *
 * @param {readonly MadeTable[]} tables
 */
export function separateExtremes(tables) {
  for (const table of tables) {
    for (const [place, column] of table.columns.entries()) {
      if (!column.isOwn || !MEASURES.has(column.sqlType)) continue;
      const sorted = [...new Set(table.rows.map((row) => row[place]))].filter((value) => value !== null && value !== undefined).sort(compare);
      const [inner] = sorted.slice(Math.floor(sorted.length / 2));
      for (const extreme of [sorted[0], sorted.at(-1)]) {
        const rows = table.rows.filter((row) => row[place] === extreme);
        if (inner !== undefined && inner !== extreme) for (const row of rows.slice(1)) row[place] = inner;
      }
    }
  }
}

/** @param {string | number} a @param {string | number} b */
function compare(a, b) {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1;
}
