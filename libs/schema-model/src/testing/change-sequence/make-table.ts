import { quoteName } from '../../sql-text.js';
import type { Random } from '../open-random.js';
import {
  columnSql,
  indexColumnsSql,
  isText,
  type ColumnState,
  type SequenceState,
  type TableState,
} from './sequence-state.js';

export const COLUMN_NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const TEXT_TYPES = ['varchar(40)', 'varchar(40)', 'varchar(40)', 'varchar(60)', 'char(40)', 'text'];
const NUMBER_TYPES = ['int', 'int', 'bigint'];

export function makeColumn(random: Random, table: TableState, name: string): ColumnState {
  const isNumber = random.maybe(0.3);
  const type = random.pick(isNumber ? NUMBER_TYPES : TEXT_TYPES);
  const nullable = random.maybe(0.6);
  const hasDefault = type !== 'text' && random.maybe(0.3);
  const value = isNumber ? String(900_000 + random.integer(1_000)) : `'d${random.integer(1_000)}'`;
  const comment = random.maybe(0.25) ? `${table.origin}.${name}` : '';
  return {
    name,
    type,
    nullable,
    defaultSql: hasDefault ? value : null,
    comment,
    auto: false,
    isAdded: false,
    refers: null,
  };
}

/**
 * Returns a table with an id and some other columns. Many of them have the same type, so that a wrong plan
 * can confuse them.
 */
export function makeTable(random: Random, state: SequenceState, name: string): TableState {
  const origin = (state.count += 1);
  const table: TableState = { name, origin, columns: [], primary: ['id'], indexes: [], keys: [], checks: [] };
  table.columns.push({
    name: 'id',
    type: 'int',
    nullable: false,
    defaultSql: null,
    comment: '',
    auto: random.maybe(0.5),
    isAdded: false,
    refers: null,
  });
  const names = [...COLUMN_NAMES];
  for (let remaining = 3 + random.integer(3); remaining > 0; remaining -= 1) {
    const [column = 'a'] = names.splice(random.integer(names.length), 1);
    table.columns.push(makeColumn(random, table, column));
  }
  if (state.tables.length > 0 && random.maybe(0.6)) addReference(random, state, table);
  if (random.maybe(0.4)) table.indexes.push(makeIndex(random, state, table, false));
  if (random.maybe(0.2)) table.indexes.push(makeIndex(random, state, table, true));
  if (random.maybe(0.15))
    table.checks.push({ name: `ck${(state.count += 1)}`, column: random.pick(table.columns.slice(1)).name });
  return table;
}

function addReference(random: Random, state: SequenceState, table: TableState): void {
  const target = random.pick(state.tables);
  table.columns.push({
    name: 'r',
    type: 'int',
    nullable: true,
    defaultSql: null,
    comment: '',
    auto: false,
    isAdded: false,
    refers: target.origin,
  });
  const [id] = target.primary;
  const isId = id !== undefined && target.columns.find((column) => column.name === id)?.type === 'int';
  if (isId && random.maybe(0.6))
    table.keys.push({ name: `fk${(state.count += 1)}`, column: 'r', table: target.name });
}

export function makeIndex(
  random: Random,
  state: SequenceState,
  table: TableState,
  unique: boolean,
): TableState['indexes'][number] {
  const first = random.pick(table.columns).name;
  const second = random.pick(table.columns).name;
  const columns = random.maybe(0.25) && second !== first ? [first, second] : [first];
  // An index often has the name of its column, and keeps the name when the column is renamed.
  const isTaken = table.indexes.some((index) => index.name === first);
  return { name: !isTaken && random.maybe(0.3) ? first : `ix${(state.count += 1)}`, columns, unique };
}

export function checkSql(table: TableState, column: string): string {
  const found = table.columns.find(({ name }) => name === column);
  return found !== undefined && isText(found)
    ? `CHAR_LENGTH(${quoteName(column)}) < 100`
    : `${quoteName(column)} >= 0`;
}

export interface TableNames {
  readonly prefix: string;
}

export function createSql(
  state: SequenceState,
  table: TableState,
  { prefix }: TableNames,
  words = 'CREATE TABLE',
): string {
  const lines = table.columns.map(columnSql);
  if (table.primary.length > 0) lines.push(`PRIMARY KEY ${indexColumnsSql(table, table.primary)}`);
  for (const index of table.indexes) {
    lines.push(
      `${index.unique ? 'UNIQUE KEY' : 'KEY'} ${quoteName(index.name)} ${indexColumnsSql(table, index.columns)}`,
    );
  }
  for (const key of table.keys) lines.push(keySql(state, key, prefix));
  for (const check of table.checks) {
    lines.push(`CONSTRAINT ${quoteName(prefix + check.name)} CHECK (${checkSql(table, check.column)})`);
  }
  return `${words} ${quoteName(table.name)} (${lines.join(', ')})`;
}

export function keySql(state: SequenceState, key: TableState['keys'][number], prefix: string): string {
  const target = state.tables.find((table) => table.name === key.table)?.primary[0] ?? 'id';
  const name = `CONSTRAINT ${quoteName(prefix + key.name)} `;
  return `${name}FOREIGN KEY (${quoteName(key.column)}) REFERENCES ${quoteName(key.table)} (${quoteName(target)})`;
}

/** Returns an INSERT with three rows. Each value contains the names of its table and column. */
export function baseRowsSql(table: TableState, prefix: string): string {
  const rows = [1, 2, 3].map(
    (row) =>
      `(${table.columns.map((column, index) => baseValue(table, column, index, row, prefix)).join(', ')})`,
  );
  return `INSERT INTO ${quoteName(table.name)} VALUES ${rows.join(', ')}`;
}

function baseValue(
  table: TableState,
  column: ColumnState,
  index: number,
  row: number,
  prefix: string,
): string {
  if (column.name === 'id') return String(table.origin * 1_000 + row);
  if (column.refers !== null) return String(column.refers * 1_000 + (row % 3) + 1);
  if (isText(column)) return `'${table.name.slice(prefix.length)}.${column.name}:${row}'`;
  return String(table.origin * 10_000 + index * 100 + row);
}

/**
 * Returns an INSERT with one row for the current columns. The id and the numbers are taken from the counter.
 */
export function laterRowSql(state: SequenceState, table: TableState, prefix: string): string {
  const mark = (state.count += 1);
  const values = table.columns.map((column, index) => {
    if (column.refers !== null && column.nullable) return 'NULL';
    if (isText(column)) return `'${table.name.slice(prefix.length)}.${column.name}:m${mark}'`;
    return String(5_000_000 + mark * 100 + index);
  });
  const names = table.columns.map((column) => quoteName(column.name));
  return `INSERT INTO ${quoteName(table.name)} (${names.join(', ')}) VALUES (${values.join(', ')})`;
}
