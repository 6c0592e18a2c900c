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
 * Columns of names that a gold query takes rows from others by, or puts joined rows together by. Rows of one name are two where the question is
 * about rows, one where the query compares names: no two rows have the same one. Names that a query groups the rows of their own table by repeat.
 *
 * @param {TrainingDatabase} database @returns {ReadonlySet<string>} in lower case
 */
export function listCompared({ schema, questions }) {
  const ofTables = new Set(schema.tables.map(({ name }) => name.toLowerCase()));
  const grouped = questions.filter(({ sql }) => JOINS.test(sql)).flatMap(({ sql }) => readGroupedNames(sql));
  const alone = listGroupedAlone({ questions });
  return new Set([...questions.flatMap(({ sql }) => readComparedNames(sql)), ...grouped].filter((name) => (CALLED.test(name) || ofTables.has(name)) && !alone.has(name)));
}

const JOINS = /\bjoin\b/i;

/** @param {Pick<TrainingDatabase, 'questions'>} database @returns {ReadonlySet<string>} columns that a gold query groups the rows of one table by, in lower case */
export function listGroupedAlone({ questions }) {
  return new Set(questions.filter(({ sql }) => !JOINS.test(sql)).flatMap(({ sql }) => readGroupedNames(sql)));
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
 * The highest and the lowest value of every measure stand in one row only, among all rows and among those that have a text which a gold query
 * looks for (`the oldest of the students`): other rows get a value between them.
 *
 * @param {readonly MadeTable[]} tables
 * @param {ReadonlyMap<string, readonly import('./gold-literals.mjs').Literal[]>} literals by `table.column` in lower case
 */
export function separateExtremes(tables, literals) {
  for (const table of tables) {
    const parts = table.columns.flatMap((column, place) => (literals.get(`${table.name}.${column.name}`.toLowerCase()) ?? []).map(({ text }) => table.rows.filter((row) => String(row[place]).toLowerCase() === text.toLowerCase())));
    for (const rows of [...parts, table.rows]) {
      for (const [place, column] of table.columns.entries()) {
        if (column.isOwn && MEASURES.has(column.sqlType)) separate(rows, place);
      }
    }
  }
}

/** @param {readonly (string | number | null)[][]} rows @param {number} place of a measure */
function separate(rows, place) {
  const sorted = [...new Set(rows.map((row) => row[place]))].filter((value) => value !== null && value !== undefined).sort(compare);
  const [inner] = sorted.slice(Math.floor(sorted.length / 2));
  for (const extreme of [sorted[0], sorted.at(-1)]) {
    if (inner === undefined || inner === extreme) continue;
    for (const row of rows.filter((entry) => entry[place] === extreme).slice(1)) row[place] = inner;
  }
}

/** @param {string | number} a @param {string | number} b */
function compare(a, b) {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1;
}
