import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { PlacedColumn } from './select-list.js';

/** What a record's version is taken from: everything that is stored, hidden columns too. Generated ones follow from it. */
export function versionColumns(table: CompiledTable): readonly CompiledColumn[] {
  return entryOf(table).columns;
}

/** The same, ready for a select list without an alias: the stored bytes, not what answers show of them. */
export function placedVersionColumns(table: CompiledTable): readonly PlacedColumn[] {
  return entryOf(table).placed;
}

/** The same of a table that stands under an alias; nothing where records are not tagged. */
export function placeVersion(table: CompiledTable, alias: string, isTagged: boolean): readonly PlacedColumn[] {
  if (!isTagged) return NOTHING;
  return alias === '' ? placedVersionColumns(table) : versionColumns(table).map((column) => ({ alias, column, isRaw: true }));
}

const NOTHING: readonly PlacedColumn[] = Object.freeze([]);

interface Entry {
  readonly columns: readonly CompiledColumn[];
  readonly placed: readonly PlacedColumn[];
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

function placeRaw(column: CompiledColumn): PlacedColumn {
  return { alias: '', column, isRaw: true };
}
