import { prepareSnapshot, withdrawPrepared } from '@rowhouse/platform-store';
import { introspectSchema } from '@rowhouse/mysql';
import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { withScratch } from '../scratch/scratch-database.js';
import { loadDeployed, trySteps } from '../scratch/try-steps.js';
import { toSnapshot } from '../snapshots/fingerprints.js';
import { readDeployed } from '../snapshots/read-deployed.js';
import { inspectAll, withPlannedTables, type Run } from './run-state.js';

/**
 * Sends gateways the schema that will exist after this step, before the step runs. A gateway then has two
 * schemas. If a name does not exist in one of them, it plans the request with the other.
 */
export async function preparePair(run: Run, stepIndex: number): Promise<void> {
  const { ctx, migration } = run;
  const schema = await predict(run, stepIndex);
  const database = await ctx.directory.readDatabase(run.database.id);
  const deployed = await readDeployed(ctx, database, run.server.engine);
  const { contentHash, body } = await encodeSnapshot(nameSnapshot(schema, deployed));
  const entry = await prepareSnapshot(ctx.platform, ctx.cellId, {
    databaseId: database.id,
    contentHash,
    body,
    migration: { id: migration.id, owner: ctx.owner, fencingToken: migration.fencingToken },
  });
  await ctx.changes.announce(entry);
}

export async function withdrawPair(run: Run): Promise<void> {
  const { ctx, migration } = run;
  const entry = await withdrawPrepared(ctx.platform, ctx.cellId, run.database.id, {
    id: migration.id,
    owner: ctx.owner,
    fencingToken: migration.fencingToken,
  });
  if (entry !== null) await ctx.changes.announce(entry);
}

/**
 * Returns the schema that will exist after this step. For the last step, it is the schema in the plan. For
 * other steps, the server computes it by running the step on an empty copy.
 */
async function predict(run: Run, stepIndex: number): Promise<RawSchema> {
  const live = await inspectAll(run);
  const { steps } = run.migration.plan;
  const isLast = steps.every((step, index) => (index <= stepIndex ? step.afterPublish === null : false));
  if (isLast) return withPlannedTables(run, live);
  const step = steps[stepIndex];
  if (step === undefined) throw new Error(`the plan has no step ${stepIndex}`);
  return withScratch(run.ctx, run.server, async (scratch) => {
    await loadDeployed(scratch, toSnapshot(live));
    await trySteps(scratch, run.server, [
      {
        ...step,
        afterPublish: null,
        intent:
          step.strategy === 'rebuild_family'
            ? { kind: 'family', details: step.details }
            : { kind: 'alter', rebuild: null },
      },
    ]);
    return {
      ...live,
      tables: await introspectSchema(scratch.connection, scratch.schemaName, run.server.engine),
    };
  });
}
