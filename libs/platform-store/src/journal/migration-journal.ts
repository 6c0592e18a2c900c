import {
  MIGRATION_END_STATES,
  type MigrationPlan,
  type MigrationState,
  type TaskError,
} from '@rowhouse/contracts';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import { readJson } from '../sql-values.js';
import { LeaseLostError } from './lease-lost-error.js';
import { AT_WORK, isRunning, AT_REST_STATES } from './running-jobs.js';

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

/**
 * The maximum numbers of migrations that run on one server at the same time. Migrations that wait for a table
 * lock are counted separately, because they cause no load.
 */
export interface MigrationBounds {
  readonly atWorkMax: number;
  /** The maximum for one account over all its projects, because copying a large table takes long. */
  readonly atWorkOfAccountMax: number;
  readonly waitingMax: number;
  /** The maximum for one project, so that its locked tables cannot block the changes of other projects. */
  readonly waitingOfProjectMax: number;
  readonly waitingOfAccountMax: number;
}

/**
 * The worker's access to the table `migration`. A claim is a compare-and-set update with the time of the
 * platform database.
 */
export interface MigrationJournal {
  /**
   * Returns the migrations that `claim` would currently accept. For each database, the list contains only the
   * next migration. It alternates between servers with free capacity, and between the accounts on a server.
   */
  listRunnable(rowsMax: number, bounds: MigrationBounds): Promise<string[]>;
  /**
   * Claims a migration. Returns null if it cannot run now, because another worker has it, or because an older
   * migration, a move or a purge of its database is in progress. Also returns null if its server has no free
   * capacity within `bounds`.
   */
  claim(
    migrationId: string,
    options: { readonly leaseMs: number; readonly bounds: MigrationBounds },
  ): Promise<ClaimedMigration | null>;
  beat(migration: ClaimedMigration, leaseMs: number): Promise<boolean>;
  /** Throws LeaseLostError if another worker has claimed the migration since then. */
  assertHeld(migration: ClaimedMigration): Promise<void>;
  setState(migration: ClaimedMigration, state: MigrationState, progressPercent?: number): Promise<void>;
  /** Records the progress of a long copy. `etaSeconds` is null while it is unknown. */
  setProgress(migration: ClaimedMigration, progress: CopyProgress): Promise<void>;
  /** Records the time when all DDL was done. Later calls do not change it. */
  markDdlDone(migration: ClaimedMigration): Promise<void>;
  isCancelRequested(migration: ClaimedMigration): Promise<boolean>;
  /** Releases the lease, so that another worker can continue immediately. */
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
  state: string;
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

/** A condition for migrations that are waiting and do not count as running. */
const IS_WAITING = "state IN ('waiting_for_lock', 'waiting_for_repair')";

/**
 * Lists the migrations that can run. Those that a claim would reject are omitted, because they could fill the
 * list and hide later migrations.
 */
const LIST_RUNNABLE = `
  WITH busy AS (
    SELECT id, database_id, server_id, project_id, created_by, ${IS_WAITING} AS is_waiting, lease_expires_at > UTC_TIMESTAMP(3) AS is_held FROM migration WHERE cell_id = ? AND ${AT_WORK.migration}
  ), servers AS (
    SELECT server_id, SUM(is_held AND NOT is_waiting) AS at_work, SUM(is_held AND is_waiting) AS waiting FROM busy GROUP BY server_id
  ), lined_up AS (
    SELECT id, database_id, server_id, project_id, created_by, created_at, ROW_NUMBER() OVER (PARTITION BY database_id ORDER BY state = 'queued', created_at, id) AS turn FROM migration WHERE cell_id = ? AND ${RUNNABLE}
  ), free AS (
    SELECT c.id, c.server_id, c.created_at, ROW_NUMBER() OVER (PARTITION BY c.server_id, c.created_by ORDER BY c.created_at, c.id) AS place
    FROM lined_up c LEFT JOIN servers s ON s.server_id = c.server_id
    WHERE c.turn = 1 AND COALESCE(s.at_work, 0) < ? AND COALESCE(s.waiting, 0) < ?
      AND (SELECT COUNT(*) FROM busy b WHERE b.server_id = c.server_id AND b.created_by = c.created_by AND b.is_held AND NOT b.is_waiting) < ?
      AND (SELECT COUNT(*) FROM busy b WHERE b.server_id = c.server_id AND b.project_id = c.project_id AND b.is_held AND b.is_waiting) < ?
      AND (SELECT COUNT(*) FROM busy b WHERE b.server_id = c.server_id AND b.created_by = c.created_by AND b.is_held AND b.is_waiting) < ?
      AND NOT EXISTS (SELECT 1 FROM busy b WHERE b.database_id = c.database_id AND b.id <> c.id)
      AND NOT EXISTS (SELECT 1 FROM database_move WHERE database_id = c.database_id AND ${AT_WORK.database_move})
      AND NOT EXISTS (SELECT 1 FROM kept_object WHERE database_id = c.database_id AND ${AT_WORK.kept_object})
  ), in_turn AS (
    SELECT id, created_at, ROW_NUMBER() OVER (PARTITION BY server_id ORDER BY place, created_at, id) AS turn FROM free
  )
  SELECT id FROM in_turn ORDER BY turn, created_at, id LIMIT ?`;

export function createMigrationJournal(
  pool: AdminPool,
  options: { readonly cellId: string; readonly owner: string },
): MigrationJournal {
  const { cellId, owner } = options;

  async function update(
    migration: ClaimedMigration,
    assignments: string,
    values: readonly (string | number | null)[],
    session: AdminSession = pool,
  ): Promise<void> {
    const { affectedRows } = await session.run(
      `UPDATE migration SET ${assignments} WHERE id = ? AND lease_owner = ? AND fencing_token = ?`,
      [...values, migration.id, owner, migration.fencingToken],
    );
    if (affectedRows === 0) throw new LeaseLostError(migration.id);
  }

  return {
    async listRunnable(
      rowsMax,
      { atWorkMax, atWorkOfAccountMax, waitingMax, waitingOfProjectMax, waitingOfAccountMax },
    ) {
      const rows = await pool.rows<{ id: string }>(LIST_RUNNABLE, [
        cellId,
        cellId,
        atWorkMax,
        waitingMax,
        atWorkOfAccountMax,
        waitingOfProjectMax,
        waitingOfAccountMax,
        rowsMax,
      ]);
      return rows.map((row) => row.id);
    },
    claim: (migrationId, { leaseMs, bounds }) =>
      pool.transaction((session) => claimMigration(session, { migrationId, leaseMs, bounds, cellId, owner })),
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
      update(migration, 'rows_done = ?, rows_total = ?, eta_seconds = ?', [
        progress.rowsDone,
        progress.rowsTotal,
        progress.etaSeconds,
      ]),
    markDdlDone: (migration) =>
      update(migration, 'ddl_done_at = COALESCE(ddl_done_at, UTC_TIMESTAMP(6))', []),
    async isCancelRequested(migration) {
      const rows = await pool.rows(
        'SELECT id FROM migration WHERE id = ? AND cancel_requested_at IS NOT NULL',
        [migration.id],
      );
      return rows.length > 0;
    },
    end: (migration, state, error) =>
      pool.transaction(async (session) => {
        const assignments = `state = ?, error = ?, eta_seconds = NULL, lease_expires_at = NULL, finished_at = UTC_TIMESTAMP(3)${state === 'published' ? ', progress = 100' : ''}`;
        await update(migration, assignments, [state, error === null ? null : JSON.stringify(error)], session);
        // A revert is a migration of its own, which also changes the state of the reverted migration.
        if (state === 'published') {
          await session.run(
            `UPDATE migration undone JOIN migration way_back ON way_back.reverts_id = undone.id SET undone.state = 'reverted' WHERE way_back.id = ?`,
            [migration.id],
          );
        }
      }),
  };
}

interface ClaimOptions {
  readonly migrationId: string;
  readonly leaseMs: number;
  readonly bounds: MigrationBounds;
  readonly cellId: string;
  readonly owner: string;
}

/**
 * Claims a migration. It locks the row of the migration, then that of the server, then that of the database,
 * so that claims on one server run one after the other. All reads before the last lock are locking reads, so
 * that later reads without a lock see everything that the previous claim committed.
 */
async function claimMigration(
  session: AdminSession,
  options: ClaimOptions,
): Promise<ClaimedMigration | null> {
  const { migrationId, cellId } = options;
  const [found] = await session.rows<MigrationRow>(
    'SELECT * FROM migration WHERE id = ? AND cell_id = ? FOR UPDATE',
    [migrationId, cellId],
  );
  if (found === undefined) return null;
  await session.rows('SELECT id FROM server WHERE id = ? FOR UPDATE', [found.server_id]);
  await session.rows('SELECT id FROM tenant_database WHERE id = ? FOR UPDATE', [found.database_id]);
  if (await isBlocked(session, found, options.bounds)) return null;
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

async function isBlocked(
  session: AdminSession,
  row: MigrationRow,
  bounds: MigrationBounds,
): Promise<boolean> {
  // A migration that has already started does not wait for queued ones, because these wait for it.
  const earlier = await session.rows(
    `SELECT id FROM migration WHERE database_id = ? AND id <> ? AND (${AT_WORK.migration}
       OR (? = 'queued' AND state = 'queued' AND (created_at, id) < (SELECT m.created_at, m.id FROM migration m WHERE m.id = ?))) LIMIT 1`,
    [row.database_id, row.id, row.state, row.id],
  );
  if (earlier.length > 0 || (await isRunning(session, row.database_id, ['database_move', 'kept_object'])))
    return true;
  const [others] = await session.rows<Record<Share, number | string | null>>(
    `SELECT SUM(NOT is_waiting) AS at_work, SUM(NOT is_waiting AND is_own) AS at_work_of_account, SUM(is_waiting) AS waiting,
       SUM(is_waiting AND project_id = ?) AS waiting_of_project, SUM(is_waiting AND is_own) AS waiting_of_account
     FROM (SELECT project_id, ${IS_WAITING} AS is_waiting, created_by = ? AS is_own FROM migration
       WHERE server_id = ? AND id <> ? AND ${AT_WORK.migration} AND lease_expires_at > UTC_TIMESTAMP(3)) others`,
    [row.project_id, row.created_by, row.server_id, row.id],
  );
  const hasCapacity = (share: Share, maximum: number): boolean => Number(others?.[share] ?? 0) < maximum;
  return !(
    hasCapacity('at_work', bounds.atWorkMax) &&
    hasCapacity('at_work_of_account', bounds.atWorkOfAccountMax) &&
    hasCapacity('waiting', bounds.waitingMax) &&
    hasCapacity('waiting_of_project', bounds.waitingOfProjectMax) &&
    hasCapacity('waiting_of_account', bounds.waitingOfAccountMax)
  );
}

type Share = 'at_work' | 'at_work_of_account' | 'waiting' | 'waiting_of_project' | 'waiting_of_account';

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
