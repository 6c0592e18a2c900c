import type { AdminPool } from '@rowhouse/mysql';
import { createServerHolder } from '../hold-server.js';
import { toMarks, toRowMarks } from '../place-marks.js';

/** A live connection user, with whose share of the server its sessions count against. */
export interface SharedUser {
  readonly id: string;
  readonly databaseId: string;
  /** The account that created the project; the project where that is unknown. */
  readonly ownerId: string;
  readonly userName: string;
  /** The limit that the account has on the server; null: the usual one. 0: it is locked. */
  readonly sessionsMax: number | null;
  /** Its sessions were ended for a bound a short while ago. */
  readonly isLimited: boolean;
  /** Its database changes its server: its account is left alone. */
  readonly isMoving: boolean;
}

/** A session that was ended for a bound, as the audit log shows it. */
export interface EndedSession {
  readonly databaseId: string;
  readonly connectionId: string;
  readonly bound: string;
  readonly detail: Readonly<Record<string, string | number>>;
}

/** Shares of servers that direct connections have. */
export interface ShareStore {
  /** True when this worker watches the server's sessions for the next `leaseMs`. */
  holdServer(serverId: string, leaseMs: number): Promise<boolean>;
  releaseServer(serverId: string): Promise<void>;
  listUsers(serverId: string): Promise<SharedUser[]>;
  /** Notes the limit that accounts have on their server now. */
  noteLimit(connectionIds: readonly string[], sessionsMax: number | null): Promise<void>;
  /** Marks users as limited for so long from now on. */
  limit(connectionIds: readonly string[], limitMs: number): Promise<void>;
  /** Leaves an event for the audit log of the database's organization: see `AuditOutbox`. */
  recordEnded(ended: readonly EndedSession[]): Promise<void>;
}

interface UserRow {
  readonly id: string;
  readonly database_id: string;
  readonly owner_id: string;
  readonly user_name: string;
  readonly sessions_max: number | null;
  readonly is_limited: number | null;
  readonly location_state: string;
}

/** The event names the connection as its creator did. */
const EVENT_MARKS =
  "?, UTC_TIMESTAMP(3), ?, 'connection.session_ended', ?, JSON_SET(?, '$.connection', COALESCE((SELECT name FROM connection_user WHERE id = ?), ''))";

export function createShareStore(pool: AdminPool, options: { readonly cellId: string; readonly owner: string }): ShareStore {
  const { cellId } = options;
  const holder = createServerHolder(pool, { ...options, role: 'shares' });
  return {
    holdServer: (serverId, leaseMs) => holder.hold(serverId, leaseMs),
    releaseServer: (serverId) => holder.release(serverId),
    async listUsers(serverId) {
      const rows = await pool.rows<UserRow>(
        `SELECT c.id, c.database_id, COALESCE(d.account_id, d.project_id) AS owner_id, c.user_name, c.sessions_max,
           c.limited_until > UTC_TIMESTAMP(3) AS is_limited, d.location_state
         FROM connection_user c JOIN tenant_database d ON d.id = c.database_id
         WHERE d.server_id = ? AND c.cell_id = ? AND c.revoked_at IS NULL ORDER BY c.created_at, c.id`,
        [serverId, cellId],
      );
      return rows.map(toSharedUser);
    },
    async noteLimit(connectionIds, sessionsMax) {
      await pool.run(`UPDATE connection_user SET sessions_max = ? WHERE cell_id = ? AND id IN (${toMarks(connectionIds.length)})`, [sessionsMax, cellId, ...connectionIds]);
    },
    async limit(connectionIds, limitMs) {
      if (connectionIds.length === 0) return;
      await pool.run(
        `UPDATE connection_user SET limited_until = UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND WHERE cell_id = ? AND id IN (${toMarks(connectionIds.length)})`,
        [limitMs * 1_000, cellId, ...connectionIds],
      );
    },
    async recordEnded(ended) {
      if (ended.length === 0) return;
      await pool.run(
        `INSERT INTO audit_outbox (cell_id, at, database_id, action, target, detail)
         VALUES ${toRowMarks(ended, EVENT_MARKS)}`,
        ended.flatMap((one) => [cellId, one.databaseId, one.connectionId, JSON.stringify({ bound: one.bound, ...one.detail }), one.connectionId]),
      );
    },
  };
}

function toSharedUser(row: UserRow): SharedUser {
  return {
    id: row.id,
    databaseId: row.database_id,
    ownerId: row.owner_id,
    userName: row.user_name,
    sessionsMax: row.sessions_max === null ? null : Number(row.sessions_max),
    isLimited: Number(row.is_limited ?? 0) === 1,
    isMoving: row.location_state === 'moving',
  };
}
