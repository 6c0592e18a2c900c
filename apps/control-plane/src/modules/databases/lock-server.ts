import { MOVE_END_STATES } from '@rowhouse/contracts';
import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { DatabaseMove } from '../../platform-db/entities/database-move.js';
import { ServerRow } from '../../platform-db/entities/server-row.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';

/**
 * Returns the locked row of a server, so that concurrent placements count each other. Null if it does not
 * exist.
 */
export function lockServer(manager: EntityManager, cellId: string, id: string): Promise<ServerRow | null> {
  return manager
    .getRepository(ServerRow)
    .findOne({ where: { id, cellId }, lock: { mode: 'pessimistic_write' } });
}

/** In these states, the database counts on its current server. */
const ARRIVED = [...MOVE_END_STATES, 'settling'] as const;

/**
 * Returns how many more databases a locked server accepts, taking arriving ones into account. The transaction
 * must not have read anything before the lock, or its count would be outdated.
 */
export async function countCapacity(manager: EntityManager, server: ServerRow): Promise<number> {
  const lying = await manager
    .getRepository(TenantDatabase)
    .countBy({ serverId: server.id, deletedAt: IsNull() });
  const coming = await manager
    .getRepository(DatabaseMove)
    .countBy({ cellId: server.cellId, toServerId: server.id, state: Not(In([...ARRIVED])) });
  return server.databasesMax - lying - coming;
}
