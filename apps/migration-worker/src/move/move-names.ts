import { quoteName } from '@rowhouse/mysql';

/**
 * The table in the side schema on the old server that records written rows. The move's id is the comment of
 * the table.
 */
export const MOVE_LEDGER = 'move_ledger';
/**
 * A table in the side schema on the new server. It exists while the database is being filled, and the move's
 * id is the comment of the table.
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
