import { AppError } from '@rowhouse/errors';
import { IsNull, type EntityManager } from 'typeorm';
import { Account } from '../../platform-db/entities/account.js';
import type { PlatformDb } from '../../platform-db/platform-db.js';

/**
 * Locks the row of an account whose password was checked. Throws `auth.bad_credentials`, or the error of
 * `toError`, when the password has changed since or the account was disabled.
 */
export async function lockAccount(
  manager: EntityManager,
  { id, passwordHash }: Pick<Account, 'id' | 'passwordHash'>,
  toError: () => AppError = () => new AppError('auth.bad_credentials'),
): Promise<void> {
  const found = await manager
    .getRepository(Account)
    .findOne({ where: { id, passwordHash, disabledAt: IsNull() }, lock: { mode: 'pessimistic_write' } });
  if (found === null) throw toError();
}

/**
 * Returns the account with exactly this lower-case email address, or null. Attempts are counted by the
 * address as sent. If the collation's equal addresses were accepted (`änn@` for `ann@`), each would have a
 * separate counter.
 */
export async function findAccount(db: PlatformDb, email: string): Promise<Account | null> {
  const found = await db.global.getRepository(Account).findOneBy({ email });
  return found?.email === email ? found : null;
}
