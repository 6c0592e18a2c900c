// @ts-check
import { readComparedNames, readGroupedNames } from './gold-literals.mjs';

/**
 * @typedef {import('./training-set.mjs').TrainingDatabase} TrainingDatabase
 * @typedef {import('./make-database.mjs').MadeTable} MadeTable
 * @typedef {import('./make-database.mjs').MadeColumn} MadeColumn
 */

const MEASURES = new Set(['INT', 'DOUBLE', 'DATE', 'DATETIME']);

/**
 * Returns whether all values of a column should differ. This is so for measures and names of people. A
 * question for the oldest person, or for those with a name outside a list, then has one answer in every
 * wording. Keys and columns of GROUP BY are excluded.
 * @param {ReadonlySet<string>} grouped the result of `listGrouped`
 * @param {{ name: string, sqlType: string }} column
 */
export function needsDistinctValues(grouped, { name, sqlType }) {
  return (
    !grouped.has(name.toLowerCase()) &&
    (MEASURES.has(sqlType) || (sqlType.startsWith('VARCHAR') && /name$/i.test(name)))
  );
}

/**
 * @param {TrainingDatabase} database
 * @returns {ReadonlySet<string>} the columns of GROUP BY in lower case
 */
export function listGrouped({ questions }) {
  return new Set(questions.flatMap(({ sql }) => readGroupedNames(sql)));
}

/** Matches the names of label columns. */
const CALLED = /(?:name|title|details?)$/i;

/**
 * Returns the name columns that a gold query compares rows by, or groups joined rows by. Two rows with the
 * same name are different rows, but such a query treats them as one, so these names must be unique. Names by
 * which a query groups the rows of their own table may repeat.
 * @param {TrainingDatabase} database
 * @returns {ReadonlySet<string>} in lower case
 */
export function listCompared({ schema, questions }) {
  const ofTables = new Set(schema.tables.map(({ name }) => name.toLowerCase()));
  const grouped = questions.filter(({ sql }) => JOINS.test(sql)).flatMap(({ sql }) => readGroupedNames(sql));
  const alone = listGroupedAlone({ questions });
  return new Set(
    [...questions.flatMap(({ sql }) => readComparedNames(sql)), ...grouped].filter(
      (name) => (CALLED.test(name) || ofTables.has(name)) && !alone.has(name),
    ),
  );
}

const JOINS = /\bjoin\b/i;

/**
 * @param {Pick<TrainingDatabase, 'questions'>} database
 * @returns {ReadonlySet<string>} the columns by which a gold query groups the rows of one table, in lower
 *   case
 */
export function listGroupedAlone({ questions }) {
  return new Set(questions.filter(({ sql }) => !JOINS.test(sql)).flatMap(({ sql }) => readGroupedNames(sql)));
}

/**
 * Returns the columns that a gold query averages or sums.
 * They must hold numbers, whatever type the schema states.
 * @param {TrainingDatabase} database
 * @returns {ReadonlySet<string>} names of columns, in lower case
 */
export function listSummed({ questions }) {
  return new Set(
    questions.flatMap(({ sql }) =>
      [...sql.matchAll(/\b(?:avg|sum)\s*\(\s*(?:\w+\.)?(\w+)\s*\)/gi)].map(
        (match) => match[1]?.toLowerCase() ?? '',
      ),
    ),
  );
}

/**
 * Makes the highest and lowest value of every measure unique, both among all rows and among the rows with
 * each text that a gold query searches for (`the oldest of the students`). Other rows get a value in between.
 * @param {readonly MadeTable[]} tables
 * @param {ReadonlyMap<string, readonly import('./gold-literals.mjs').Literal[]>} literals by `table.column`
 *   in lower case
 */
export function separateExtremes(tables, literals) {
  for (const table of tables) {
    const parts = table.columns.flatMap((column, position) =>
      (literals.get(`${table.name}.${column.name}`.toLowerCase()) ?? []).map(({ text }) =>
        table.rows.filter((row) => String(row[position]).toLowerCase() === text.toLowerCase()),
      ),
    );
    for (const rows of [...parts, table.rows]) {
      for (const [position, column] of table.columns.entries()) {
        if (column.isOwn && MEASURES.has(column.sqlType)) separate(rows, position);
      }
    }
  }
}

/**
 * @param {readonly (string | number | null)[][]} rows
 * @param {number} position the index of a measure
 */
function separate(rows, position) {
  const sorted = [...new Set(rows.map((row) => row[position]))]
    .filter((value) => value !== null && value !== undefined)
    .sort(compare);
  const [inner] = sorted.slice(Math.floor(sorted.length / 2));
  for (const extreme of [sorted[0], sorted.at(-1)]) {
    if (inner === undefined || inner === extreme) continue;
    for (const row of rows.filter((entry) => entry[position] === extreme).slice(1)) row[position] = inner;
  }
}

/** @param {string | number} a @param {string | number} b */
function compare(a, b) {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1;
}
