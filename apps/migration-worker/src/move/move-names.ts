import { quoteName } from '@rowhouse/mysql';

/** The table in the side schema on the old server that records written rows. Its comment is the move's id. */
export const MOVE_LEDGER = 'move_ledger';
/** The table in the side schema on the new server while it is filled. Its comment is the move's id. */
export const MOVE_MARK = 'move_mark';
/** The prefix of capture triggers. Snapshots hide all names that begin with `_rh_`. */
export const CAPTURE_PREFIX = '_rh_mv';

export function captureName(no: number, event: 'd' | 'u' | 'i'): string {
  return `${CAPTURE_PREFIX}${no}${event}`;
}

export function nameOf(table: { readonly schema: string; readonly name: string }): string {
  return `${quoteName(table.schema)}.${quoteName(table.name)}`;
}
