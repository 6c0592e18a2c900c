// @ts-check
import { readSelectedTable, readMatchingRows } from './gold-literals.mjs';

/**
 * @typedef {import('./make-database.mjs').MadeTable} MadeTable
 * @typedef {import('./make-database.mjs').MadeColumn} MadeColumn
 * @typedef {(string | number | null)[]} Row
 * @typedef {ReturnType<typeof readMatchingRows>} RequiredValues
 */

/**
 * Changes rows so that every gold query finds something. The chosen rows get the values that the query
 * requires, and foreign keys that connect them.
 *
 * A row that already has a required value in a unique column is used unchanged. A row with a
 * required text is reused when the query compares with the value of one row (`= (SELECT …)`),
 * since a second such row would make the query fail. Otherwise, a row is chosen that no other
 * query uses. Both halves of an `INTERSECT` use the same row of the shown table.
 * @param {import('./training-set.mjs').TrainingSchema} schema
 * @param {readonly MadeTable[]} tables
 * @param {readonly string[]} queries
 */
export function plantMatchingRows(schema, tables, queries) {
  const byName = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  /** @type {Set<Row>} */
  const provided = new Set();
  /** @type {Set<string>} */
  const done = new Set();
  for (const [position, sql] of queries.entries()) {
    const parts = sql.split(/\bintersect\b/i).map((part) => readMatchingRows(schema, part));
    // Two queries with the same required values use the same rows.
    const message = JSON.stringify(
      parts.map((inputs) => [...inputs].map(([name, columns]) => [name, [...columns]])),
    );
    if (done.has(message)) continue;
    done.add(message);
    const visible = readSelectedTable(schema, sql);
    /** @type {Row | undefined} */
    let shared;
    for (const inputs of parts) {
      const rows = chooseRows(byName, inputs, provided, {
        place: position,
        shown: visible,
        shared,
        isOne: COMPARED_WITH_ONE.test(sql),
      });
      shared = parts.length > 1 && visible !== null ? rows.get(visible) : undefined;
      fillRows(byName, inputs, rows);
      tie(schema, byName, rows);
      for (const row of rows.values()) provided.add(row);
    }
  }
}

/**
 * @param {ReadonlyMap<string, MadeTable>} byName
 * @param {RequiredValues} inputs
 * @param {ReadonlySet<Row>} provided
 * @param {{ place: number, shown: string | null, shared: Row | undefined, isOne: boolean }} of `shared` is
 *   the row of the table `visible` that the other half uses. `isOne` is set when only one row may have a
 *   text.
 * @returns {Map<string, Row>} by table
 */
function chooseRows(byName, inputs, provided, { place: position, shown: visible, shared, isOne }) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const [name, columns] of inputs) {
    const table = byName.get(name);
    if (table === undefined || table.rows.length === 0) continue;
    const from = (position * 7) % table.rows.length;
    const turned = [...table.rows.slice(from), ...table.rows.slice(0, from)];
    const row =
      (name === visible ? shared : undefined) ??
      findNamed(table, columns, isOne) ??
      turned.find((entry) => !provided.has(entry)) ??
      turned[0];
    if (row !== undefined) rows.set(name, row);
  }
  return rows;
}

/** Matches a comparison with a subquery, which may return only one row. */
const COMPARED_WITH_ONE = /=\s*\(\s*select\b/i;

/**
 * Returns the row with a required value in a unique column, or with `isOne` in any text column.
 * @param {MadeTable} table
 * @param {ReadonlyMap<string, import('./gold-literals.mjs').Literal & { operator: string }>} columns
 * @param {boolean} isOne
 */
function findNamed({ columns: created, rows }, columns, isOne) {
  for (const [name, input] of columns) {
    const position = created.findIndex(
      (column) =>
        (column.isUnique || (isOne && column.sqlType.startsWith('VARCHAR'))) &&
        column.name.toLowerCase() === name,
    );
    const row =
      position < 0 || input.operator !== '='
        ? undefined
        : rows.find((entry) => String(entry[position]).toLowerCase() === input.text.toLowerCase());
    if (row !== undefined) return row;
  }
  return undefined;
}

/**
 * @param {ReadonlyMap<string, MadeTable>} byName @param {RequiredValues} inputs @param {ReadonlyMap<string, Row>}
 *   rows
 */
function fillRows(byName, inputs, rows) {
  for (const [name, columns] of inputs) {
    for (const [column, input] of columns)
      setCell(byName.get(name), rows.get(name), column, (created) => toRequiredValue(created, input));
  }
}

/**
 * Sets the foreign keys between chosen rows of related tables.
 * @param {import('./training-set.mjs').TrainingSchema} schema
 * @param {ReadonlyMap<string, MadeTable>} byName
 * @param {ReadonlyMap<string, Row>} rows
 */
function tie(schema, byName, rows) {
  for (const { from, to } of schema.foreign_keys) {
    const parent = rows.get(to[0].toLowerCase());
    const position =
      byName
        .get(to[0].toLowerCase())
        ?.columns.findIndex((column) => column.name.toLowerCase() === to[1].toLowerCase()) ?? -1;
    if (parent !== undefined && position >= 0)
      setCell(
        byName.get(from[0].toLowerCase()),
        rows.get(from[0].toLowerCase()),
        from[1],
        () => parent[position] ?? null,
      );
  }
}

/**
 * @param {MadeTable | undefined} table
 * @param {Row | undefined} row
 * @param {string} name
 * @param {(column: MadeColumn) => string | number | null} toValue
 */
function setCell(table, row, name, toValue) {
  const position =
    table?.columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase()) ?? -1;
  const column = table?.columns[position];
  if (row !== undefined && column !== undefined && !column.isUnique) row[position] = toValue(column);
}

/** @param {MadeColumn} column @param {import('./gold-literals.mjs').Literal & { operator: string }} literal */
function toRequiredValue({ sqlType }, { text, isPattern, operator }) {
  if (isPattern) return text.replaceAll('%', 'Ada').replaceAll('_', 'x');
  if (sqlType !== 'INT' && sqlType !== 'DOUBLE') return text;
  return Number(text) + (operator === '>' ? 1 : operator === '<' ? -1 : 0);
}
