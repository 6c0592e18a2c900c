import {
  IDEMPOTENCY_TABLE,
  IDEMPOTENCY_TABLE_BODY,
  sideSchemaName,
  type TaskPayload,
  type TaskResult,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { probeCapabilities, quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { quoteAccount, ACCOUNT_SPECS } from '../accounts/account-statements.js';
import { ensurePlatformAccount } from '../accounts/ensure-account.js';
import { ensureDefiner } from '../accounts/definer-account.js';
import { withConnection } from '../servers/server-access.js';
import { emptySnapshot } from '../snapshots/read-deployed.js';
import { publish } from '../snapshots/publish.js';
import { createValueTable } from '../values/value-table.js';
import type { WorkerContext, DatabaseAccess } from '../worker-context.js';
import { dropDatabaseAndAccounts } from '../accounts/drop-database-and-accounts.js';

const NAME_FORM = /^[a-z][a-z0-9]{1,23}$/;

/**
 * Creates the schema, its side schema, its accounts and snapshot 1. Every step may run again after a crash.
 */
export async function provisionDatabase(
  ctx: WorkerContext,
  payload: TaskPayload<'provision_database'>,
): Promise<TaskResult<'provision_database'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  if (database.isDeleted) throw new AppError('resource.not_found', { detail: 'The database was deleted.' });
  const server = await readProbedServer(ctx, database.serverId);
  await makeSchemasAndAccounts(ctx, server, database);
  ctx.failPoint('provision-before-publish');
  if (database.snapshotNumber === 0) {
    await publish(ctx, {
      database,
      content: await encodeSnapshot(emptySnapshot(server.engine)),
      afterNumber: 0,
      origin: 'provision',
      marksReady: true,
    });
  }
  ctx.failPoint('provision-done');
  return { schema_name: database.schemaName };
}

export async function makeSchemasAndAccounts(
  ctx: Pick<WorkerContext, 'access' | 'box' | 'directory' | 'failPoint'>,
  server: WorkerServer,
  database: WorkerDatabase,
): Promise<void> {
  // `_` and `%` are wildcards in GRANT: a name with one of them would open other tenants' schemas.
  if (!NAME_FORM.test(database.schemaName))
    throw new AppError('internal.defect', {
      internal: `schema name ${database.schemaName} of ${database.id}`,
    });
  await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    await makeSchemas(provisioner, database.schemaName);
    ctx.failPoint('provision-schemas-made');
    await makeAccounts(ctx, provisioner, server, database);
  });
}

/** Returns the server with its capabilities, and probes it if that was never done. */
export async function readProbedServer(ctx: DatabaseAccess, serverId: string): Promise<WorkerServer> {
  const server = await ctx.directory.readServer(serverId);
  if (server.capabilities !== null) return server;
  const capabilities = await withConnection(ctx.access.openProvisioner(server), probeCapabilities);
  await ctx.directory.writeCapabilities(serverId, capabilities);
  return ctx.directory.readServer(serverId);
}

async function makeSchemas(provisioner: AdminConnection, schemaName: string): Promise<void> {
  const side = sideSchemaName(schemaName);
  for (const name of [schemaName, side]) {
    await provisioner.run(
      `CREATE DATABASE IF NOT EXISTS ${quoteName(name)} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`,
    );
  }
  await provisioner.run(
    `CREATE TABLE IF NOT EXISTS ${quoteName(side)}.${quoteName(IDEMPOTENCY_TABLE)} ${IDEMPOTENCY_TABLE_BODY}`,
  );
}

async function makeAccounts(
  ctx: Pick<WorkerContext, 'box' | 'directory' | 'failPoint'>,
  provisioner: AdminConnection,
  server: WorkerServer,
  database: WorkerDatabase,
): Promise<void> {
  await createValueTable(provisioner, database.schemaName);
  await ensureDefiner(provisioner, server, database.schemaName);
  for (const kind of ['rows', 'query', 'migrator'] as const) {
    const account = await ensurePlatformAccount(ctx, provisioner, {
      server,
      database,
      kind,
      rightsHash: '',
      rights: null,
    });
    const grants =
      kind === 'query'
        ? [{ object: `${quoteName(database.schemaName)}.*`, rights: 'SELECT' }]
        : ACCOUNT_SPECS[kind].grants(database.schemaName);
    for (const { object, rights } of grants)
      await provisioner.run(`GRANT ${rights} ON ${object} TO ${quoteAccount(account.userName)}`);
  }
}

/** Locks out all users first, then drops both schemas and the accounts. Safe to run again. */
export async function dropDatabase(
  ctx: Pick<WorkerContext, 'access' | 'directory' | 'failPoint' | 'values'>,
  payload: TaskPayload<'drop_database'>,
): Promise<TaskResult<'drop_database'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await ctx.directory.readServer(database.serverId);
  const accounts = await ctx.directory.listAccounts(database.id);
  const users = await ctx.directory.listConnectionUsers(database.id);
  const names = [...accounts.map((account) => account.userName), ...users.map((user) => user.userName)];
  await withConnection(ctx.access.openProvisioner(server), (provisioner) =>
    dropDatabaseAndAccounts(ctx, provisioner, server, database.schemaName, names),
  );
  ctx.failPoint('drop-before-rows');
  await ctx.directory.deleteAccounts(database.id);
  await ctx.values.remove(database.id);
  return {};
}
