import type { EntityManager } from 'typeorm';
import type { PlatformDb } from '../../platform-db/platform-db.js';

/**
 * A transaction of somebody who counts what a project has before adding to it: of several at once, each counts those
 * before it, since all hold the row of the project's first database. A project without one is held by nobody.
 * `lockAhead` takes the locks that come before, a server's, and reads nothing without one; `work` is given what it answers.
 */
export async function inProject<T, L = undefined>(db: PlatformDb, projectId: string, work: (manager: EntityManager, locked: L) => Promise<T>, lockAhead?: (manager: EntityManager) => Promise<L>): Promise<T> {
  // Found outside: what a transaction reads before it has the lock is what it goes on to read.
  const [first] = await db.cell.query<{ id: string }[]>('SELECT id FROM tenant_database WHERE project_id = ? AND cell_id = ? ORDER BY created_at, id LIMIT 1', [projectId, db.cellId]);
  return db.cellTransaction(async (manager) => {
    const locked = (await lockAhead?.(manager)) as L;
    if (first !== undefined) await manager.query('SELECT id FROM tenant_database WHERE id = ? FOR UPDATE', [first.id]);
    return work(manager, locked);
  });
}
