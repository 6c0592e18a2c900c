import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import { quoteAccount } from '../account-statements.js';

/**
 * Grants or revokes INSERT for a connection user with write access.
 * Open sessions keep their rights until they reconnect.
 */
export async function setInsert(
  provisioner: AdminConnection,
  schemaName: string,
  userName: string,
  isAllowed: boolean,
): Promise<void> {
  const on = `INSERT ON ${quoteName(schemaName)}.*`;
  await provisioner.run(
    isAllowed ? `GRANT ${on} TO ${quoteAccount(userName)}` : `REVOKE ${on} FROM ${quoteAccount(userName)}`,
  );
}
