import { AppError } from '@rowhouse/errors';
import type { EntityManager } from 'typeorm';
import { Organization } from '../../platform-db/entities/organization.js';

/**
 * Locks the row of an organization until the transaction ends: nothing is put into one that is being deleted. Who locks an
 * account as well does that first. Throws `resource.not_found` where it is gone.
 */
export async function lockOrganization(manager: EntityManager, id: string): Promise<Organization> {
  const found = await manager.getRepository(Organization).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  if (found === null) throw new AppError('resource.not_found', { detail: 'There is no such organization.' });
  return found;
}
