import { DEFAULT_DATABASE_SETTINGS, type ChangeEntry, type DatabaseSettings } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
import { readJson } from '../json-column.js';
import { appendChange } from '../publish/append-change.js';

/**
 * Changes settings of a database under its row's lock, with a version and an entry of the change log. Null: `change` has
 * nothing to change, or there is no such database.
 */
export function changeSettings(
  pool: AdminPool, cellId: string, databaseId: string, change: (settings: DatabaseSettings) => Partial<DatabaseSettings> | null,
): Promise<ChangeEntry | null> {
  return pool.transaction(async (session) => {
    const [row] = await session.rows<{ settings: unknown; version: number }>('SELECT settings, version FROM tenant_database WHERE id = ? AND cell_id = ? FOR UPDATE', [databaseId, cellId]);
    const stored = row === undefined ? null : readJson<Partial<DatabaseSettings>>(row.settings);
    const patch = row === undefined ? null : change({ ...DEFAULT_DATABASE_SETTINGS, ...stored });
    if (row === undefined || patch === null) return null;
    const version = Number(row.version) + 1;
    await session.run('UPDATE tenant_database SET settings = ?, version = ? WHERE id = ? AND cell_id = ?', [JSON.stringify({ ...stored, ...patch }), version, databaseId, cellId]);
    return appendChange(session, { cellId, databaseId, kind: 'settings', version });
  });
}
