import type { EntityManager } from 'typeorm';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';

/**
 * The row under its lock: whoever changes it takes the version after this one. Two changes of one version would let a
 * gateway take the first for the second. Of several that add something to the database, each counts those before it.
 */
export function lockDatabase(manager: EntityManager, id: string): Promise<TenantDatabase> {
  return manager.getRepository(TenantDatabase).findOneOrFail({ where: { id }, lock: { mode: 'pessimistic_write' } });
}
