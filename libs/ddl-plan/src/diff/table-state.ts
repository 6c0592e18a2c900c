import type { Column, Index, Table } from '@rowhouse/schema-model';
import { quoteName } from '../sql-text.js';
import type { RebuildTable } from '../types.js';

/** The state of a table between two steps of a plan. */
export interface TableState {
  readonly name: string;
  readonly columns: ReadonlyMap<string, Column>;
  /** The names of the columns, in the order of the table. */
  readonly order: readonly string[];
  readonly indexes: readonly Index[];
}

export function stateOf(table: Table): TableState {
  return {
    name: table.name,
    columns: new Map(table.columns.map((column) => [column.name, column])),
    order: table.columns.map((column) => column.name),
    indexes: table.indexes,
  };
}

export interface StateChange {
  /** Columns that are added or changed. */
  readonly set?: readonly Column[];
  readonly drop?: readonly string[];
  readonly order?: readonly string[];
  readonly dropIndexes?: readonly Index[];
  readonly addIndexes?: readonly Index[];
}

export function changeState(state: TableState, change: StateChange): TableState {
  const columns = new Map(state.columns);
  for (const name of change.drop ?? []) columns.delete(name);
  for (const column of change.set ?? []) columns.set(column.name, column);
  const removed = new Set((change.dropIndexes ?? []).map((index) => index.name));
  return {
    name: state.name,
    columns,
    order: (change.order ?? state.order).filter((name) => columns.has(name)),
    indexes: [...state.indexes.filter((index) => !removed.has(index.name)), ...(change.addIndexes ?? [])],
  };
}

/**
 * Returns how to rebuild the table online, from one state to the next. Returns null if no key identifies rows
 * in both states. The copy could then not apply concurrent writes.
 */
export function findRebuild(
  before: TableState,
  after: TableState,
  specs: readonly string[],
): RebuildTable | null {
  const columns = before.order.filter((name) => {
    const newColumn = after.columns.get(name);
    return newColumn !== undefined && newColumn.generated === null;
  });
  const carried = new Set(columns);
  const key = listKeys(before).find(
    (names) => names.every((name) => carried.has(name)) && leadsIndex(after, names),
  );
  if (key === undefined) return null;
  return {
    table: before.name,
    specs: specs.join(', '),
    key,
    shadowKey: key,
    columns: columns.map((name) => ({ from: name, to: name })),
  };
}

/**
 * Lists the unique keys whose columns are all NOT NULL. The primary key comes first, followed by the keys
 * with the fewest columns.
 */
export function listKeys(state: TableState): string[][] {
  const usable = state.indexes.filter(
    (index) =>
      index.unique &&
      index.columns.every(
        (part) =>
          part.name !== null &&
          part.prefixLength === null &&
          state.columns.get(part.name)?.nullable === false,
      ),
  );
  const rank = (index: Index): number => (index.name === 'PRIMARY' ? 0 : index.columns.length);
  return usable
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
    .map((index) => index.columns.map((part) => part.name ?? ''));
}

function leadsIndex(state: TableState, names: readonly string[]): boolean {
  const requested = new Set(names);
  return state.indexes.some((index) => {
    const leading = index.columns.slice(0, names.length);
    return (
      leading.length === names.length &&
      leading.every((part) => part.name !== null && part.prefixLength === null && requested.has(part.name))
    );
  });
}

/**
 * Returns the columns by which a person recognizes a row. These are the columns of a key or, without a key,
 * the first column.
 */
export function rowNames(state: TableState): readonly string[] {
  return listKeys(state)[0] ?? state.order.slice(0, 1);
}

/**
 * Returns the SQL that selects a column for an error message. Long texts and bytes are truncated, because an
 * error only has to identify the rows.
 */
export function showColumn(column: Column | undefined, name: string, prefix = ''): string {
  const text = `${prefix}${quoteName(name)}`;
  const isLong =
    column !== undefined &&
    (column.valueKind === 'string' || column.valueKind === 'json') &&
    (column.maxLength ?? 0) > 200;
  if (column?.valueKind === 'binary' || column?.valueKind === 'geometry' || column?.valueKind === 'vector')
    return `HEX(LEFT(${text}, 32)) AS ${quoteName(name)}`;
  return isLong ? `LEFT(${text}, 200) AS ${quoteName(name)}` : text;
}
