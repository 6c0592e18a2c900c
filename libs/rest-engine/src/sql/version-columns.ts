import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import { versionColumns } from '../plan/version-columns.js';
import type { AliasedColumn } from './read/select-list.js';

const NOTHING: readonly AliasedColumn[] = Object.freeze([]);

const aliasedByTable = new WeakMap<CompiledTable, readonly AliasedColumn[]>();

/**
 * Returns the columns of a record's version for a statement without table aliases. They are selected as
 * stored bytes, not as the values in responses.
 */
export function placedVersionColumns(table: CompiledTable): readonly AliasedColumn[] {
  let columns = aliasedByTable.get(table);
  if (columns === undefined) {
    columns = versionColumns(table).map(placeRaw);
    aliasedByTable.set(table, columns);
  }
  return columns;
}

/**
 * Returns the columns of a record's version for a table with an alias. Returns an empty list if the table's
 * records have no version.
 */
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
