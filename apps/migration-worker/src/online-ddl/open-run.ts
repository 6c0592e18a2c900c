import { AppError } from '@rowhouse/errors';
import type { AdminConnection } from '@rowhouse/mysql';
import type { ClaimedMigration, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { definerName, openDefiner } from '../accounts/definer-account.js';
import { endSessionsEverywhere, endSwaps } from '../accounts/sessions/end-sessions.js';
import { createLazyConnection, openPrepared } from '../servers/lazy-connection.js';
import { withConnection } from '../servers/server-access.js';
import { fingerprintSchema, listDiffering, toSnapshot } from '../snapshots/fingerprints.js';
import { emptySnapshot, readSnapshot } from '../snapshots/read-deployed.js';
import type { JobLease, WorkerContext } from '../worker-context.js';
import { withTransferredNames } from './named-settings.js';
import type { Run } from './run-state.js';
import { prepareShortLocks } from './locks/short-locks.js';
import { readProbedServer } from '../servers/read-probed-server.js';
import { readOn } from '../scratch/read-on.js';

/**
 * Opens a session for a run, calls `callback` and closes the session. If the migration was claimed before, it
 * first ends all sessions of the earlier worker on the server.
 */
export async function withRun<T>(
  ctx: WorkerContext,
  migration: ClaimedMigration,
  lease: JobLease,
  callback: (run: Run) => Promise<T>,
): Promise<T> {
  const database = withTransferredNames(
    await ctx.directory.readDatabase(migration.databaseId),
    migration.plan.hints,
  );
  const server = await readProbedServer(ctx, database.serverId);
  if (server.capabilities === null)
    throw new AppError('db.unavailable', { internal: `server ${server.id} was not probed` });
  const accounts = await ctx.directory.listAccounts(database.id);
  const migrator = accounts.find((account) => account.kind === 'migrator');
  if (migration.attempt > 1 && migrator !== undefined) {
    await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
      for (const userName of [migrator.userName, definerName(database.schemaName)]) {
        await endSessionsEverywhere(ctx, provisioner, server, userName, { reach: 'members' });
      }
      await endSwaps(provisioner, database.schemaName);
    });
  }
  const base = await readSnapshot(ctx, migration.databaseId, migration.baseNumber, server.engine);
  const target = await readTarget(ctx, migration, server, base);
  const planned = new Set(listDiffering(base, target));
  // Thread ids are unique only on one node, so a watcher that is connected to another node would see other
  // sessions. On the other nodes, DDL runs in total order isolation and waits for no lock.
  const capabilities =
    server.capabilities.cluster === 'galera'
      ? { ...server.capabilities, performanceSchema: false }
      : server.capabilities;
  const watcher = createLazyConnection(() => ctx.access.openProvisioner(server));
  const definer = createLazyConnection(() => openDefinerSession(ctx, migration, server, database.schemaName));
  try {
    return await withConnection(openSession(ctx, migration, server, database, accounts), (connection) =>
      callback({
        ctx,
        migration,
        lease,
        server,
        capabilities,
        database,
        accounts,
        connection,
        watcher,
        definer,
        state: { current: 'running', mayCancel: true },
        base,
        target,
        planned,
      }),
    );
  } finally {
    await definer.close();
    await watcher.close();
  }
}

/**
 * Opens the session first and then checks that this worker still holds the job. Another worker may claim the
 * job while this one connects.
 */
function openSession(
  ctx: Pick<WorkerContext, 'access' | 'migrations'>,
  migration: ClaimedMigration,
  server: WorkerServer,
  database: WorkerDatabase,
  accounts: Run['accounts'],
): Promise<AdminConnection> {
  return openPrepared(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    await ctx.migrations.assertHeld(migration);
    await prepareShortLocks(connection, server);
  });
}

function openDefinerSession(
  ctx: Pick<WorkerContext, 'access' | 'migrations' | 'own'>,
  migration: ClaimedMigration,
  server: WorkerServer,
  schemaName: string,
): Promise<AdminConnection> {
  return openPrepared(openDefiner(ctx, server, schemaName), async (session) => {
    await ctx.migrations.assertHeld(migration);
    await prepareShortLocks(session, server);
  });
}

/**
 * Returns the schema that the migration should produce. A plan for a revert names a snapshot. Otherwise it is
 * the draft of the revision, as this server describes it. The plan's hash shows whether the draft was created
 * on an equivalent server.
 */
async function readTarget(
  ctx: Pick<WorkerContext, 'access' | 'directory' | 'failPoint'>,
  migration: ClaimedMigration,
  server: WorkerServer,
  base: Snapshot,
): Promise<Snapshot> {
  const { targetNumber } = migration.plan;
  if (typeof targetNumber === 'number')
    return nameSnapshot(await readSnapshot(ctx, migration.databaseId, targetNumber, server.engine), base);
  const text =
    migration.revision === 0
      ? JSON.stringify(emptySnapshot(server.engine))
      : await ctx.directory.readWorkingSnapshot(migration.projectId, migration.revision);
  if (text === null)
    throw new AppError('internal.defect', {
      internal: `revision ${migration.revision} of ${migration.projectId} is missing`,
    });
  const draft = JSON.parse(text) as Snapshot;
  const named = nameSnapshot({ ...draft, engine: server.engine }, base);
  if (draft.engine === server.engine && fingerprintSchema(named) === migration.plan.targetHash) return named;
  const target = toSnapshot(await readOn(ctx, server, draft), base);
  if (fingerprintSchema(target) !== migration.plan.targetHash)
    throw new AppError('schema.stale_base', { internal: 'the draft is not what the plan leads to' });
  return target;
}
