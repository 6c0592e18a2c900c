import {
  MOVE_END_STATES,
  type ChangeEntry,
  type MoveState,
  type TaskError,
  type TaskKind,
} from '@rowhouse/contracts';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import { readJson } from '../sql-values.js';
import { LeaseLostError } from './lease-lost-error.js';
import { appendChange } from '../publish/change-log.js';
import { AT_WORK, isRunning } from './running-jobs.js';

export interface ClaimedMove {
  readonly id: string;
  readonly databaseId: string;
  readonly fromServerId: string;
  readonly toServerId: string;
  readonly state: MoveState;
  /** The last checkpoint that the previous worker wrote. The worker defines its structure. */
  readonly checkpoint: unknown;
  /** The reason why the move is being undone. Null otherwise. */
  readonly error: TaskError | null;
  readonly switches: number;
  readonly attempt: number;
  readonly fencingToken: number;
}

export interface MoveProgress {
  readonly rowsDone: number;
  readonly rowsTotal: number;
}

/**
 * The worker's access to the table `database_move`, and to the location in `tenant_database`. Each write
 * compares the owner and the fencing token, and uses the time of the platform database. It throws
 * LeaseLostError if another worker has the row.
 */
export interface MoveJournal {
  /** Returns the moves that are not blocked by other work on their database. */
  listRunnable(rowsMax: number): Promise<string[]>;
  /**
   * Claims a move. Returns null if it cannot run now, because another worker has it, or because a migration
   * or a purge of the database is in progress.
   */
  claim(moveId: string, leaseMs: number): Promise<ClaimedMove | null>;
  /** Renews the lease. Returns false if the lease was lost. */
  beat(move: ClaimedMove, leaseMs: number): Promise<boolean>;
  assertHeld(move: ClaimedMove): Promise<void>;
  isCancelRequested(move: ClaimedMove): Promise<boolean>;
  /**
   * Writes the state and the checkpoint together. If `error` is omitted, the stored error does not change.
   */
  enter(move: ClaimedMove, state: MoveState, checkpoint: unknown, error?: TaskError): Promise<void>;
  note(move: ClaimedMove, checkpoint: unknown, progress: MoveProgress): Promise<void>;
  /**
   * Sets the state of the database to `moving` for `pauseMs`, so that gateways hold its writes. Returns null
   * if the database was deleted.
   */
  beginPause(move: ClaimedMove, pauseMs: number): Promise<ChangeEntry | null>;
  /** Sets the state of the database to live at its current location. Returns null if it was already live. */
  endPause(move: ClaimedMove): Promise<ChangeEntry | null>;
  /**
   * Changes the server and the generation of the database, and the state of the move, in one transaction.
   * Writes are held until `endPause`. Returns null and changes nothing if the pause is over or the database
   * was deleted.
   */
  changePlace(move: ClaimedMove, checkpoint: unknown): Promise<ChangeEntry | null>;
  /** Records for how many milliseconds writes were held while the location changed. */
  notePause(move: ClaimedMove, pauseMs: number): Promise<void>;
  end(move: ClaimedMove, state: MoveState): Promise<void>;
  /** Releases the lease, so that another worker can continue immediately. */
  release(move: ClaimedMove): Promise<void>;
  /** Counts the tasks with a valid lease that create, change or delete accounts of the database. */
  countTasksAtWork(databaseId: string): Promise<number>;
}

type Row = Readonly<Record<string, unknown>>;

const ENDED = MOVE_END_STATES.map((state) => `'${state}'`).join(',');
const RUNNABLE = `state NOT IN (${ENDED}) AND (lease_expires_at IS NULL OR lease_expires_at < UTC_TIMESTAMP(3))`;

/** The kinds of tasks that wait while a database changes its location. */
export const ACCOUNT_TASKS: readonly TaskKind[] = [
  'provision_database',
  'drop_database',
  'create_connection',
  'revoke_connection',
  'rotate_connection',
  'end_rotation',
  'grant_rights',
];

/** Thrown to roll back the change of the location, because the pause is over. */
class PauseExpiredError extends Error {
  override readonly name = 'PauseExpiredError';
}

export function createMoveJournal(
  pool: AdminPool,
  options: { readonly cellId: string; readonly owner: string },
): MoveJournal {
  const { cellId, owner } = options;

  async function update(
    session: AdminSession,
    move: ClaimedMove,
    assignments: string,
    values: readonly (string | number | null)[],
  ): Promise<void> {
    const { affectedRows } = await session.run(
      `UPDATE database_move SET ${assignments} WHERE id = ? AND lease_owner = ? AND fencing_token = ?`,
      [...values, move.id, owner, move.fencingToken],
    );
    if (affectedRows === 0) throw new LeaseLostError(move.id);
  }

  /** Changes the location and increments the version of the row. Returns null if no row matches `where`. */
  async function relocate(
    session: AdminSession,
    databaseId: string,
    assignments: string,
    where: string,
    values: readonly (string | number)[] = [],
  ): Promise<ChangeEntry | null> {
    const { affectedRows } = await session.run(
      `UPDATE tenant_database SET ${assignments}, version = version + 1 WHERE id = ? AND cell_id = ? AND ${where}`,
      [...values, databaseId, cellId],
    );
    if (affectedRows === 0) return null;
    const [row] = await session.rows<{ version: number }>(
      'SELECT version FROM tenant_database WHERE id = ?',
      [databaseId],
    );
    return appendChange(session, { cellId, databaseId, kind: 'move', version: Number(row?.version ?? 0) });
  }

  return {
    async listRunnable(rowsMax) {
      const rows = await pool.rows<{ id: string }>(
        `SELECT m.id FROM database_move m WHERE cell_id = ? AND ${RUNNABLE} AND NOT EXISTS (SELECT 1 FROM migration WHERE database_id = m.database_id AND ${AT_WORK.migration}) ORDER BY created_at, id LIMIT ?`,
        [cellId, rowsMax],
      );
      return rows.map((row) => row.id);
    },
    claim: (moveId, leaseMs) =>
      pool.transaction((session) => claimMove(session, { moveId, leaseMs, cellId, owner })),
    async beat(move, leaseMs) {
      const { affectedRows } = await pool.run(
        `UPDATE database_move SET lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND WHERE id = ? AND lease_owner = ? AND fencing_token = ? AND state NOT IN (${ENDED})`,
        [leaseMs * 1_000, move.id, owner, move.fencingToken],
      );
      return affectedRows > 0;
    },
    async assertHeld(move) {
      const rows = await pool.rows(
        'SELECT id FROM database_move WHERE id = ? AND lease_owner = ? AND fencing_token = ? AND lease_expires_at > UTC_TIMESTAMP(3)',
        [move.id, owner, move.fencingToken],
      );
      if (rows.length === 0) throw new LeaseLostError(move.id);
    },
    async isCancelRequested(move) {
      const rows = await pool.rows(
        `SELECT m.id FROM database_move m JOIN tenant_database d ON d.id = m.database_id WHERE m.id = ? AND (m.cancel_requested_at IS NOT NULL OR d.deleted_at IS NOT NULL)`,
        [move.id],
      );
      return rows.length > 0;
    },
    async enter(move, state, checkpoint, error) {
      // A move cannot be undone after the location was changed, even if the worker did not receive the
      // response to this statement.
      const { affectedRows } = await pool.run(
        `UPDATE database_move SET state = ?, checkpoint = ?, error = COALESCE(?, error) WHERE id = ? AND lease_owner = ? AND fencing_token = ? AND (state <> 'settling' OR ? = 'settling')`,
        [
          state,
          JSON.stringify(checkpoint),
          error === undefined ? null : JSON.stringify(error),
          move.id,
          owner,
          move.fencingToken,
          state,
        ],
      );
      if (affectedRows === 0) throw new LeaseLostError(move.id);
    },
    note: (move, checkpoint, progress) =>
      update(pool, move, 'checkpoint = ?, rows_done = ?, rows_total = ?', [
        JSON.stringify(checkpoint),
        progress.rowsDone,
        progress.rowsTotal,
      ]),
    beginPause: (move, pauseMs) =>
      pool.transaction(async (session) => {
        await update(session, move, 'switches = switches + 1', []);
        return relocate(
          session,
          move.databaseId,
          `location_state = 'moving', moving_until = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND`,
          `location_state IN ('live', 'moving') AND deleted_at IS NULL`,
          [pauseMs * 1_000],
        );
      }),
    endPause: (move) =>
      pool.transaction(async (session) => {
        await update(session, move, 'lease_owner = lease_owner', []);
        return relocate(
          session,
          move.databaseId,
          `location_state = 'live', moving_until = NULL`,
          `location_state = 'moving'`,
        );
      }),
    async changePlace(move, checkpoint) {
      try {
        return await pool.transaction(async (session) => {
          await update(session, move, `state = 'settling', checkpoint = ?, switched_at = UTC_TIMESTAMP(3)`, [
            JSON.stringify(checkpoint),
          ]);
          const entry = await relocate(
            session,
            move.databaseId,
            `server_id = ?, generation = generation + 1`,
            `location_state = 'moving' AND moving_until > UTC_TIMESTAMP(3) AND deleted_at IS NULL`,
            [move.toServerId],
          );
          if (entry === null) throw new PauseExpiredError();
          return entry;
        });
      } catch (error) {
        if (error instanceof PauseExpiredError) return null;
        throw error;
      }
    },
    notePause: (move, pauseMs) => update(pool, move, 'pause_ms = ?', [pauseMs]),
    end: (move, state) =>
      update(
        pool,
        move,
        'state = ?, checkpoint = NULL, lease_expires_at = NULL, finished_at = UTC_TIMESTAMP(3)',
        [state],
      ),
    release: (move) => update(pool, move, 'lease_expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND', []),
    async countTasksAtWork(databaseId) {
      const [row] = await pool.rows<{ n: number }>(
        `SELECT COUNT(*) AS n FROM task WHERE database_id = ? AND cell_id = ? AND kind IN (${ACCOUNT_TASKS.map((kind) => `'${kind}'`).join(',')}) AND state = 'running' AND lease_expires_at > UTC_TIMESTAMP(3)`,
        [databaseId, cellId],
      );
      return Number(row?.n ?? 0);
    },
  };
}

/**
 * Claims a move. It locks the row of the move and then that of the database, as a claim of a migration does.
 * Therefore, a move and a migration of one database cannot both start.
 */
async function claimMove(
  session: AdminSession,
  options: {
    readonly moveId: string;
    readonly leaseMs: number;
    readonly cellId: string;
    readonly owner: string;
  },
): Promise<ClaimedMove | null> {
  const { moveId, cellId } = options;
  const [found] = await session.rows<Row>(
    'SELECT * FROM database_move WHERE id = ? AND cell_id = ? FOR UPDATE',
    [moveId, cellId],
  );
  if (found === undefined) return null;
  const databaseId = String(found['database_id']);
  await session.rows('SELECT id FROM tenant_database WHERE id = ? FOR UPDATE', [databaseId]);
  if (await isRunning(session, databaseId, ['migration', 'kept_object'])) return null;
  const { affectedRows } = await session.run(
    `UPDATE database_move SET state = IF(state = 'queued', 'copying', state), lease_owner = ?, lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND,
       started_at = COALESCE(started_at, UTC_TIMESTAMP(3)), fencing_token = fencing_token + 1, attempt = attempt + 1 WHERE id = ? AND ${RUNNABLE}`,
    [options.owner, options.leaseMs * 1_000, moveId],
  );
  if (affectedRows === 0) return null;
  const [row] = await session.rows<Row>('SELECT * FROM database_move WHERE id = ?', [moveId]);
  return row === undefined ? null : toClaimedMove(row);
}

function toClaimedMove(row: Row): ClaimedMove {
  return {
    id: String(row['id']),
    databaseId: String(row['database_id']),
    fromServerId: String(row['from_server_id']),
    toServerId: String(row['to_server_id']),
    state: row['state'] as MoveState,
    checkpoint: readJson(row['checkpoint']),
    error: readJson<TaskError>(row['error']),
    switches: Number(row['switches']),
    attempt: Number(row['attempt']),
    fencingToken: Number(row['fencing_token']),
  };
}
