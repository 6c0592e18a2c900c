import { DEFAULT_DATABASE_SETTINGS, type ChangeEntry, type DatabaseSettings } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
import { readJson } from '../sql-values.js';
import { appendChange } from '../publish/change-log.js';

/**
 * Changes the settings of a database while its row is locked. Increments the version of the row and adds an
 * entry to the change log. Returns null if `change` makes no change or if the database does not exist.
 */
export function changeSettings(
  pool: AdminPool,
  cellId: string,
  databaseId: string,
  change: (settings: DatabaseSettings) => Partial<DatabaseSettings> | null,
): Promise<ChangeEntry | null> {
  return pool.transaction(async (session) => {
    const [row] = await session.rows<{ settings: unknown; version: number }>(
      'SELECT settings, version FROM tenant_database WHERE id = ? AND cell_id = ? FOR UPDATE',
      [databaseId, cellId],
    );
    const stored = row === undefined ? null : readJson<Partial<DatabaseSettings>>(row.settings);
    const patch = row === undefined ? null : change({ ...DEFAULT_DATABASE_SETTINGS, ...stored });
    if (row === undefined || patch === null) return null;
    const version = Number(row.version) + 1;
    await session.run('UPDATE tenant_database SET settings = ?, version = ? WHERE id = ? AND cell_id = ?', [
      JSON.stringify({ ...stored, ...patch }),
      version,
      databaseId,
      cellId,
    ]);
    return appendChange(session, { cellId, databaseId, kind: 'settings', version });
  });
}
