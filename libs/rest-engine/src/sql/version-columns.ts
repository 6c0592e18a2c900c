import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import { versionColumns } from '../plan/version-columns.js';
import type { AliasedColumn } from './read/select-list.js';

const NOTHING: readonly AliasedColumn[] = Object.freeze([]);

const aliasedByTable = new WeakMap<CompiledTable, readonly AliasedColumn[]>();

/**
 * Returns the version's columns for a select list without an alias. These columns select the stored bytes
 * instead of the values in responses.
 */
export function placedVersionColumns(table: CompiledTable): readonly AliasedColumn[] {
  let columns = aliasedByTable.get(table);
  if (columns === undefined) {
    columns = versionColumns(table).map(placeRaw);
    aliasedByTable.set(table, columns);
  }
  return columns;
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

function placeRaw(column: CompiledColumn): AliasedColumn {
  return { alias: '', column, isRaw: true };
}
