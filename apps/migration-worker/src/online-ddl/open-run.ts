import { AppError } from '@rowhouse/errors';
import type { AdminConnection } from '@rowhouse/mysql';
import type { ClaimedMigration, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { definerName, openDefiner } from '../accounts/definer-account.js';
import { endSessionsEverywhere, endSwaps } from '../accounts/end-sessions.js';
import { createLazyConnection } from '../servers/lazy-connection.js';
import { openPrepared } from '../servers/open-prepared.js';
import { withConnection } from '../servers/server-access.js';
import { fingerprintSchema, listDiffering, toSnapshot } from '../snapshots/fingerprints.js';
import { emptySnapshot, readSnapshot } from '../snapshots/read-deployed.js';
import { readProbedServer } from '../tasks/provision-database.js';
import { readOn } from '../tasks/read-on.js';
import type { JobLease, WorkerContext } from '../worker-context.js';
import { withCarriedNames } from './keep-named-settings.js';
import type { Run } from './run-state.js';
import { prepareShortLocks } from './short-locks.js';

/** Opens a run, works and closes its session. A second claim first ends whatever an earlier worker still has on the server. */
export async function withRun<T>(ctx: WorkerContext, migration: ClaimedMigration, lease: JobLease, work: (run: Run) => Promise<T>): Promise<T> {
  const database = withCarriedNames(await ctx.directory.readDatabase(migration.databaseId), migration.plan.hints);
  const server = await readProbedServer(ctx, database.serverId);
  if (server.capabilities === null) throw new AppError('db.unavailable', { internal: `server ${server.id} was not probed` });
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
  // Threads are those of one node: what a watcher sees on another is somebody else's. DDL in total order waits for nobody there.
  const capabilities = server.capabilities.cluster === 'galera' ? { ...server.capabilities, performanceSchema: false } : server.capabilities;
  const watcher = createLazyConnection(() => ctx.access.openProvisioner(server));
  const definer = createLazyConnection(() => openDefinerSession(ctx, migration, server, database.schemaName));
  try {
    return await withConnection(openSession(ctx, migration, server, database, accounts), (connection) =>
      work({ ctx, migration, lease, server, capabilities, database, accounts, connection, watcher, definer, state: { current: 'running', mayCancel: true }, base, target, planned }),
    );
  } finally {
    await definer.close();
    await watcher.close();
  }
}

/** First the session, then the look at the token: a worker that was overtaken before it connected finds out here. */
function openSession(ctx: WorkerContext, migration: ClaimedMigration, server: WorkerServer, database: WorkerDatabase, accounts: Run['accounts']): Promise<AdminConnection> {
  return openPrepared(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    await ctx.migrations.assertHeld(migration);
    await prepareShortLocks(connection, server);
  });
}

function openDefinerSession(ctx: WorkerContext, migration: ClaimedMigration, server: WorkerServer, schemaName: string): Promise<AdminConnection> {
  return openPrepared(openDefiner(ctx, server, schemaName), async (session) => {
    await ctx.migrations.assertHeld(migration);
    await prepareShortLocks(session, server);
  });
}

/** On the way back the snapshot that the plan names; else the revision's draft as this server describes it; the plan's hash tells whether it was drafted on one that speaks alike. */
async function readTarget(ctx: WorkerContext, migration: ClaimedMigration, server: WorkerServer, base: Snapshot): Promise<Snapshot> {
  const { targetNumber } = migration.plan;
  if (typeof targetNumber === 'number') return nameSnapshot(await readSnapshot(ctx, migration.databaseId, targetNumber, server.engine), base);
  const text = migration.revision === 0 ? JSON.stringify(emptySnapshot(server.engine)) : await ctx.directory.readWorkingSnapshot(migration.projectId, migration.revision);
  if (text === null) throw new AppError('internal.defect', { internal: `revision ${migration.revision} of ${migration.projectId} is missing` });
  const draft = JSON.parse(text) as Snapshot;
  const named = nameSnapshot({ ...draft, engine: server.engine }, base);
  if (draft.engine === server.engine && fingerprintSchema(named) === migration.plan.targetHash) return named;
  const target = toSnapshot(await readOn(ctx, server, draft), base);
  if (fingerprintSchema(target) !== migration.plan.targetHash) throw new AppError('schema.stale_base', { internal: 'the draft is not what the plan leads to' });
  return target;
}
