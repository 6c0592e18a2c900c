import { AppError } from '@rowhouse/errors';
import type { EntityManager } from 'typeorm';
import { Organization } from '../../platform-db/entities/organization.js';

/**
 * Locks the row of an organization until the transaction ends, so that nothing is added while it is deleted.
 * Lock the account first if both are needed. Throws `resource.not_found` if it is gone.
 */
export async function lockOrganization(manager: EntityManager, id: string): Promise<Organization> {
  const found = await manager
    .getRepository(Organization)
    .findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  if (found === null) throw new AppError('resource.not_found', { detail: 'There is no such organization.' });
  return found;
}
