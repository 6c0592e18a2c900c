import { MIGRATION_END_STATES, type MigrationPlan, type MigrationState, type TaskError } from '@rowhouse/contracts';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import { AT_REST_STATES } from '../at-rest-states.js';
import { readJson } from '../json-column.js';
import { LeaseLostError } from '../lease-lost.js';
import { MOVES_AT_WORK } from './move-journal.js';

export interface ClaimedMigration {
  readonly id: string;
  readonly projectId: string;
  readonly databaseId: string;
  readonly serverId: string;
  readonly revision: number;
  readonly baseNumber: number;
  readonly publishedNumber: number | null;
  readonly plan: MigrationPlan;
  readonly attempt: number;
  readonly fencingToken: number;
  readonly createdBy: string;
}

/** The worker's half of the `migration` table: compare-and-set claims by the platform database's clock. */
export interface MigrationJournal {
  listRunnable(rowsMax: number): Promise<string[]>;
  /**
   * Null when the row is not to be run now: another holds it, an older migration of the same database has not ended,
   * the database is being moved, or the server already has `perServerMax` at work.
   */
  claim(migrationId: string, options: { readonly leaseMs: number; readonly perServerMax: number }): Promise<ClaimedMigration | null>;
  beat(migration: ClaimedMigration, leaseMs: number): Promise<boolean>;
  /** Throws LeaseLostError when the token is no longer the row's. */
  assertHeld(migration: ClaimedMigration): Promise<void>;
  setState(migration: ClaimedMigration, state: MigrationState, progressPercent?: number): Promise<void>;
  /** How far a long copy is; `etaSeconds` is null while nobody can say. */
  setProgress(migration: ClaimedMigration, progress: CopyProgress): Promise<void>;
  /** Keeps the first time only. */
  markDdlDone(migration: ClaimedMigration): Promise<void>;
  isCancelRequested(migration: ClaimedMigration): Promise<boolean>;
  /** Gives the lease up, so that another worker may go on at once. */
  release(migration: ClaimedMigration): Promise<void>;
  end(migration: ClaimedMigration, state: MigrationState, error: TaskError | null): Promise<void>;
}

export interface CopyProgress {
  readonly rowsDone: number;
  readonly rowsTotal: number;
  readonly etaSeconds: number | null;
}

interface MigrationRow {
  id: string;
  project_id: string;
  database_id: string;
  server_id: string;
  revision: number;
  base_number: number;
  published_number: number | null;
  plan: unknown;
  attempt: number;
  fencing_token: number;
  created_by: string;
}

const ENDED = MIGRATION_END_STATES.map((state) => `'${state}'`).join(',');
const RUNNABLE = `(state = 'queued' OR (state NOT IN (${AT_REST_STATES}) AND (lease_expires_at IS NULL OR lease_expires_at < UTC_TIMESTAMP(3))))`;

export function createMigrationJournal(pool: AdminPool, options: { readonly cellId: string; readonly owner: string }): MigrationJournal {
  const { cellId, owner } = options;

  async function update(migration: ClaimedMigration, assignments: string, values: readonly (string | number | null)[], session: AdminSession = pool): Promise<void> {
    const { affectedRows } = await session.run(
      `UPDATE migration SET ${assignments} WHERE id = ? AND lease_owner = ? AND fencing_token = ?`,
      [...values, migration.id, owner, migration.fencingToken],
    );
    if (affectedRows === 0) throw new LeaseLostError(migration.id);
  }

  return {
    async listRunnable(rowsMax) {
      const rows = await pool.rows<{ id: string }>(`SELECT id FROM migration WHERE cell_id = ? AND ${RUNNABLE} ORDER BY created_at, id LIMIT ?`, [cellId, rowsMax]);
      return rows.map((row) => row.id);
    },
    claim: (migrationId, { leaseMs, perServerMax }) =>
      pool.transaction((session) => claimMigration(session, { migrationId, leaseMs, perServerMax, cellId, owner })),
    async beat(migration, leaseMs) {
      const { affectedRows } = await pool.run(
        `UPDATE migration SET lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, heartbeat_at = UTC_TIMESTAMP(3)
         WHERE id = ? AND lease_owner = ? AND fencing_token = ? AND state NOT IN (${ENDED})`,
        [leaseMs * 1_000, migration.id, owner, migration.fencingToken],
      );
      return affectedRows > 0;
    },
    async assertHeld(migration) {
      const rows = await pool.rows(
        `SELECT id FROM migration WHERE id = ? AND lease_owner = ? AND fencing_token = ? AND lease_expires_at > UTC_TIMESTAMP(3)`,
        [migration.id, owner, migration.fencingToken],
      );
      if (rows.length === 0) throw new LeaseLostError(migration.id);
    },
    setState: (migration, state, progressPercent) =>
      progressPercent === undefined
        ? update(migration, 'state = ?', [state])
        : update(migration, 'state = ?, progress = ?', [state, progressPercent]),
    release: (migration) => update(migration, 'lease_expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND', []),
    setProgress: (migration, progress) =>
      update(migration, 'rows_done = ?, rows_total = ?, eta_seconds = ?', [progress.rowsDone, progress.rowsTotal, progress.etaSeconds]),
    markDdlDone: (migration) => update(migration, 'ddl_done_at = COALESCE(ddl_done_at, UTC_TIMESTAMP(6))', []),
    async isCancelRequested(migration) {
      const rows = await pool.rows('SELECT id FROM migration WHERE id = ? AND cancel_requested_at IS NOT NULL', [migration.id]);
      return rows.length > 0;
    },
    end: (migration, state, error) =>
      pool.transaction(async (session) => {
        const assignments = `state = ?, error = ?, eta_seconds = NULL, lease_expires_at = NULL, finished_at = UTC_TIMESTAMP(3)${state === 'published' ? ', progress = 100' : ''}`;
        await update(migration, assignments, [state, error === null ? null : JSON.stringify(error)], session);
        // The way back is a migration of its own; the one that it undid says so.
        if (state === 'published') {
          await session.run(`UPDATE migration undone JOIN migration way_back ON way_back.reverts_id = undone.id SET undone.state = 'reverted' WHERE way_back.id = ?`, [migration.id]);
        }
      }),
  };
}

interface ClaimOptions {
  readonly migrationId: string;
  readonly leaseMs: number;
  readonly perServerMax: number;
  readonly cellId: string;
  readonly owner: string;
}

/**
 * Own row, then server row, then database row: claims on one server come one after the other. Each read up to the last
 * lock is a locking one, so that the plain reads behind it see what the claim before has committed.
 */
async function claimMigration(session: AdminSession, options: ClaimOptions): Promise<ClaimedMigration | null> {
  const { migrationId, cellId } = options;
  const [found] = await session.rows<MigrationRow>('SELECT * FROM migration WHERE id = ? AND cell_id = ? FOR UPDATE', [migrationId, cellId]);
  if (found === undefined) return null;
  await session.rows('SELECT id FROM server WHERE id = ? FOR UPDATE', [found.server_id]);
  await session.rows('SELECT id FROM tenant_database WHERE id = ? FOR UPDATE', [found.database_id]);
  if (await isBlocked(session, found, options.perServerMax)) return null;
  const { affectedRows } = await session.run(
    `UPDATE migration SET state = IF(state = 'queued', 'running', state), lease_owner = ?,
       lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND, heartbeat_at = UTC_TIMESTAMP(3),
       started_at = COALESCE(started_at, UTC_TIMESTAMP(3)), fencing_token = fencing_token + 1, attempt = attempt + 1
     WHERE id = ? AND ${RUNNABLE}`,
    [options.owner, options.leaseMs * 1_000, migrationId],
  );
  if (affectedRows === 0) return null;
  const [row] = await session.rows<MigrationRow>('SELECT * FROM migration WHERE id = ?', [migrationId]);
  return row === undefined ? null : toClaimedMigration(row);
}

async function isBlocked(session: AdminSession, row: MigrationRow, perServerMax: number): Promise<boolean> {
  const earlier = await session.rows(
    `SELECT id FROM migration WHERE database_id = ? AND id <> ? AND (state NOT IN (${AT_REST_STATES})
       OR (state = 'queued' AND (created_at, id) < (SELECT m.created_at, m.id FROM migration m WHERE m.id = ?))) LIMIT 1`,
    [row.database_id, row.id, row.id],
  );
  if (earlier.length > 0) return true;
  const moves = await session.rows(`SELECT id FROM database_move WHERE database_id = ? AND ${MOVES_AT_WORK} LIMIT 1`, [row.database_id]);
  if (moves.length > 0) return true;
  const [busy] = await session.rows<{ running: number }>(
    `SELECT COUNT(*) AS running FROM migration WHERE server_id = ? AND id <> ? AND state NOT IN (${AT_REST_STATES}) AND lease_expires_at > UTC_TIMESTAMP(3)`,
    [row.server_id, row.id],
  );
  return Number(busy?.running ?? 0) >= perServerMax;
}

function toClaimedMigration(row: MigrationRow): ClaimedMigration {
  return {
    id: row.id,
    projectId: row.project_id,
    databaseId: row.database_id,
    serverId: row.server_id,
    revision: row.revision,
    baseNumber: Number(row.base_number),
    publishedNumber: row.published_number === null ? null : Number(row.published_number),
    plan: readJson<MigrationPlan>(row.plan) as MigrationPlan,
    attempt: row.attempt,
    fencingToken: Number(row.fencing_token),
    createdBy: row.created_by,
  };
}
