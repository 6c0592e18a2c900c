import { sideSchemaName } from '@rowhouse/contracts';
import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { WorkerContext } from '../worker-context.js';
import { definerName } from './definer-account.js';
import { withWritableSchema } from './stored-objects.js';
import { removeAccount } from './remove-account.js';

/**
 * Removes a database from a server. All users are locked out first. Then both schemas, the accounts of
 * `userNames` and the definer account are dropped. The call can be repeated. If one account cannot be locked
 * out, all others are locked out before the first error is thrown.
 */
export async function dropDatabaseAndAccounts(
  ctx: Pick<WorkerContext, 'access'>,
  provisioner: AdminConnection,
  server: WorkerServer,
  schemaName: string,
  userNames: readonly string[],
): Promise<void> {
  const retained: string[] = [];
  const faults: unknown[] = [];
  for (const name of [...userNames, definerName(schemaName)]) {
    await removeAccount(ctx, provisioner, server, schemaName, name).then(
      ({ isDropped }) => (isDropped ? 0 : retained.push(name)),
      (error: unknown) => faults.push(error),
    );
  }
  if (faults.length > 0) throw faults[0];
  for (const schema of [schemaName, sideSchemaName(schemaName)]) {
    await withWritableSchema(provisioner, schema, () =>
      provisioner.run(`DROP DATABASE IF EXISTS ${quoteName(schema)}`),
    );
  }
  // These accounts can be dropped now, because their views and triggers were dropped with the schema.
  for (const name of retained) await removeAccount(ctx, provisioner, server, schemaName, name);
}
