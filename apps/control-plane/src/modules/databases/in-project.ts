import type { EntityManager } from 'typeorm';
import type { PlatformDb } from '../../platform-db/platform-db.js';

/**
 * Runs a transaction that counts objects of a project before adding one. Concurrent transactions see each
 * other, because all lock the row of the project's first database. A project without a database is not
 * locked. `lockAhead` takes locks that must come before, such as a server's, and must not read without a
 * lock. Its result is passed to `callback`.
 */
export async function inProject<T, L = undefined>(
  db: PlatformDb,
  projectId: string,
  callback: (manager: EntityManager, locked: L) => Promise<T>,
  lockAhead?: (manager: EntityManager) => Promise<L>,
): Promise<T> {
  // The row is found outside, because the first read of a transaction determines its snapshot.
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
