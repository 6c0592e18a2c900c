import type { ChangeEntry } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
import { appendChange } from './change-log.js';
import { assertToken, cacheContent } from './snapshot-publisher.js';

export interface SnapshotToPrepare {
  readonly databaseId: string;
  readonly contentHash: string;
  readonly body: Buffer;
  readonly migration: { readonly id: string; readonly owner: string; readonly fencingToken: number };
}

/**
 * Stores the next snapshot before it is published, and adds a change log entry that makes gateways load it.
 * The published snapshot does not change. The call can be repeated.
 */
export function prepareSnapshot(
  pool: AdminPool,
  cellId: string,
  snapshot: SnapshotToPrepare,
): Promise<ChangeEntry> {
  return pool.transaction(async (session) => {
    await assertToken(session, snapshot.migration);
    await cacheContent(session, cellId, snapshot);
    const [row] = await session.rows<{ snapshot_number: number }>(
      'SELECT snapshot_number FROM tenant_database WHERE id = ? FOR UPDATE',
      [snapshot.databaseId],
    );
    const number = Number(row?.snapshot_number ?? 0) + 1;
    await session.run(
      `INSERT INTO snapshot (database_id, number, cell_id, content_hash, state, origin, migration_id, created_at)
       VALUES (?, ?, ?, ?, 'prepared', 'migration', ?, UTC_TIMESTAMP(3))
       ON DUPLICATE KEY UPDATE content_hash = VALUES(content_hash), migration_id = VALUES(migration_id)`,
      [snapshot.databaseId, number, cellId, snapshot.contentHash, snapshot.migration.id],
    );
    return appendChange(session, {
      cellId,
      databaseId: snapshot.databaseId,
      kind: 'prepared',
      version: number,
    });
  });
}

/** Removes a prepared snapshot that was not published. Returns null if no such snapshot exists. */
export function withdrawPrepared(
  pool: AdminPool,
  cellId: string,
  databaseId: string,
  migration: SnapshotToPrepare['migration'],
): Promise<ChangeEntry | null> {
  return pool.transaction(async (session) => {
    await assertToken(session, migration);
    const { affectedRows } = await session.run(
      `DELETE FROM snapshot WHERE database_id = ? AND state = 'prepared'`,
      [databaseId],
    );
    return affectedRows === 0
      ? null
      : appendChange(session, { cellId, databaseId, kind: 'prepared', version: 0 });
  });
}
