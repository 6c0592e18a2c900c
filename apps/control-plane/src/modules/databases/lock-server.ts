import { MOVE_END_STATES } from '@rowhouse/contracts';
import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { DatabaseMove } from '../../platform-db/entities/database-move.js';
import { ServerRow } from '../../platform-db/entities/server-row.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';

/** The server's row under its lock: of several that put a database on it, each counts those before it. Null when there is none. */
export function lockServer(manager: EntityManager, cellId: string, id: string): Promise<ServerRow | null> {
  return manager.getRepository(ServerRow).findOne({ where: { id, cellId }, lock: { mode: 'pessimistic_write' } });
}

/** They count where they lie. */
const ARRIVED = [...MOVE_END_STATES, 'settling'] as const;

/**
 * How many more databases a locked server takes, beside those on their way to it. The transaction must have read nothing
 * without a lock before: what it counts would be older than the lock.
 */
export async function countRoom(manager: EntityManager, server: ServerRow): Promise<number> {
  const lying = await manager.getRepository(TenantDatabase).countBy({ serverId: server.id, deletedAt: IsNull() });
  const coming = await manager.getRepository(DatabaseMove).countBy({ cellId: server.cellId, toServerId: server.id, state: Not(In([...ARRIVED])) });
  return server.databasesMax - lying - coming;
}
