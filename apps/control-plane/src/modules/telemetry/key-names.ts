import type { PlatformDb } from '../../platform-db/platform-db.js';

interface KeyNameRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly revoked: number | string;
}

export interface KeyName {
  readonly name: string;
  /** Whether the key is one of the console's own keys, which change every quarter of an hour. */
  readonly isConsole: boolean;
}

/** Returns the names of a database's keys, or of those in `ids`. */
export async function readKeyNames(
  db: PlatformDb,
  databaseId: string,
  ids?: readonly string[],
): Promise<ReadonlyMap<string, KeyName>> {
  if (ids?.length === 0) return new Map();
  const these = ids === undefined ? '' : ` AND id IN (${ids.map(() => '?').join(', ')})`;
  const rows = await db.cell.query<KeyNameRow[]>(
    `SELECT id, name, kind, revoked_at IS NOT NULL AS revoked FROM api_key WHERE cell_id = ? AND database_id = ?${these}`,
    [db.cellId, databaseId, ...(ids ?? [])],
  );
  return new Map(rows.map((row) => [row.id, toKeyName(row)]));
}

/**
 * Returns the name of a key. All console keys have one name. The name of a revoked API key says that it is
 * revoked.
 */
export function toKeyName({ name, kind, revoked }: KeyNameRow): KeyName {
  if (kind === 'session') return { name: 'Console', isConsole: true };
  return { name: Number(revoked) === 1 ? `${name} (revoked)` : name, isConsole: false };
}
