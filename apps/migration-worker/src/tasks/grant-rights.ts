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

/**
 * The maximum time to wait for gateways, in milliseconds. It is longer than the lease of a gateway, so a dead
 * gateway does not extend the wait.
 */
const GATEWAYS_WAIT_MS = GATEWAY_LEASE_MS + 1_000;
const POLL_INTERVAL_MS = 20;

/**
 * Changes the grants of one account so that they match its rights exactly. Gateways are notified through the
 * change log.
 */
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
  // The promise is awaited below, unless another statement throws first.
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
    // Keys that read the same tables share an account. This account has no rights to write, even if the keys
    // do.
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
 * Waits until all live gateways have applied the entry. Afterwards, no gateway uses a right that is about to
 * be revoked.
 */
async function awaitGateways(
  { platform, cellId }: Pick<WorkerContext, 'cellId' | 'platform'>,
  seq: number,
): Promise<void> {
  const endsMs = performance.now() + GATEWAYS_WAIT_MS;
  // A gateway is up to date when it has applied this entry of the change log. It does not matter which
  // snapshots its running requests use.
  while ((await listLaggingGateways(platform, cellId, '', seq)).length > 0 && performance.now() < endsMs)
    await pause(POLL_INTERVAL_MS);
}
