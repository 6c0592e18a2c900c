import { AppError } from '@rowhouse/errors';
import type { EntityManager } from 'typeorm';
import { Organization } from '../../platform-db/entities/organization.js';
import { Membership } from '../../platform-db/entities/membership.js';

/** The maximum number of organizations of an account. Every response that describes the caller lists them. */
const ORGANIZATIONS_MAX = 200;

/**
 * Locks the row of an organization until the transaction ends, so that nothing is added while it is deleted.
 * Lock the account first if you need both locks. Throws `resource.not_found` if the organization no longer
 * exists.
 */
export async function lockOrganization(manager: EntityManager, id: string): Promise<Organization> {
  const found = await manager
    .getRepository(Organization)
    .findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  if (found === null)
    throw new AppError('resource.not_found', { detail: 'The organization does not exist.' });
  return found;
}

/** Throws `resource.conflict` when a locked account has reached the limit. */
export async function assertCapacityForOne(manager: EntityManager, accountId: string): Promise<void> {
  if ((await manager.getRepository(Membership).countBy({ accountId })) < ORGANIZATIONS_MAX) return;
  throw new AppError('resource.conflict', {
    detail: `An account can belong to at most ${ORGANIZATIONS_MAX} organizations.`,
    hint: 'Leave or delete one you no longer need.',
  });
}
