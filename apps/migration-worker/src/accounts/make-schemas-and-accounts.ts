import { IDEMPOTENCY_TABLE, IDEMPOTENCY_TABLE_BODY, sideSchemaName } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { withConnection } from '../servers/server-access.js';
import { createValueTable } from '../values/value-table.js';
import type { WorkerContext } from '../worker-context.js';
import { ACCOUNT_SPECS, quoteAccount } from './account-statements.js';
import { ensureDefiner } from './definer-account.js';
import { ensurePlatformAccount } from './ensure-account.js';

const NAME_FORM = /^[a-z][a-z0-9]{1,23}$/;

/**
 * Creates the schema of a database, its side schema and its accounts. The call can be repeated after a
 * crash.
 */
export async function makeSchemasAndAccounts(
  ctx: Pick<WorkerContext, 'access' | 'box' | 'directory' | 'failPoint'>,
  server: WorkerServer,
  database: WorkerDatabase,
): Promise<void> {
  // `_` and `%` are wildcards in GRANT. A schema name with one of them would give access to other tenants'
  // schemas.
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
