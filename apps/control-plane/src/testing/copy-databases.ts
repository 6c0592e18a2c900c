import { randomBase32 } from '@rowhouse/runtime';
import type { PlatformDb } from '../platform-db/platform-db.js';

/**
 * Inserts several copies of a database's row. Their ids sort before all others, and they have no schema on a
 * server. `projectId` and `settings` can be replaced.
 */
export async function copyDatabases(
  db: PlatformDb,
  databaseId: string,
  count: number,
  {
    projectId = null,
    settings = null,
  }: { readonly projectId?: string | null; readonly settings?: string | null } = {},
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const unique = `0${randomBase32(15)}`;
    await db.cell.query(
      `INSERT INTO tenant_database (id, cell_id, project_id, project_name, environment, schema_name, slot, server_id, provision_state, docs_slug, settings, created_at)
       SELECT ?, cell_id, COALESCE(?, project_id), project_name, ?, ?, slot, server_id, 'ready', ?, COALESCE(?, settings), UTC_TIMESTAMP(3) FROM tenant_database WHERE id = ?`,
      [`db_${unique}`, projectId, unique, unique, unique, settings, databaseId],
    );
  }
}
