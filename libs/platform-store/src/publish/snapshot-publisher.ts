import type { ChangeEntry, MigrationPlan } from '@rowhouse/contracts';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import { isRunning } from '../journal/running-jobs.js';
import { LeaseLostError } from '../journal/lease-lost-error.js';
import { appendChange } from './change-log.js';

export interface SnapshotToPublish {
  readonly databaseId: string;
  readonly contentHash: string;
  readonly body: Buffer;
  readonly origin: 'provision' | 'migration' | 'direct';
  /**
   * The number of the previous snapshot. If the row has another number, another process has published a
   * snapshot since then.
   */
  readonly afterNumber: number;
  readonly migration?:
    | { readonly id: string; readonly owner: string; readonly fencingToken: number }
    | undefined;
  /** A change over a direct connection. The history shows it as a migration of its own. */
  readonly history?: DirectChange | undefined;
  /**
   * Whether this is the first snapshot of a database. Publishing it completes the creation of the database.
   */
  readonly marksReady?: boolean;
}

export interface DirectChange {
  readonly migrationId: string;
  readonly plan: MigrationPlan;
  /**
   * The connection user in whose session the change was made, or the account that requested a restore. Empty
   * if it is unknown.
   */
  readonly createdBy: string;
  /** How the change was made. `restore` means that the database was created from a file. */
  readonly origin?: 'direct' | 'restore';
  /** The revision of the draft schema that is equal to the current schema. Absent if no revision is equal. */
  readonly revision?: number;
}

export type PublishOutcome =
  | { readonly kind: 'published'; readonly number: number; readonly entry: ChangeEntry }
  /** Another process published a snapshot first, so the pointer has another number. No row was written. */
  | { readonly kind: 'overtaken'; readonly number: number }
  /**
   * A migration is in progress. The current schema is an intermediate state, so the migration will publish
   * the final one.
   */
  | { readonly kind: 'migrating' };

/**
 * Writes the content, the row with its number, the pointer to it and the change log entry in one transaction.
 * The number in the pointer only increases.
 */
export function publishSnapshot(
  pool: AdminPool,
  cellId: string,
  snapshot: SnapshotToPublish,
): Promise<PublishOutcome> {
  return pool.transaction(async (session) => {
    if (snapshot.migration !== undefined) await assertToken(session, snapshot.migration);
    await cacheContent(session, cellId, snapshot);
    const [row] = await session.rows<{ snapshot_number: number }>(
      'SELECT snapshot_number FROM tenant_database WHERE id = ? FOR UPDATE',
      [snapshot.databaseId],
    );
    const current = Number(row?.snapshot_number ?? 0);
    if (row === undefined || current !== snapshot.afterNumber) return { kind: 'overtaken', number: current };
    // Claims of migrations lock the same row, so no migration can start between this check and the commit.
    if (snapshot.migration === undefined && (await isRunning(session, snapshot.databaseId, ['migration'])))
      return { kind: 'migrating' };
    const number = current + 1;
    // If the snapshot was prepared, it already has a row.
    await session.run(
      `INSERT INTO snapshot (database_id, number, cell_id, content_hash, state, origin, migration_id, created_at)
       VALUES (?, ?, ?, ?, 'published', ?, ?, UTC_TIMESTAMP(3))
       ON DUPLICATE KEY UPDATE content_hash = VALUES(content_hash), state = 'published', origin = VALUES(origin), migration_id = VALUES(migration_id), created_at = VALUES(created_at)`,
      [
        snapshot.databaseId,
        number,
        cellId,
        snapshot.contentHash,
        snapshot.origin,
        snapshot.migration?.id ?? snapshot.history?.migrationId ?? null,
      ],
    );
    if (snapshot.history !== undefined)
      await recordDirect(session, cellId, snapshot, snapshot.history, number);
    await session.run(
      `UPDATE tenant_database SET snapshot_number = ?, snapshot_hash = ?${snapshot.marksReady ? ", provision_state = 'ready', version = version + 1" : ''} WHERE id = ?`,
      [number, snapshot.contentHash, snapshot.databaseId],
    );
    if (snapshot.migration !== undefined)
      await session.run('UPDATE migration SET published_number = ? WHERE id = ?', [
        number,
        snapshot.migration.id,
      ]);
    const entry = await appendChange(session, {
      cellId,
      databaseId: snapshot.databaseId,
      kind: 'snapshot',
      version: number,
    });
    return { kind: 'published', number, entry };
  });
}

async function recordDirect(
  session: AdminSession,
  cellId: string,
  { databaseId }: SnapshotToPublish,
  { migrationId, plan, createdBy, origin = 'direct', revision = 0 }: DirectChange,
  number: number,
): Promise<void> {
  await session.run(
    `INSERT INTO migration (id, cell_id, project_id, database_id, server_id, revision, state, base_number, published_number, plan, plan_hash, target_hash, origin, progress,
       created_by, created_at, finished_at)
     SELECT ?, ?, project_id, id, server_id, ?, 'published', ?, ?, ?, ?, ?, ?, 100, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM tenant_database WHERE id = ?`,
    [
      migrationId,
      cellId,
      revision,
      number - 1,
      number,
      JSON.stringify(plan),
      plan.hash,
      plan.targetHash,
      origin,
      createdBy,
      databaseId,
    ],
  );
}

export async function assertToken(
  session: AdminSession,
  migration: { readonly id: string; readonly owner: string; readonly fencingToken: number },
): Promise<void> {
  const rows = await session.rows(
    'SELECT id FROM migration WHERE id = ? AND lease_owner = ? AND fencing_token = ? FOR UPDATE',
    [migration.id, migration.owner, migration.fencingToken],
  );
  if (rows.length === 0) throw new LeaseLostError(migration.id);
}

/** Stores the content of a snapshot. Equal contents are stored in one row. */
export async function cacheContent(
  session: AdminSession,
  cellId: string,
  { contentHash, body }: { readonly contentHash: string; readonly body: Buffer },
): Promise<void> {
  await session.run(
    'INSERT INTO snapshot_content (content_hash, cell_id, body, created_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE content_hash = snapshot_content.content_hash',
    [contentHash, cellId, body],
  );
}
