import { AppError } from '@rowhouse/errors';
import { IsNull, type EntityManager } from 'typeorm';
import { Account } from '../../platform-db/entities/account.js';

/**
 * Locks the row of an account whose password was checked. Throws `auth.bad_credentials`, or the error of
 * `reject`, when the password has changed since or the account was disabled.
 */
export async function lockAccount(
  manager: EntityManager,
  { id, passwordHash }: Pick<Account, 'id' | 'passwordHash'>,
  refuse: () => AppError = () => new AppError('auth.bad_credentials'),
): Promise<void> {
  const found = await manager
    .getRepository(Account)
    .findOne({ where: { id, passwordHash, disabledAt: IsNull() }, lock: { mode: 'pessimistic_write' } });
  if (found === null) throw refuse();
}
