import { quoteName } from '@rowhouse/mysql';

/**
 * The name of the change ledger: a table in the side schema on the old server that records written rows. The
 * comment of the table is the move's id.
 */
export const MOVE_LEDGER = 'move_ledger';
/**
 * The name of a table in the side schema on the new server. It exists while the database is being filled. The
 * comment of the table is the move's id.
 */
export const MOVE_MARK = 'move_mark';
/** The prefix of the names of capture triggers. Snapshots omit all names that begin with `_rh_`. */
export const CAPTURE_PREFIX = '_rh_mv';

export function captureName(no: number, event: 'd' | 'u' | 'i'): string {
  return `${CAPTURE_PREFIX}${no}${event}`;
}

export function nameOf(table: { readonly schema: string; readonly name: string }): string {
  return `${quoteName(table.schema)}.${quoteName(table.name)}`;
}
