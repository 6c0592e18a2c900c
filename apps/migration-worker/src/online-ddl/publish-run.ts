import { AppError } from '@rowhouse/errors';
import { nameSnapshot, type RawSchema, type Snapshot } from '@rowhouse/schema-model';
import { encodeChanged } from '@rowhouse/snapshot-store';
import { listAccountsToRegrant, recomputeGrants } from '../accounts/grants/recompute-grants.js';
import { withConnection } from '../servers/server-access.js';
import { listDiffering } from '../snapshots/fingerprints.js';
import { describeDirect } from '../snapshots/describe-direct.js';
import { publish } from '../snapshots/publish.js';
import { readDeployed } from '../snapshots/read-deployed.js';
import { withTransferredNames } from './named-settings.js';
import { assertMayContinue, inspectAll, withPlannedTables, type Run } from './run-state.js';
import { setTimeout as pause } from 'node:timers/promises';
import { listLaggingGateways } from '@rowhouse/platform-store';

const POLL_INTERVAL_MS = 20;

/**
 * The maximum wait for gateways in milliseconds. Streams on an old snapshot end after 60 s, and the lease of
 * a dead gateway expires after 5 s.
 */
const DEADLINE_MS = 75_000;

const OVERTAKEN_MAX = 5;

/**
 * Updates the column and table grants of the accounts for queries. It runs between DDL and publishing. A run
 * may take hours, so the current accounts and settings are read again; older settings would grant columns
 * that were hidden during the run.
 */
export async function regrant(run: Run): Promise<void> {
  const database = withTransferredNames(
    await run.ctx.directory.readDatabase(run.database.id),
    run.migration.plan.hints,
  );
  const accounts = listAccountsToRegrant(await run.ctx.directory.listAccounts(database.id), database);
  if (accounts.length === 0) return;
  const { tables } = await inspectAll(run);
  await withConnection(run.ctx.access.openProvisioner(run.server), (provisioner) =>
    recomputeGrants(provisioner, database, accounts, tables),
  );
}

/**
 * Publishes the current schema with the planned tables in their target form. Gateways then stop using objects
 * before the run drops them.
 */
export async function publishTarget(run: Run): Promise<void> {
  await publishSchema(run, withPlannedTables(run, await inspectAll(run)), 'migration');
}

/**
 * Publishes the current schema. If a planned table differs from the plan's result, publishes the schema
 * anyway and then throws `schema.drift`.
 */
export async function publishLive(run: Run): Promise<Snapshot> {
  const live = await publishCurrentSchema(run, 'migration');
  const differing = listDiffering(live, run.target, run.planned);
  if (differing.length > 0) {
    throw new AppError('schema.drift', {
      detail: `${differing.join(', ')} changed during this migration.`,
      extra: { tables: differing },
    });
  }
  return live;
}

export async function publishCurrentSchema(run: Run, origin: 'migration' | 'direct'): Promise<Snapshot> {
  return publishSchema(run, await inspectAll(run), origin);
}

/**
 * Publishes the schema unless it is already published. Names in the API stay as in the published snapshot.
 */
async function publishSchema(run: Run, schema: RawSchema, origin: 'migration' | 'direct'): Promise<Snapshot> {
  for (let attempt = 0; attempt < OVERTAKEN_MAX; attempt += 1) {
    const database = await run.ctx.directory.readDatabase(run.database.id);
    const deployed = await readDeployed(run.ctx, database, run.server.engine);
    const snapshot = nameSnapshot(schema, deployed);
    const content = await encodeChanged(snapshot, database.snapshotHash);
    if (content === null) return snapshot;
    const history = origin === 'direct' ? await describeDirect(database, deployed, snapshot, '') : undefined;
    const outcome = await publish(run.ctx, {
      database,
      content,
      afterNumber: database.snapshotNumber,
      origin,
      migration: run.migration,
      ...(history === undefined ? {} : { history }),
    });
    if (outcome.kind === 'published') return snapshot;
  }
  throw new AppError('schema.busy', {
    internal: `other processes repeatedly published a schema of ${run.database.id}`,
  });
}

/**
 * Waits until no live gateway of the cell can still send a statement of an older snapshot of
 * this database. The head of the change log is not older than the published entry, so waiting
 * for the head includes that entry.
 */
export async function awaitAcknowledgement(run: Run): Promise<void> {
  const { ctx, database } = run;
  const [head] = await ctx.platform.rows<{ last_seq: number }>(
    'SELECT last_seq FROM change_log_head WHERE cell_id = ?',
    [ctx.cellId],
  );
  const seq = Number(head?.last_seq ?? 0);
  const endsAt = performance.now() + DEADLINE_MS;
  for (let check = 1; ; check += 1) {
    const lagging = await listLaggingGateways(ctx.platform, ctx.cellId, database.id, seq);
    if (lagging.length === 0) return;
    if (performance.now() > endsAt)
      throw new AppError('db.timeout', {
        detail: 'A gateway still used the old schema at the end of the waiting time.',
        internal: lagging.join(', '),
      });
    if (check % 50 === 0) await assertMayContinue(run);
    await pause(POLL_INTERVAL_MS);
  }
}
