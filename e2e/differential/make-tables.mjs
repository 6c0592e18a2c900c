// @ts-check
import { listKinds } from './values.mjs';

/** @typedef {import('@rowhouse/schema-model/testing').Random} Random */
/** @typedef {import('./values.mjs').Kind} Kind */
/** @typedef {{ name: string, kind: Kind, isNullable: boolean }} Column */
/** @typedef {Record<string, import('./values.mjs').Value>} Row values by column; `id` counts up */

/**
 * @typedef {object} Table
 * @property {string} name
 * @property {readonly Column[]} columns
 * @property {readonly string[] | null} key null without a key, as in a view whose key is not known
 * @property {boolean} isView
 * @property {readonly Row[]} rows
 * @property {readonly string[]} sql the statements that create the table
 * @property {Table | null} maker the target of the relationship `maker`
 * @property {readonly { name: string, table: Table }[]} created the relationships of a maker to its rows
 */

const ID = /** @type {Kind} */ (listKinds().find((kind) => kind.name === 'number'));
/** @param {Table} table @param {string} name @returns {Column} */
export function columnOf(table, name) {
  const column = table.columns.find((item) => item.name === name);
  if (column === undefined) throw new Error(`${table.name} has no column ${name}`);
  return column;
}

/**
 * Creates tables with each kind of key and random columns and rows, a view with a key and one without, and
 * the tables to which they refer.
 * @param {Random} random
 * @param {number} rows
 */
export function makeTables(random, rows) {
  const kinds = listKinds();
  const makers = makeTable(random, {
    name: 'makers',
    key: 'id',
    rows: 5,
    kinds: kinds.filter((kind) => ['word', 'number', 'day', 'price'].includes(kind.name)),
    maker: null,
  });
  const items = ['items', 'parts'].map((name) =>
    makeTable(random, { name, key: 'id', rows, kinds: pickKinds(random, kinds), maker: makers }),
  );
  const pairs = makeTable(random, {
    name: 'pairs',
    key: 'pair',
    rows,
    kinds: pickKinds(random, kinds),
    maker: null,
  });
  const events = makeTable(random, {
    name: 'events',
    key: null,
    rows,
    kinds: pickKinds(random, kinds),
    maker: null,
  });
  const [first] = items;
  if (first === undefined) throw new Error('there are items');
  const views = [
    makeView('item_list', first, [...first.columns]),
    makeView(
      'item_values',
      first,
      first.columns.filter((column) => column.name !== 'id'),
    ),
  ];
  const created = { ...makers, made: items.map((table) => ({ name: table.name, table })) };
  return [created, ...items, pairs, events, ...views];
}

/** @param {Random} random @param {readonly Kind[]} kinds */
function pickKinds(random, kinds) {
  const picked = kinds.filter((kind) => kind.name === 'doc' || random.maybe(0.55));
  return picked.length < 4 ? kinds : picked;
}

/**
 * @param {Random} random
 * @param {{ name: string, key: 'id' | 'pair' | null, rows: number, kinds: readonly Kind[], maker: Table | null }} options
 * @returns {Table}
 */
function makeTable(random, { name, key, rows: count, kinds, maker }) {
  /** @type {Column[]} */
  const columns = kinds.map((kind) => ({
    name: kind.name,
    kind,
    isNullable: kind.name === 'doc' || kind.name === 'stamp' || random.maybe(0.75),
  }));
  if (maker !== null)
    columns.unshift({
      name: 'maker_id',
      kind: { ...ID, pool: maker.rows.map((row) => row['id']) },
      isNullable: true,
    });
  const keys = key === 'id' ? ['id'] : key === 'pair' ? ['one', 'other'] : [];
  columns.unshift(...keys.map((name) => ({ name, kind: ID, isNullable: false })));
  /** @type {Row[]} */
  const rows = Array.from({ length: count }, (_, index) =>
    Object.fromEntries(columns.map((column) => [column.name, makeValue(random, column, index)])),
  );
  if (key === null) for (let index = 0; index < count / 4; index += 1) rows.push({ ...random.pick(rows) });
  const lines = columns.map(
    (column) => `\`${column.name}\` ${column.kind.sql} ${column.isNullable ? 'NULL' : 'NOT NULL'}`,
  );
  if (keys.length > 0) lines.push(`PRIMARY KEY (${keys.join(', ')})`);
  if (maker !== null) lines.push('FOREIGN KEY (maker_id) REFERENCES makers (id)');
  for (const column of columns)
    if (column.kind.isSortable && column.kind.name !== 'note' && random.maybe(0.25))
      lines.push(`KEY (\`${column.name}\`)`);
  return {
    name,
    columns,
    isView: false,
    key: keys.length === 0 ? null : keys,
    rows,
    sql: [`CREATE TABLE ${name} (${lines.join(', ')})`],
    maker,
    created: [],
  };
}

/** @param {Random} random @param {Column} column @param {number} index */
function makeValue(random, column, index) {
  if (column.name === 'id') return BigInt(index + 1);
  if (column.name === 'one') return BigInt(Math.floor(index / 7));
  if (column.name === 'other') return BigInt(index % 7);
  return column.isNullable && random.maybe(0.2) ? null : random.pick(column.kind.pool);
}

/** @param {string} name @param {Table} table @param {readonly Column[]} columns @returns {Table} */
function makeView(name, table, columns) {
  const isShown = (/** @type {Row} */ row) => row['id'] > 3n;
  const key = columns.some((column) => column.name === 'id') ? ['id'] : null;
  return {
    name,
    columns,
    isView: true,
    key,
    maker: null,
    created: [],
    rows: table.rows
      .filter(isShown)
      .map((row) => Object.fromEntries(columns.map((column) => [column.name, row[column.name]]))),
    sql: [
      `CREATE VIEW ${name} AS SELECT ${columns.map((column) => `\`${column.name}\``).join(', ')} FROM ${table.name} WHERE id > 3`,
    ],
  };
}

/**
 * Returns an INSERT of all rows. Zero dates need a session without strict mode.
 * @param {Table} table
 * @returns {string}
 */
export function insertSql(table) {
  const rows = table.rows.map(
    (row) =>
      `(${table.columns.map((column) => (row[column.name] === null ? 'NULL' : column.kind.literal(row[column.name]))).join(', ')})`,
  );
  return `INSERT INTO ${table.name} (${table.columns.map((column) => `\`${column.name}\``).join(', ')}) VALUES ${rows.join(', ')}`;
}
