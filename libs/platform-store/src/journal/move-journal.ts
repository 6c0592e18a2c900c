import { MOVE_END_STATES, type ChangeEntry, type MoveState, type TaskError, type TaskKind } from '@rowhouse/contracts';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import { readJson } from '../json-column.js';
import { LeaseLostError } from '../lease-lost.js';
import { appendChange } from '../publish/append-change.js';
import { AT_WORK, isAtWork } from './at-work.js';

export interface ClaimedMove {
  readonly id: string;
  readonly databaseId: string;
  readonly fromServerId: string;
  readonly toServerId: string;
  readonly state: MoveState;
  /** What the worker before wrote last; its shape is the worker's matter. */
  readonly checkpoint: unknown;
  /** Why it is being undone. */
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
 * The worker's half of `database_move`, and of the location in `tenant_database`. Each write is a compare-and-set over
 * owner and fencing token, by the platform database's clock; all throw LeaseLostError when the row is someone else's.
 */
export interface MoveJournal {
  /** Those that nothing at work on their database holds up. */
  listRunnable(rowsMax: number): Promise<string[]>;
  /** Null when it is not to be run now: another holds it, or a migration or a purge of the database is at work. */
  claim(moveId: string, leaseMs: number): Promise<ClaimedMove | null>;
  /** False when the lease is lost. */
  beat(move: ClaimedMove, leaseMs: number): Promise<boolean>;
  assertHeld(move: ClaimedMove): Promise<void>;
  isCancelRequested(move: ClaimedMove): Promise<boolean>;
  /** State and checkpoint in one write; `error` stays where it is left out. */
  enter(move: ClaimedMove, state: MoveState, checkpoint: unknown, error?: TaskError): Promise<void>;
  note(move: ClaimedMove, checkpoint: unknown, progress: MoveProgress): Promise<void>;
  /** The database is `moving` for `pauseMs`: gateways hold its writes. Null when it is deleted. */
  beginPause(move: ClaimedMove, pauseMs: number): Promise<ChangeEntry | null>;
  /** Live, wherever it lies now. Null when it was live. */
  endPause(move: ClaimedMove): Promise<ChangeEntry | null>;
  /**
   * The change of place: server and generation of the database, and the state of the move, in one transaction. Writes are
   * held on, until `endPause`. Null when the pause is over, or the database was deleted: nothing was changed then.
   */
  changePlace(move: ClaimedMove, checkpoint: unknown): Promise<ChangeEntry | null>;
  /** For how long writes were held at the change of place. */
  notePause(move: ClaimedMove, pauseMs: number): Promise<void>;
  end(move: ClaimedMove, state: MoveState): Promise<void>;
  /** Gives the lease up, so that another worker may go on at once. */
  release(move: ClaimedMove): Promise<void>;
  /** Tasks that make, change or end accounts of the database, under a lease that holds. */
  countTasksAtWork(databaseId: string): Promise<number>;
}

type Row = Readonly<Record<string, unknown>>;

const ENDED = MOVE_END_STATES.map((state) => `'${state}'`).join(',');
const RUNNABLE = `state NOT IN (${ENDED}) AND (lease_expires_at IS NULL OR lease_expires_at < UTC_TIMESTAMP(3))`;

/** They wait while the database changes its place. */
export const ACCOUNT_TASKS: readonly TaskKind[] = ['provision_database', 'drop_database', 'create_connection', 'revoke_connection', 'rotate_connection', 'end_rotation', 'grant_rights'];

/** Rolls the change of place back. */
class PauseOver extends Error {}

export function createMoveJournal(pool: AdminPool, options: { readonly cellId: string; readonly owner: string }): MoveJournal {
  const { cellId, owner } = options;

  async function update(session: AdminSession, move: ClaimedMove, assignments: string, values: readonly (string | number | null)[]): Promise<void> {
    const { affectedRows } = await session.run(`UPDATE database_move SET ${assignments} WHERE id = ? AND lease_owner = ? AND fencing_token = ?`, [...values, move.id, owner, move.fencingToken]);
    if (affectedRows === 0) throw new LeaseLostError(move.id);
  }

  /** Behind `assignments` the version has moved on; null when `where` found no row. */
  async function relocate(session: AdminSession, databaseId: string, assignments: string, where: string, values: readonly (string | number)[] = []): Promise<ChangeEntry | null> {
    const { affectedRows } = await session.run(`UPDATE tenant_database SET ${assignments}, version = version + 1 WHERE id = ? AND cell_id = ? AND ${where}`, [...values, databaseId, cellId]);
    if (affectedRows === 0) return null;
    const [row] = await session.rows<{ version: number }>('SELECT version FROM tenant_database WHERE id = ?', [databaseId]);
    return appendChange(session, { cellId, databaseId, kind: 'move', version: Number(row?.version ?? 0) });
  }

  return {
    async listRunnable(rowsMax) {
      const rows = await pool.rows<{ id: string }>(
        `SELECT m.id FROM database_move m WHERE cell_id = ? AND ${RUNNABLE} AND NOT EXISTS (SELECT 1 FROM migration WHERE database_id = m.database_id AND ${AT_WORK.migration}) ORDER BY created_at, id LIMIT ?`, [cellId, rowsMax],
      );
      return rows.map((row) => row.id);
    },
    claim: (moveId, leaseMs) => pool.transaction((session) => claimMove(session, { moveId, leaseMs, cellId, owner })),
    async beat(move, leaseMs) {
      const { affectedRows } = await pool.run(
        `UPDATE database_move SET lease_expires_at = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND WHERE id = ? AND lease_owner = ? AND fencing_token = ? AND state NOT IN (${ENDED})`,
        [leaseMs * 1_000, move.id, owner, move.fencingToken],
      );
      return affectedRows > 0;
    },
    async assertHeld(move) {
      const rows = await pool.rows('SELECT id FROM database_move WHERE id = ? AND lease_owner = ? AND fencing_token = ? AND lease_expires_at > UTC_TIMESTAMP(3)', [move.id, owner, move.fencingToken]);
      if (rows.length === 0) throw new LeaseLostError(move.id);
    },
    async isCancelRequested(move) {
      const rows = await pool.rows(
        `SELECT m.id FROM database_move m JOIN tenant_database d ON d.id = m.database_id WHERE m.id = ? AND (m.cancel_requested_at IS NOT NULL OR d.deleted_at IS NOT NULL)`, [move.id],
      );
      return rows.length > 0;
    },
    async enter(move, state, checkpoint, error) {
      // Behind the change of place nothing leads back, whatever a worker believes that has not heard its answer.
      const { affectedRows } = await pool.run(
        `UPDATE database_move SET state = ?, checkpoint = ?, error = COALESCE(?, error) WHERE id = ? AND lease_owner = ? AND fencing_token = ? AND (state <> 'settling' OR ? = 'settling')`,
        [state, JSON.stringify(checkpoint), error === undefined ? null : JSON.stringify(error), move.id, owner, move.fencingToken, state],
      );
      if (affectedRows === 0) throw new LeaseLostError(move.id);
    },
    note: (move, checkpoint, progress) => update(pool, move, 'checkpoint = ?, rows_done = ?, rows_total = ?', [JSON.stringify(checkpoint), progress.rowsDone, progress.rowsTotal]),
    beginPause: (move, pauseMs) =>
      pool.transaction(async (session) => {
        await update(session, move, 'switches = switches + 1', []);
        return relocate(session, move.databaseId, `location_state = 'moving', moving_until = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND`, `location_state IN ('live', 'moving') AND deleted_at IS NULL`, [pauseMs * 1_000]);
      }),
    endPause: (move) =>
      pool.transaction(async (session) => {
        await update(session, move, 'lease_owner = lease_owner', []);
        return relocate(session, move.databaseId, `location_state = 'live', moving_until = NULL`, `location_state = 'moving'`);
      }),
    async changePlace(move, checkpoint) {
      try {
        return await pool.transaction(async (session) => {
          await update(session, move, `state = 'settling', checkpoint = ?, switched_at = UTC_TIMESTAMP(3)`, [JSON.stringify(checkpoint)]);
          const entry = await relocate(
            session, move.databaseId, `server_id = ?, generation = generation + 1`,
            `location_state = 'moving' AND moving_until > UTC_TIMESTAMP(3) AND deleted_at IS NULL`, [move.toServerId],
          );
          if (entry === null) throw new PauseOver();
          return entry;
        });
      } catch (error) {
        if (error instanceof PauseOver) return null;
        throw error;
      }
    },
    notePause: (move, pauseMs) => update(pool, move, 'pause_ms = ?', [pauseMs]),
    end: (move, state) => update(pool, move, 'state = ?, checkpoint = NULL, lease_expires_at = NULL, finished_at = UTC_TIMESTAMP(3)', [state]),
    release: (move) => update(pool, move, 'lease_expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND', []),
    async countTasksAtWork(databaseId) {
      const [row] = await pool.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM task WHERE database_id = ? AND cell_id = ? AND kind IN (${ACCOUNT_TASKS.map((kind) => `'${kind}'`).join(',')}) AND state = 'running' AND lease_expires_at > UTC_TIMESTAMP(3)`, [databaseId, cellId]);
      return Number(row?.n ?? 0);
    },
  };
}

/** Own row, then the database's, as migrations are claimed: of a move and a migration only one begins. */
async function claimMove(session: AdminSession, options: { readonly moveId: string; readonly leaseMs: number; readonly cellId: string; readonly owner: string }): Promise<ClaimedMove | null> {
  const { moveId, cellId } = options;
  const [found] = await session.rows<Row>('SELECT * FROM database_move WHERE id = ? AND cell_id = ? FOR UPDATE', [moveId, cellId]);
  if (found === undefined) return null;
  const databaseId = String(found['database_id']);
  await session.rows('SELECT id FROM tenant_database WHERE id = ? FOR UPDATE', [databaseId]);
  if (await isAtWork(session, databaseId, ['migration', 'kept_object'])) return null;
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
    id: String(row['id']), databaseId: String(row['database_id']), fromServerId: String(row['from_server_id']), toServerId: String(row['to_server_id']),
    state: row['state'] as MoveState, checkpoint: readJson(row['checkpoint']), error: readJson<TaskError>(row['error']), switches: Number(row['switches']),
    attempt: Number(row['attempt']), fencingToken: Number(row['fencing_token']),
  };
}
