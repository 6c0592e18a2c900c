import { quoteName } from '../../sql-text.js';

/** A column in the model of a change sequence. */
export interface ColumnState {
  name: string;
  type: string;
  nullable: boolean;
  defaultSql: string | null;
  comment: string;
  auto: boolean;
  /**
   * True for a column that an ALTER added. Its rows got the default of that statement, which a plan between
   * two schemas cannot know after the default has changed. So its type, default and nullability stay.
   */
  isAdded: boolean;
  /** The origin of the referenced table. */
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
  /** The prefix of ids and numbers in its rows. It identifies the table after renames. */
  origin: number;
  columns: ColumnState[];
  primary: string[];
  indexes: IndexState[];
  keys: KeyState[];
  checks: { name: string; column: string }[];
}

export interface SequenceState {
  tables: TableState[];
  /** A counter for unique constraint names, origins and values. */
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

/** Returns the column list of an index. Indexes on TEXT need a prefix length. */
export function indexColumnsSql(table: TableState, columns: readonly string[]): string {
  const isLong = (name: string): boolean =>
    table.columns.find((column) => column.name === name)?.type === 'text';
  return `(${columns.map((name) => `${quoteName(name)}${isLong(name) ? '(16)' : ''}`).join(', ')})`;
}

export function renameColumn(table: TableState, from: string, to: string): void {
  renameColumns(table, new Map([[from, to]]));
}

/** Renames columns all at once, so that names can be swapped. */
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

/** Moves the column in the list and returns ` FIRST`, ` AFTER …` or an empty string. */
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
