import { Account } from '../../platform-db/entities/account.js';
import type { PlatformDb } from '../../platform-db/platform-db.js';

/**
 * The account of exactly this e-mail address, in small letters; null where there is none. Attempts are counted by the address
 * as it was sent: one that a collation takes for the same (`änn@` for `ann@`) would have attempts of its own.
 */
export async function findAccount(db: PlatformDb, email: string): Promise<Account | null> {
  const found = await db.global.getRepository(Account).findOneBy({ email });
  return found?.email === email ? found : null;
}
