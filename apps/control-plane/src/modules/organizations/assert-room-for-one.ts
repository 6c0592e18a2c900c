import { AppError } from '@rowhouse/errors';
import type { EntityManager } from 'typeorm';
import { Membership } from '../../platform-db/entities/membership.js';

/** Every call of an account that asks who it is lists them. */
const ORGANIZATIONS_MAX = 200;

/** For a locked account. Throws `resource.conflict` where it belongs to as many organizations as it may. */
export async function assertRoomForOne(manager: EntityManager, accountId: string): Promise<void> {
  if ((await manager.getRepository(Membership).countBy({ accountId })) < ORGANIZATIONS_MAX) return;
  throw new AppError('resource.conflict', { detail: `An account belongs to at most ${ORGANIZATIONS_MAX} organizations.`, hint: 'Leave or delete one that is not needed.' });
}
