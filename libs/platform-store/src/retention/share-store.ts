import type { AdminPool } from '@rowhouse/mysql';
import { createServerHolder } from '../server-leases.js';
import { toMarks, toRowMarks } from '../sql-values.js';

/** An active connection user, with the owner to whose quota of sessions on the server it belongs. */
export interface SharedUser {
  readonly id: string;
  readonly databaseId: string;
  readonly schemaName: string;
  /** The account that created the project. If it is unknown, this is the project. */
  readonly ownerId: string;
  readonly userName: string;
  /**
   * The maximum number of sessions of the account on the server. Null means the default. 0 means that the
   * account is locked.
   */
  readonly sessionsMax: number | null;
  /**
   * Whether the user is limited. After its sessions were ended because of a limit, this is the case for a
   * short time.
   */
  readonly isLimited: boolean;
  /** Whether the user's database is being moved to another server. Its account must then not be changed. */
  readonly isMoving: boolean;
}

/** A session that was ended because of a limit. It is recorded in the audit log. */
export interface EndedSession {
  readonly databaseId: string;
  readonly connectionId: string;
  readonly bound: string;
  readonly detail: Readonly<Record<string, string | number>>;
}

/** The store for the quotas of direct connections on a server. */
export interface ShareStore {
  /**
   * Takes or renews the lease for monitoring the sessions of the server, for the next `leaseMs`. Returns
   * false if another worker has it.
   */
  holdServer(serverId: string, leaseMs: number): Promise<boolean>;
  releaseServer(serverId: string): Promise<void>;
  listUsers(serverId: string): Promise<SharedUser[]>;
  /** Records the current maximum number of sessions of accounts on their server. */
  noteLimit(connectionIds: readonly string[], sessionsMax: number | null): Promise<void>;
  /** Marks users as limited for the next `limitMs`. */
  limit(connectionIds: readonly string[], limitMs: number): Promise<void>;
  /** Adds an event for the audit log of the database's organization. See `AuditOutbox`. */
  recordEnded(ended: readonly EndedSession[]): Promise<void>;
}

interface UserRow {
  readonly id: string;
  readonly database_id: string;
  readonly schema_name: string;
  readonly owner_id: string;
  readonly user_name: string;
  readonly sessions_max: number | null;
  readonly is_limited: number | null;
  readonly location_state: string;
}

/** The event contains the name that the connection's creator chose. */
const EVENT_MARKS =
  "?, UTC_TIMESTAMP(3), ?, 'connection.session_ended', ?, JSON_SET(?, '$.connection', COALESCE((SELECT name FROM connection_user WHERE id = ?), ''))";

export function createShareStore(
  pool: AdminPool,
  options: { readonly cellId: string; readonly owner: string },
): ShareStore {
  const { cellId } = options;
  const holder = createServerHolder(pool, { ...options, role: 'shares' });
  return {
    holdServer: (serverId, leaseMs) => holder.hold(serverId, leaseMs),
    releaseServer: (serverId) => holder.release(serverId),
    async listUsers(serverId) {
      const rows = await pool.rows<UserRow>(
        `SELECT c.id, c.database_id, d.schema_name, COALESCE(d.account_id, d.project_id) AS owner_id, c.user_name, c.sessions_max,
           c.limited_until > UTC_TIMESTAMP(3) AS is_limited, d.location_state
         FROM connection_user c JOIN tenant_database d ON d.id = c.database_id
         WHERE d.server_id = ? AND c.cell_id = ? AND c.revoked_at IS NULL ORDER BY c.created_at, c.id`,
        [serverId, cellId],
      );
      return rows.map(toSharedUser);
    },
    async noteLimit(connectionIds, sessionsMax) {
      await pool.run(
        `UPDATE connection_user SET sessions_max = ? WHERE cell_id = ? AND id IN (${toMarks(connectionIds.length)})`,
        [sessionsMax, cellId, ...connectionIds],
      );
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
        ended.flatMap((endedSession) => [
          cellId,
          endedSession.databaseId,
          endedSession.connectionId,
          JSON.stringify({ bound: endedSession.bound, ...endedSession.detail }),
          endedSession.connectionId,
        ]),
      );
    },
  };
}

function toSharedUser(row: UserRow): SharedUser {
  return {
    id: row.id,
    databaseId: row.database_id,
    schemaName: row.schema_name,
    ownerId: row.owner_id,
    userName: row.user_name,
    sessionsMax: row.sessions_max === null ? null : Number(row.sessions_max),
    isLimited: Number(row.is_limited ?? 0) === 1,
    isMoving: row.location_state === 'moving',
  };
}
