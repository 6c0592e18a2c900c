import { sideSchemaName } from '@rowhouse/contracts';
import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { WorkerContext } from '../worker-context.js';
import { removeAccount } from './remove-account.js';

/** A database's place on a server: everybody is shut out first, then both schemas and the accounts go. Safe to run again. */
export async function removePlace(ctx: Pick<WorkerContext, 'access'>, provisioner: AdminConnection, server: WorkerServer, schemaName: string, userNames: readonly string[]): Promise<void> {
  const kept: string[] = [];
  for (const name of userNames) if (!(await removeAccount(ctx, provisioner, server, schemaName, name)).isDropped) kept.push(name);
  for (const schema of [schemaName, sideSchemaName(schemaName)]) await provisioner.run(`DROP DATABASE IF EXISTS ${quoteName(schema)}`);
  // Their views and triggers went with the schema.
  for (const name of kept) await removeAccount(ctx, provisioner, server, schemaName, name);
}
