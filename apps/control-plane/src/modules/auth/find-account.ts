import { Account } from '../../platform-db/entities/account.js';
import type { PlatformDb } from '../../platform-db/platform-db.js';

/**
 * Returns the account with exactly this lower-case email address, or null. Attempts are counted by the
 * address as sent. An address that a collation treats as equal (`änn@` for `ann@`) would otherwise have a
 * separate counter.
 */
export async function findAccount(db: PlatformDb, email: string): Promise<Account | null> {
  const found = await db.global.getRepository(Account).findOneBy({ email });
  return found?.email === email ? found : null;
}
