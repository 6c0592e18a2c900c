import { AppError } from '@rowhouse/errors';
import type { EntityManager } from 'typeorm';
import { Membership } from '../../platform-db/entities/membership.js';

/** The maximum number of organizations of an account. Every call that describes the caller lists them. */
const ORGANIZATIONS_MAX = 200;

/** Throws `resource.conflict` when a locked account has reached the limit. */
export async function assertCapacityForOne(manager: EntityManager, accountId: string): Promise<void> {
  if ((await manager.getRepository(Membership).countBy({ accountId })) < ORGANIZATIONS_MAX) return;
  throw new AppError('resource.conflict', {
    detail: `An account belongs to at most ${ORGANIZATIONS_MAX} organizations.`,
    hint: 'Leave or delete one that is not needed.',
  });
}
