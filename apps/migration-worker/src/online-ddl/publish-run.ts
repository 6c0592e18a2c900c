import { AppError } from '@rowhouse/errors';
import { nameSnapshot, type RawSchema, type Snapshot } from '@rowhouse/schema-model';
import { encodeChanged } from '@rowhouse/snapshot-store';
import { listAccountsToRegrant, recomputeGrants } from '../accounts/recompute-grants.js';
import { withConnection } from '../servers/server-access.js';
import { listDiffering } from '../snapshots/fingerprints.js';
import { describeDirect } from '../snapshots/describe-direct.js';
import { publish } from '../snapshots/publish.js';
import { readDeployed } from '../snapshots/read-deployed.js';
import { withCarriedNames } from './keep-named-settings.js';
import { lookAtAll, type Run } from './run-state.js';

const OVERTAKEN_MAX = 5;

/**
 * After DDL and before publishing: query accounts by table and column follow what now stands. A run may take hours: accounts
 * and settings are those of now, since what was hidden meanwhile would else be granted again.
 */
export async function regrant(run: Run): Promise<void> {
  const database = withCarriedNames(await run.ctx.directory.readDatabase(run.database.id), run.migration.plan.hints);
  const accounts = listAccountsToRegrant(await run.ctx.directory.listAccounts(database.id), database);
  if (accounts.length === 0) return;
  const { tables } = await lookAtAll(run);
  await withConnection(run.ctx.access.openProvisioner(run.server), (provisioner) => recomputeGrants(provisioner, database, accounts, tables));
}

/** What stands, with the planned tables as they will be: gateways stop using what is about to go before it goes. */
export async function publishTarget(run: Run): Promise<void> {
  const live = await lookAtAll(run);
  const kept = live.tables.filter((table) => !run.planned.has(table.name));
  const coming = run.target.tables.filter((table) => run.planned.has(table.name));
  await publishSchema(run, { ...live, tables: [...kept, ...coming].sort((a, b) => (a.name < b.name ? -1 : 1)) }, 'migration');
}

/** What stands. Throws `schema.drift` when a planned table is not what the plan led to; what stands is published even so. */
export async function publishLive(run: Run): Promise<Snapshot> {
  const live = await publishWhatStands(run, 'migration');
  const differing = listDiffering(live, run.target, run.planned);
  if (differing.length > 0) {
    throw new AppError('schema.drift', { detail: `Something else changed ${differing.join(', ')} meanwhile.`, extra: { tables: differing } });
  }
  return live;
}

export async function publishWhatStands(run: Run, origin: 'migration' | 'direct'): Promise<Snapshot> {
  return publishSchema(run, await lookAtAll(run), origin);
}

/** Publishes unless the pointer names this very content already. Names stay where the published snapshot has them. */
async function publishSchema(run: Run, schema: RawSchema, origin: 'migration' | 'direct'): Promise<Snapshot> {
  for (let attempt = 0; attempt < OVERTAKEN_MAX; attempt += 1) {
    const database = await run.ctx.directory.readDatabase(run.database.id);
    const deployed = await readDeployed(run.ctx, database, run.server.engine);
    const snapshot = nameSnapshot(schema, deployed);
    const content = await encodeChanged(snapshot, database.snapshotHash);
    if (content === null) return snapshot;
    const history = origin === 'direct' ? await describeDirect(database, deployed, snapshot, '') : undefined;
    const outcome = await publish(run.ctx, { database, content, afterNumber: database.snapshotNumber, origin, migration: run.migration, ...(history === undefined ? {} : { history }) });
    if (outcome.kind === 'published') return snapshot;
  }
  throw new AppError('schema.busy', { internal: `${run.database.id} is published by others again and again` });
}
