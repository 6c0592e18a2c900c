import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import { quoteAccount } from '../account-statements.js';

/**
 * The rights that add rows or tables, by role. A new table may take gigabytes at once (AUTOEXTEND_SIZE on
 * MySQL).
 */
const GROWTH_RIGHTS: ReadonlyMap<string, string> = new Map([
  ['owner', 'INSERT, CREATE'],
  ['read-write', 'INSERT'],
]);

/**
 * Grants or revokes the rights of a connection user that let its database grow.
 * Open sessions keep their rights until they reconnect.
 */
export async function setGrowth(
  provisioner: AdminConnection,
  schemaName: string,
  user: { readonly userName: string; readonly role: string },
  isAllowed: boolean,
): Promise<void> {
  const rights = GROWTH_RIGHTS.get(user.role);
  if (rights === undefined) return;
  const on = `${rights} ON ${quoteName(schemaName)}.*`;
  const account = quoteAccount(user.userName);
  await provisioner.run(isAllowed ? `GRANT ${on} TO ${account}` : `REVOKE ${on} FROM ${account}`);
}
