import { quoteName } from '@rowhouse/mysql';

/** In the side schema at the old place: which rows were written. Its comment is the move's id. */
export const MOVE_LEDGER = 'move_ledger';
/** In the side schema at the new place, while it is being filled. Its comment is the move's id. */
export const MOVE_MARK = 'move_mark';
/** Of capture triggers: hidden from snapshots as all that begins with `_rh_`. */
export const CAPTURE_PREFIX = '_rh_mv';

export function captureName(no: number, event: 'd' | 'u' | 'i'): string {
  return `${CAPTURE_PREFIX}${no}${event}`;
}

export function nameOf(table: { readonly schema: string; readonly name: string }): string {
  return `${quoteName(table.schema)}.${quoteName(table.name)}`;
}
