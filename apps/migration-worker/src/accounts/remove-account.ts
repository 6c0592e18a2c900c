import {
  NO_SUCH_GRANT,
  NO_SUCH_TABLE_GRANT,
  CANNOT_REVOKE_ALL,
  CANNOT_CREATE_ACCOUNT_BY_GRANT,
} from '@rowhouse/errors';
import { generatePassword } from '@rowhouse/credentials';
import { quoteName, quoteText, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { quoteAccount } from './account-statements.js';
import { endAbandoned } from './sessions/prepared-transactions.js';
import type { WorkerContext } from '../worker-context.js';
import { endSessionsEverywhere, type EndedSessions } from './sessions/end-sessions.js';
import { RIGHTS_BEYOND_DEFINER } from './grants/schema-rights.js';
import { isDefiner } from './stored-objects.js';

/** Errors that mean that the account has no rights on the schema, or does not exist. */
const NOTHING_TO_REVOKE: ReadonlySet<number> = new Set([
  NO_SUCH_GRANT,
  NO_SUCH_TABLE_GRANT,
  CANNOT_REVOKE_ALL,
  CANNOT_CREATE_ACCOUNT_BY_GRANT,
]);

/**
 * Locks an account, replaces its password, ends its sessions and prepared transactions, and drops it. If a view, trigger or routine
 * names the account as DEFINER, the account is not dropped, because the object would fail without it (error
 * 1449). The account then has no more rights than the definer account.
 *
 * Safe to run again. `ended` lists the sessions that `blockUsers` has already ended. Throws `db.unavailable`
 * while a node does not answer, since its sessions may continue.
 */
export async function removeAccount(
  ctx: Pick<WorkerContext, 'access'>,
  provisioner: AdminConnection,
  server: WorkerServer,
  schemaName: string,
  userName: string,
  ended?: EndedSessions,
): Promise<{ sessionsKilled: number; isDropped: boolean }> {
  const account = quoteAccount(userName);
  await provisioner.run(`ALTER USER IF EXISTS ${account} ACCOUNT LOCK`);
  await provisioner.run(`ALTER USER IF EXISTS ${account} IDENTIFIED BY ${quoteText(generatePassword())}`);
  const sessionsKilled = await endSessionsEverywhere(ctx, provisioner, server, userName, {
    reach: 'all',
    ...(ended === undefined ? {} : { before: ended }),
  });
  await endAbandoned(provisioner, server);
  const isDropped = !(await isDefiner(ctx, server, schemaName, userName));
  if (isDropped) await provisioner.run(`DROP USER IF EXISTS ${account}`);
  else await reduceRights(provisioner, schemaName, account);
  return { sessionsKilled, isDropped };
}

/** Reduces the account's rights, so that its objects run with no more rights than deployed objects have. */
async function reduceRights(
  provisioner: AdminConnection,
  schemaName: string,
  account: string,
): Promise<void> {
  try {
    await provisioner.run(`REVOKE ${RIGHTS_BEYOND_DEFINER} ON ${quoteName(schemaName)}.* FROM ${account}`);
  } catch (error) {
    if (!NOTHING_TO_REVOKE.has(readServerFault(error)?.errno ?? 0)) throw error;
  }
}
