import { quoteName } from '../../sql-text.js';

/** A column in the model of a sequence of schema changes. */
export interface ColumnState {
  name: string;
  type: string;
  nullable: boolean;
  defaultSql: string | null;
  comment: string;
  auto: boolean;
  /**
   * Whether an ALTER added the column. Its existing rows got the default of that statement. A plan between
   * two schemas cannot know this default after it has changed, so the type, default and nullability of the
   * column stay the same.
   */
  isAdded: boolean;
  /** The origin of the table to which the column refers. Null if it refers to none. */
  refers: number | null;
}

export interface IndexState {
  name: string;
  columns: string[];
  unique: boolean;
}

export interface KeyState {
  name: string;
  column: string;
  table: string;
}

export interface TableState {
  name: string;
  /**
   * A number with which ids and numbers in the table's rows begin. It identifies the table after it is
   * renamed.
   */
  origin: number;
  columns: ColumnState[];
  primary: string[];
  indexes: IndexState[];
  keys: KeyState[];
  checks: { name: string; column: string }[];
}

export interface SequenceState {
  tables: TableState[];
  /** A counter for unique names of constraints, origins and values. */
  count: number;
}

export const isText = (column: ColumnState): boolean => /char|text/.test(column.type);

export function columnSql(column: ColumnState): string {
  const parts = [quoteName(column.name), column.type, column.nullable ? 'NULL' : 'NOT NULL'];
  if (column.defaultSql !== null) parts.push(`DEFAULT ${column.defaultSql}`);
  if (column.auto) parts.push('AUTO_INCREMENT');
  if (column.comment !== '') parts.push(`COMMENT '${column.comment}'`);
  return parts.join(' ');
}

/** Returns the list of an index's columns in SQL. A TEXT column needs a prefix length. */
export function indexColumnsSql(table: TableState, columns: readonly string[]): string {
  const isLong = (name: string): boolean =>
    table.columns.find((column) => column.name === name)?.type === 'text';
  return `(${columns.map((name) => `${quoteName(name)}${isLong(name) ? '(16)' : ''}`).join(', ')})`;
}

export function renameColumn(table: TableState, from: string, to: string): void {
  renameColumns(table, new Map([[from, to]]));
}

/** Renames several columns at once, so that columns can exchange their names. */
export function renameColumns(table: TableState, names: ReadonlyMap<string, string>): void {
  const next = (name: string): string => names.get(name) ?? name;
  for (const column of table.columns) column.name = next(column.name);
  table.primary = table.primary.map(next);
  for (const index of table.indexes) index.columns = index.columns.map(next);
  for (const key of table.keys) key.column = next(key.column);
  for (const check of table.checks) check.column = next(check.column);
}

export function renameTables(state: SequenceState, names: ReadonlyMap<string, string>): void {
  const next = (name: string): string => names.get(name) ?? name;
  for (const table of state.tables) {
    table.name = next(table.name);
    for (const key of table.keys) key.table = next(key.table);
  }
}

export function dropColumn(table: TableState, name: string): void {
  table.columns = table.columns.filter((column) => column.name !== name);
  table.primary = table.primary.filter((column) => column !== name);
  for (const index of table.indexes) index.columns = index.columns.filter((column) => column !== name);
  table.indexes = table.indexes.filter((index) => index.columns.length > 0);
  table.checks = table.checks.filter((check) => check.column !== name);
}

/**
 * Moves a column to its position in the list of columns. Returns ` FIRST`, ` AFTER …` or, without a change,
 * an empty text.
 */
export function placeColumn(
  table: TableState,
  column: ColumnState,
  after: string | null | undefined,
): string {
  const others = table.columns.filter((other) => other !== column);
  const index =
    after === undefined ? -1 : after === null ? 0 : others.findIndex((other) => other.name === after) + 1;
  if (index < 0) {
    if (!table.columns.includes(column)) table.columns.push(column);
    return '';
  }
  others.splice(index, 0, column);
  table.columns = others;
  return after === null ? ' FIRST' : ` AFTER ${quoteName(after ?? '')}`;
}

/** Returns a deep copy of plain data. */
export function copyOf<T>(data: T): T {
  return JSON.parse(JSON.stringify(data)) as T;
}
