// @ts-check
/** @typedef {import('./make-database.mjs').MadeTable} MadeTable */

/** References may hang on references: so many rounds at most. */
const ROUNDS_MAX = 5;

/**
 * Rows that a foreign key refers to and that are missing are added, each like another row of its table but for the key and for what tells rows
 * apart: a server keeps foreign keys, and so do the rows that questions are asked about.
 *
 * @param {Pick<import('./training-set.mjs').TrainingSchema, 'foreign_keys'>} schema
 * @param {readonly MadeTable[]} tables
 */
export function mendReferences(schema, tables) {
  const byName = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const added = schema.foreign_keys.map(({ from, to }) => addMissing({ table: byName.get(from[0].toLowerCase()), column: from[1] }, { table: byName.get(to[0].toLowerCase()), column: to[1] }));
    if (added.every((count) => count === 0)) break;
  }
}

/**
 * What the row added at a place has where its model has `cell`: what tells rows apart is another value.
 * @param {import('./make-database.mjs').MadeColumn | undefined} column
 * @param {string | number | null} cell
 * @param {number} place
 */
function toOther(column, cell, place) {
  if (column?.isUnique === true && typeof cell === 'string') return `${cell} ${place}`;
  return column?.isSpread === true ? column.pool[(place * 7) % Math.max(1, column.pool.length)] ?? cell : cell;
}

/**
 * @param {{ table: MadeTable | undefined, column: string }} child
 * @param {{ table: MadeTable | undefined, column: string }} parent
 * @returns {number} of rows added
 */
function addMissing(child, parent) {
  const [from, to] = [findPlace(child), findPlace(parent)];
  if (child.table === undefined || parent.table === undefined || from < 0 || to < 0) return 0;
  const key = (/** @type {string | number | null | undefined} */ value) => String(value).toLowerCase();
  const known = new Set(parent.table.rows.map((row) => key(row[to])));
  const { columns, rows } = parent.table;
  const models = rows.length;
  for (const row of child.table.rows) {
    const value = row[from];
    if (models === 0 || value === null || value === undefined || known.has(key(value))) continue;
    known.add(key(value));
    const model = rows[rows.length % models] ?? [];
    rows.push(model.map((cell, at) => (at === to ? value : toOther(columns[at], cell, rows.length))));
  }
  return rows.length - models;
}

/** @param {{ table: MadeTable | undefined, column: string }} end */
function findPlace({ table, column }) {
  return table?.columns.findIndex((entry) => entry.name.toLowerCase() === column.toLowerCase()) ?? -1;
}
