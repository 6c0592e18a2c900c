import {
  quoteName,
  type CompiledColumn,
  type CompiledTable,
  type Snapshot,
  type Table,
} from '@rowhouse/schema-model';
import { readView, type ViewShape } from './read-view.js';
import type { TieBreak, SortKey } from '../../plan-parts.js';

const UNSORTABLE = new Set(['json', 'geometry', 'vector', 'binary']);

/**
 * The maximum number of columns that break ties in ORDER BY. A digest covers the other columns, which limits
 * the size of a sort key.
 */
const COLUMNS_MAX = 8;

const TEXT_CHARACTERS_MAX = 255;

/**
 * The kinds of columns in which values can compare as equal but have different texts, such as `a` and `A`, or
 * 0 and -0.
 */
const BLURRED = new Set(['string', 'float', 'double']);

/**
 * The number of bytes of a sort key that the servers compare (`max_sort_length`). For ORDER BY, two longer
 * values with the same first bytes are equal.
 */
const SORT_BYTES_MAX = 1024;

const UNORDERED = new Set(['json', 'geometry', 'vector']);

/**
 * Returns the unique columns that make the order of a list of `table` total. For a table, this is its row
 * key. For a view, these are the keys of its tables. Returns null if no such columns are known.
 */
export function findOrderKey(table: CompiledTable): readonly CompiledColumn[] | null {
  if (table.kind !== 'view' || table.rowKey !== null) return table.rowKey;
  let known = viewKeys.get(table);
  if (known === undefined) viewKeys.set(table, (known = { key: findViewKey(table) }));
  return known.key;
}

/** The keys of views are cached, because a list needs its key several times. */
const viewKeys = new WeakMap<CompiledTable, { readonly key: readonly CompiledColumn[] | null }>();

function findViewKey(table: CompiledTable): readonly CompiledColumn[] | null {
  const columns = keyOfView(table.source, table.schema.snapshot)?.map((name) => table.findColumn(name)) ?? [];
  const found = columns.filter((column) => column !== null && isSortable(column)) as CompiledColumn[];
  return found.length > 0 && found.length === columns.length ? found : null;
}

/**
 * Returns the ORDER BY of a view as sort keys on its columns. Returns an empty list if the view has no ORDER
 * BY, or sorts by something other than its columns.
 */
export function findViewOrder(table: CompiledTable): readonly SortKey[] {
  const shape = table.kind === 'view' ? shapeOf(table.source) : null;
  const keys = (shape?.order ?? []).map(({ expression, direction }): SortKey | null => {
    const output = shape?.outputs.find(
      (viewOutput) => viewOutput.expression === expression || viewOutput.name === expression,
    );
    const column = output === undefined ? null : table.findColumn(unquote(output.name));
    return column === null || !isSortable(column)
      ? null
      : { path: [], column, direction, reversesNulls: false, count: null };
  });
  const known = keys.filter(
    (key, index) => key !== null && keys.findIndex((other) => other?.column === key.column) === index,
  );
  return keys.includes(null) ? [] : (known as SortKey[]);
}

const shapes = new WeakMap<Table, { readonly shape: ViewShape | null }>();

function shapeOf(view: Table): ViewShape | null {
  let known = shapes.get(view);
  if (known === undefined) shapes.set(view, (known = { shape: readView(view.createSql) }));
  return known.shape;
}

/** The maximum nesting depth of views that select from other views. */
const DEPTH_MAX = 5;

function keyOfView(view: Table, snapshot: Snapshot, depth = 0): readonly string[] | null {
  const shape = depth > DEPTH_MAX ? null : shapeOf(view);
  if (shape === null || shape.tables.length === 0) return null;
  const nameOf = (expression: string): string | null =>
    shape.outputs.find((output) => output.expression === expression)?.name ?? null;
  if (shape.groups !== null) return toNames(shape.groups.map(nameOf));
  const sources = shape.tables.map(({ alias, name }) =>
    toSource(
      alias,
      snapshot.tables.find((table) => quoteName(table.name) === name),
      snapshot,
      depth,
    ),
  );
  const isShown = (source: Source): boolean =>
    source.key !== null && source.key.every((column) => nameOf(column) !== null);
  let chosen = sources.filter(isShown);
  if (!areFound(sources, chosen, shape)) return null;
  // Removes tables whose rows are determined by the keys of the other tables.
  for (const source of [...chosen].reverse()) {
    const fewer = chosen.filter((item) => item !== source);
    if (fewer.length > 0 && areFound(sources, fewer, shape)) chosen = fewer;
  }
  return toNames(chosen.flatMap((source) => (source.key ?? []).map(nameOf)));
}

/** A table in a view's FROM, with its alias, the columns of its key, and the kinds of all its columns. */
interface Source {
  readonly alias: string;
  readonly key: readonly string[] | null;
  readonly kinds: ReadonlyMap<string, string>;
}

function toSource(alias: string, table: Table | undefined, snapshot: Snapshot, depth: number): Source {
  const key =
    table === undefined ? null : table.kind === 'view' ? keyOfView(table, snapshot, depth + 1) : table.rowKey;
  const location = (name: string): string => `${alias} . ${quoteName(name)}`;
  return {
    alias,
    key: key?.map(location) ?? null,
    kinds: new Map(table?.columns.map((column) => [location(column.name), column.valueKind])),
  };
}

/**
 * Reports whether the rows of the tables in `from` determine the row of every other table in `sources`,
 * because joins compare the keys of those tables with known columns.
 */
function areFound(sources: readonly Source[], from: readonly Source[], { equalities }: ViewShape): boolean {
  const found = new Set(from);
  const kinds = new Map(sources.flatMap((source) => [...source.kinds]));
  const isEqual = (column: string, alias: string): boolean =>
    equalities.some(({ sides: [item, other], finds }) => {
      const partner = item === column ? other : other === column ? item : null;
      return (
        partner !== null &&
        finds.has(alias) &&
        kinds.get(partner) === kinds.get(column) &&
        [...found].some((source) => source.kinds.has(partner))
      );
    });
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const source of sources)
      if (source.key?.every((column) => isEqual(column, source.alias)) === true) found.add(source);
  }
  return found.size === sources.length;
}

function toNames(quoted: readonly (string | null)[]): readonly string[] | null {
  return quoted.length === 0 || quoted.includes(null) ? null : quoted.map((name) => unquote(name ?? ''));
}

function unquote(name: string): string {
  return name.startsWith('`') ? name.slice(1, -1).replaceAll('``', '`') : name;
}

/** Reports whether ORDER BY distinguishes all of the column's values that `=` distinguishes. */
export function isSortedExactly({ valueKind, maxLength, collation, charset }: CompiledColumn): boolean {
  if (UNORDERED.has(valueKind)) return false;
  if (valueKind === 'binary') return (maxLength ?? Number.POSITIVE_INFINITY) <= SORT_BYTES_MAX;
  // MySQL does not truncate the sort keys of `_0900_` collations, which do not pad with spaces.
  if (valueKind !== 'string' || collation?.includes('_0900_') === true) return true;
  return (
    (maxLength ?? Number.POSITIVE_INFINITY) * weightBytes(collation ?? '', charset ?? 'utf8mb4') <=
    SORT_BYTES_MAX
  );
}

/** Returns the number of bytes that one character takes in a sort key. */
function weightBytes(collation: string, charset: string): number {
  if (charset === 'latin1' || charset === 'ascii') return 1;
  if (collation.endsWith('_general_ci')) return 2;
  return collation.endsWith('_bin') ? 3 : 4;
}

/**
 * Returns the columns that break ties in a list of `table` sorted by `sort`. Returns null if the sort keys
 * are already unique.
 */
export function findTieBreak(table: CompiledTable, sort: readonly SortKey[]): TieBreak | null {
  const key = findOrderKey(table);
  if (key === null) return breakByAll(table, sort);
  const inexact = key.filter((column) => !isSortedExactly(column));
  // If an index alone provides the order, the server compares complete values, not only the first bytes of a
  // sort key.
  return inexact.length === 0 || sort.every(({ column }) => key.includes(column))
    ? null
    : { columns: [], digested: inexact };
}

function breakByAll(table: CompiledTable, sort: readonly SortKey[]): TieBreak {
  const visible = table.columns.filter((column) => !column.hidden);
  const sorted = new Set(
    sort.filter(({ path, count }) => path.length === 0 && count === null).map(({ column }) => column),
  );
  const columns = visible.filter((column) => !sorted.has(column) && isShort(column)).slice(0, COLUMNS_MAX);
  const isSettled = (column: CompiledColumn): boolean =>
    (sorted.has(column) || columns.includes(column)) &&
    isSortedExactly(column) &&
    !BLURRED.has(column.valueKind);
  return { columns, digested: visible.filter((column) => !isSettled(column)) };
}

function isShort(column: CompiledColumn): boolean {
  return (
    isSortable(column) &&
    (column.valueKind !== 'string' || (column.maxLength ?? Number.POSITIVE_INFINITY) <= TEXT_CHARACTERS_MAX)
  );
}

/**
 * Returns the columns that break ties among the distinct rows of `select`. The list is already sorted by all
 * sortable columns, so only rows that differ in a way the collations ignore can tie.
 */
export function findDistinctTieBreak(select: readonly CompiledColumn[]): TieBreak | null {
  const digested = select.filter((column) => !isSortedExactly(column) || column.valueKind === 'binary');
  return digested.length === 0 ? null : { columns: [], digested };
}

/** Reports whether lists may be sorted by the column. */
export function isSortable(column: CompiledColumn): boolean {
  return !UNSORTABLE.has(column.valueKind);
}
