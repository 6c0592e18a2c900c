import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { AliasedColumn } from './read/select-list.js';

/**
 * Returns the columns that determine a record's version. These are all stored columns, including hidden ones.
 * Generated columns follow from them.
 */
export function versionColumns(table: CompiledTable): readonly CompiledColumn[] {
  return entryOf(table).columns;
}

/**
 * Returns the version's columns for a select list without an alias. They select the stored bytes and not what
 * responses show.
 */
export function placedVersionColumns(table: CompiledTable): readonly AliasedColumn[] {
  return entryOf(table).placed;
}

/** Returns the version's columns for a table with an alias, or an empty list if records have no tag. */
export function placeVersion(
  table: CompiledTable,
  alias: string,
  isTagged: boolean,
): readonly AliasedColumn[] {
  if (!isTagged) return NOTHING;
  return alias === ''
    ? placedVersionColumns(table)
    : versionColumns(table).map((column) => ({ alias, column, isRaw: true }));
}

const NOTHING: readonly AliasedColumn[] = Object.freeze([]);

interface Entry {
  readonly columns: readonly CompiledColumn[];
  readonly placed: readonly AliasedColumn[];
}

const known = new WeakMap<CompiledTable, Entry>();

function entryOf(table: CompiledTable): Entry {
  let entry = known.get(table);
  if (entry === undefined) {
    const columns = table.columns.filter((column) => column.generated === null);
    entry = { columns, placed: columns.map(placeRaw) };
    known.set(table, entry);
  }
  return entry;
}

function placeRaw(column: CompiledColumn): AliasedColumn {
  return { alias: '', column, isRaw: true };
}
