import { setTimeout as pause } from 'node:timers/promises';
import { databaseRecordKey, GATEWAY_LEASE_MS, type TaskPayload, type TaskResult } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { introspectSchema } from '@rowhouse/mysql';
import { listLaggingGateways } from '@rowhouse/platform-store';
import { ensurePlatformAccount } from '../accounts/ensure-account.js';
import { grantOn } from '../accounts/grants/recompute-grants.js';
import { withConnection } from '../servers/server-access.js';
import { inspectSeparately } from '../snapshots/inspect-schema.js';
import type { WorkerContext } from '../worker-context.js';
import { readProbedServer } from '../servers/read-probed-server.js';

/** The maximum wait for gateways. It is longer than a lease, so a dead gateway does not count. */
const GATEWAYS_WAIT_MS = GATEWAY_LEASE_MS + 1_000;
const POLL_INTERVAL_MS = 20;

/** Sets the account of one set of rights to exactly its grants. Gateways learn of it by the change log. */
export async function grantRights(
  ctx: WorkerContext,
  payload: TaskPayload<'grant_rights'>,
): Promise<TaskResult<'grant_rights'>> {
  const { rights_hash: rightsHash, tables: rights, kind = 'query', ahead, after_seq: afterSeq } = payload;
  if (kind === 'query' && (rightsHash === '') !== (rights === null))
    throw new AppError('internal.defect', { internal: 'an empty rights hash and no narrowing go together' });
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await readProbedServer(ctx, database.serverId);

  const applied = afterSeq === undefined ? Promise.resolve() : awaitGateways(ctx, afterSeq);
  // Awaited below, unless something else fails earlier.
  applied.catch(() => undefined);

  async function announce(): Promise<number> {
    const entry = await ctx.directory.announceAccounts(database.id);
    await ctx.changes.announce(entry, [databaseRecordKey(ctx.cellId, database.id)]);
    return entry.seq;
  }

  async function beforeRevoking({ newSessions }: { readonly newSessions: boolean }): Promise<boolean> {
    if (ahead !== undefined) return false;
    await applied;
    if (newSessions) await awaitGateways(ctx, await announce());
    return true;
  }

  const userName = await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    const account = await ensurePlatformAccount(ctx, provisioner, {
      server,
      database,
      kind,
      rightsHash,
      rights,
    });
    const opening = ctx.access.openMigrator(server, database, await ctx.directory.listAccounts(database.id));
    const live = await inspectSeparately(opening, server.engine, (session) =>
      introspectSchema(session, database.schemaName, server.engine),
    );
    // Keys that read the same tables share an account. Their rights to write do not belong to this account.
    await grantOn(provisioner, database, { ...account, rights }, live, {
      beforeRevoking,
      ...(ahead === undefined ? {} : { hidden: ahead }),
    });
    return account.userName;
  });
  await applied;
  await announce();
  return { user_name: userName };
}

/**
 * Waits until every live gateway has applied the entry, so that no gateway still uses a right
 * that is about to be revoked.
 */
async function awaitGateways(
  { platform, cellId }: Pick<WorkerContext, 'cellId' | 'platform'>,
  seq: number,
): Promise<void> {
  const endsMs = performance.now() + GATEWAYS_WAIT_MS;
  // Only the watermark matters here, not which snapshot a request uses.
  while ((await listLaggingGateways(platform, cellId, '', seq)).length > 0 && performance.now() < endsMs)
    await pause(POLL_INTERVAL_MS);
}
