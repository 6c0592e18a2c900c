import { setTimeout as pause } from 'node:timers/promises';
import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';
import { quoteAccount, accountName } from './account-statements.js';
import { endSessionsEverywhere } from './sessions/end-sessions.js';
import { ROUTINE_RIGHTS } from './grants/schema-rights.js';
import { adoptObjects, withWritableSchema } from './stored-objects.js';

const SCHEMAS_PER_READ = 200;
/**
 * The pause after each database in milliseconds. Without the pause, a starting worker would slow down a
 * server with thousands of databases.
 */
const REST_MS = 2;

export interface SecuredServer {
  readonly adopted: number;
  readonly dropped: number;
  readonly narrowed: number;
}

/**
 * Updates databases that an older version of Rowhouse created. The definer account becomes the DEFINER of all
 * routines and of everything that was deployed. Functions then no longer run with their caller's rights, and
 * owners can no longer create routines. Later starts find nothing to do.
 */
export async function secureServer(
  ctx: Pick<WorkerContext, 'access' | 'directory' | 'logger' | 'own'>,
  server: WorkerServer,
  signal: AbortSignal,
): Promise<SecuredServer> {
  const { narrowed, schemas, definers } = await withConnection(
    ctx.access.openProvisioner(server),
    async (provisioner) => {
      await setFunctionsSecure(provisioner);
      return { narrowed: await narrowOwners(ctx, provisioner, server), ...(await readSchemas(provisioner)) };
    },
  );
  let [adopted, dropped] = [0, 0];
  for (let index = 0; index < schemas.length; index += SCHEMAS_PER_READ) {
    for (const database of await ctx.directory.listDatabasesBySchema(
      server.id,
      schemas.slice(index, index + SCHEMAS_PER_READ),
    )) {
      if (signal.aborted) return { adopted, dropped, narrowed };
      if (database.isDeleted || database.provisionState !== 'ready') continue;
      const done = await adoptObjects(ctx, server, database, [
        accountName(database.schemaName, 'migrator', ''),
        ...(definers.get(database.schemaName) ?? []),
      ]);
      adopted += done.adopted;
      dropped += done.dropped.length;
      await pause(REST_MS);
    }
  }
  return { adopted, dropped, narrowed };
}

async function readSchemas(
  provisioner: AdminConnection,
): Promise<{ schemas: string[]; definers: Map<string, string[]> }> {
  const schemas = await provisioner.rows<{ name: string }>(
    "SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME REGEXP '^p[a-z2-7]+$'",
  );
  const rows = await provisioner.rows<{ name: string; definer: string }>(
    "SELECT DISTINCT ROUTINE_SCHEMA AS name, DEFINER AS definer FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA REGEXP '^p[a-z2-7]+$'",
  );
  const definers = new Map<string, string[]>();
  for (const { name, definer } of rows)
    definers.set(name, [...(definers.get(name) ?? []), definer.replace(/@%$/, '')]);
  return { schemas: schemas.map(({ name }) => name), definers };
}

/**
 * Makes functions SQL SECURITY DEFINER. A view would otherwise run such a function with the rights of any
 * account that opens the view.
 */
async function setFunctionsSecure(provisioner: AdminConnection): Promise<void> {
  const rows = await provisioner.rows<{ schema: string; name: string }>(
    `SELECT ROUTINE_SCHEMA AS \`schema\`, ROUTINE_NAME AS name FROM information_schema.ROUTINES
     WHERE ROUTINE_TYPE = 'FUNCTION' AND SECURITY_TYPE = 'INVOKER' AND ROUTINE_SCHEMA REGEXP '^p[a-z2-7]+$'`,
  );
  for (const { schema, name } of rows) {
    await withWritableSchema(provisioner, schema, () =>
      provisioner.run(`ALTER FUNCTION ${quoteName(schema)}.${quoteName(name)} SQL SECURITY DEFINER`),
    );
  }
}

/**
 * Revokes the rights on routines from owners and ends their sessions. A session keeps the rights on its
 * default schema that the account had at login.
 */
async function narrowOwners(
  ctx: Pick<WorkerContext, 'access' | 'directory'>,
  provisioner: AdminConnection,
  server: WorkerServer,
): Promise<number> {
  const owners = new Set(
    (await ctx.directory.listConnectionUsersOfServer(server.id)).map(({ userName }) => `'${userName}'@'%'`),
  );
  const rows = await provisioner.rows<{ grantee: string; name: string }>(
    "SELECT DISTINCT GRANTEE AS grantee, TABLE_SCHEMA AS name FROM information_schema.SCHEMA_PRIVILEGES WHERE PRIVILEGE_TYPE IN ('CREATE ROUTINE', 'ALTER ROUTINE')",
  );
  const wide = rows.filter(({ grantee }) => owners.has(grantee));
  for (const { grantee, name } of wide) {
    const userName = grantee.slice(1, -5);
    await provisioner.run(
      `REVOKE ${ROUTINE_RIGHTS.join(', ')} ON ${quoteName(name)}.* FROM ${quoteAccount(userName)}`,
    );
    await endSessionsEverywhere(ctx, provisioner, server, userName, { reach: 'members' });
  }
  return wide.length;
}
