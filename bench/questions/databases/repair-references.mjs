// @ts-check
/** @typedef {import('./make-database.mjs').MadeTable} MadeTable */

/**
 * The maximum number of rounds. Several are needed, because an added row may reference another missing row.
 */
const ROUNDS_MAX = 5;

/**
 * Adds the rows that foreign keys reference and that are missing. Each is a
 * copy of another row of its table with a different key and different unique
 * values. Real servers enforce foreign keys, so the rows must satisfy them.
 * @param {Pick<import('./training-set.mjs').TrainingSchema, 'foreign_keys'>} schema
 * @param {readonly MadeTable[]} tables
 */
export function repairReferences(schema, tables) {
  const byName = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const added = schema.foreign_keys.map(({ from, to }) =>
      addMissing(
        { table: byName.get(from[0].toLowerCase()), column: from[1] },
        { table: byName.get(to[0].toLowerCase()), column: to[1] },
      ),
    );
    if (added.every((count) => count === 0)) break;
  }
}

/**
 * Returns the new row's value for a column in which the copied row has `cell`. In unique columns, the value
 * differs from all others.
 * @param {import('./make-database.mjs').MadeColumn | undefined} column
 * @param {string | number | null} cell
 * @param {number} position
 */
function toOther(column, cell, position) {
  if (column?.isUnique === true && typeof cell === 'string') return `${cell} ${position}`;
  return column?.isSpread === true
    ? (column.pool[(position * 7) % Math.max(1, column.pool.length)] ?? cell)
    : cell;
}

/**
 * @param {{ table: MadeTable | undefined, column: string }} child
 * @param {{ table: MadeTable | undefined, column: string }} parent
 * @returns {number} the number of added rows
 */
function addMissing(child, parent) {
  const [from, to] = [findColumn(child), findColumn(parent)];
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
    rows.push(
      model.map((cell, index) => (index === to ? value : toOther(columns[index], cell, rows.length))),
    );
  }
  return rows.length - models;
}

/** @param {{ table: MadeTable | undefined, column: string }} end */
function findColumn({ table, column }) {
  return table?.columns.findIndex((entry) => entry.name.toLowerCase() === column.toLowerCase()) ?? -1;
}
