import { databaseRecordKey, type TaskPayload, type TaskResult } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { introspectSchema } from '@rowhouse/mysql';
import { ensurePlatformAccount } from '../accounts/ensure-account.js';
import { grantOn } from '../accounts/recompute-grants.js';
import { withConnection } from '../servers/server-access.js';
import { lookApart } from '../snapshots/look-apart.js';
import type { WorkerContext } from '../worker-context.js';
import { readProbedServer } from './provision-database.js';

/** The account of one set of rights, with just its grants. Gateways hear of it by the change log. */
export async function grantRights(ctx: WorkerContext, payload: TaskPayload<'grant_rights'>): Promise<TaskResult<'grant_rights'>> {
  const { rights_hash: rightsHash, tables: rights, kind = 'query' } = payload;
  if (kind === 'query' && (rightsHash === '') !== (rights === null)) throw new AppError('internal.defect', { internal: 'an empty rights hash and no narrowing go together' });
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await readProbedServer(ctx, database.serverId);
  const userName = await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    const account = await ensurePlatformAccount(ctx, provisioner, { server, database, kind, rightsHash, rights });
    const opening = ctx.access.openMigrator(server, database, await ctx.directory.listAccounts(database.id));
    const live = await lookApart(opening, server.engine, (session) => introspectSchema(session, database.schemaName, server.engine));
    // Keys that read the same tables share an account; each of them may write others, which is not this account's matter.
    await grantOn(provisioner, database, { ...account, rights }, live);
    return account.userName;
  });
  const entry = await ctx.directory.announceAccounts(database.id);
  await ctx.changes.announce(entry, [databaseRecordKey(ctx.cellId, database.id)]);
  return { user_name: userName };
}
