import { type AdminConnection } from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { accountSecretPurpose, type AccountRecord, type TableRights } from '@rowhouse/contracts';
import { generatePassword } from '@rowhouse/credentials';
import type { WorkerContext } from '../worker-context.js';
import { platformAccountStatements, ACCOUNT_SPECS, accountName } from './account-statements.js';

/**
 * Ensures that the platform's account exists on the tenant's server. Its row with the secret is written
 * first, and the account is then created with this secret. A later run can therefore complete an interrupted
 * one.
 */
export async function ensurePlatformAccount(
  ctx: Pick<WorkerContext, 'directory' | 'box' | 'failPoint'>,
  provisioner: AdminConnection,
  target: {
    readonly server: WorkerServer;
    readonly database: WorkerDatabase;
    readonly kind: AccountRecord['kind'];
    readonly rightsHash: string;
    readonly rights: TableRights | null;
  },
): Promise<WorkerAccount> {
  const { server, database, kind, rightsHash } = target;
  const purpose = accountSecretPurpose(database.id, kind, rightsHash);
  const account = await ctx.directory.ensureAccount({
    databaseId: database.id,
    kind,
    rightsHash,
    userName: accountName(database.schemaName, kind, rightsHash),
    secretSealed: ctx.box.seal(generatePassword(), purpose),
    rights: target.rights,
  });
  ctx.failPoint(`account-row-${kind}`);
  const password = ctx.box.open(account.secretSealed, purpose);
  for (const statement of platformAccountStatements(server, account.userName, password, ACCOUNT_SPECS[kind]))
    await provisioner.run(statement);
  ctx.failPoint(`account-made-${kind}`);
  return account;
}
