import { MOVE_END_STATES } from '@rowhouse/contracts';
import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { DatabaseMove } from '../../platform-db/entities/database-move.js';
import { ServerRow } from '../../platform-db/entities/server-row.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import type { PlatformDb } from '../../platform-db/platform-db.js';

/**
 * How long deleted projects and databases can be restored, in milliseconds. Until then they count toward
 * limits.
 */
export const GRACE_MS = 7 * 86_400_000;

/**
 * Returns the row of a server and locks it, so that concurrent placements count each other. Returns null if
 * the server does not exist.
 */
export function lockServer(manager: EntityManager, cellId: string, id: string): Promise<ServerRow | null> {
  return manager
    .getRepository(ServerRow)
    .findOne({ where: { id, cellId }, lock: { mode: 'pessimistic_write' } });
}

/** The states of a move in which the database's `server_id` already names the new server. */
const ARRIVED = [...MOVE_END_STATES, 'settling'] as const;

/**
 * Returns how many more databases a locked server accepts, including databases that are moving to it. The
 * transaction must not read anything before the lock, or its count would be outdated.
 */
export async function countCapacity(manager: EntityManager, server: ServerRow): Promise<number> {
  const presentCount = await manager
    .getRepository(TenantDatabase)
    .countBy({ serverId: server.id, deletedAt: IsNull() });
  const arrivingCount = await manager
    .getRepository(DatabaseMove)
    .countBy({ cellId: server.cellId, toServerId: server.id, state: Not(In([...ARRIVED])) });
  return server.databasesMax - presentCount - arrivingCount;
}

/**
 * Returns the row of a database and locks it. Every change increments the version under this lock, because
 * gateways would confuse two changes with one version. The lock also makes concurrent additions count each
 * other.
 */
export function lockDatabase(manager: EntityManager, id: string): Promise<TenantDatabase> {
  return manager
    .getRepository(TenantDatabase)
    .findOneOrFail({ where: { id }, lock: { mode: 'pessimistic_write' } });
}

/**
 * Runs a transaction that counts objects of a project before adding one. Concurrent transactions see each
 * other, because all lock the row of the project's first database. A project without a database is not
 * locked. `lockAhead` takes locks that must be taken earlier, such as a server's, and must not read without a
 * lock. Its result is passed to `callback`.
 */
export async function inProject<T, L = undefined>(
  db: PlatformDb,
  projectId: string,
  callback: (manager: EntityManager, locked: L) => Promise<T>,
  lockAhead?: (manager: EntityManager) => Promise<L>,
): Promise<T> {
  // The row is found before the transaction begins, because the first read in a transaction determines its
  // snapshot.
  const [first] = await db.cell.query<{ id: string }[]>(
    'SELECT id FROM tenant_database WHERE project_id = ? AND cell_id = ? ORDER BY created_at, id LIMIT 1',
    [projectId, db.cellId],
  );
  return db.cellTransaction(async (manager) => {
    const locked = (await lockAhead?.(manager)) as L;
    if (first !== undefined)
      await manager.query('SELECT id FROM tenant_database WHERE id = ? FOR UPDATE', [first.id]);
    return callback(manager, locked);
  });
}
