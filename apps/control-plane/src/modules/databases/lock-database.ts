import type { EntityManager } from 'typeorm';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';

/**
 * Returns the locked row. Every change increments its version under this lock, because gateways would confuse
 * two changes with one version. It also lets concurrent additions count each other.
 */
export function lockDatabase(manager: EntityManager, id: string): Promise<TenantDatabase> {
  return manager
    .getRepository(TenantDatabase)
    .findOneOrFail({ where: { id }, lock: { mode: 'pessimistic_write' } });
}
