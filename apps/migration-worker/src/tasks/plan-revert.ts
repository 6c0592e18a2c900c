import type { TaskPayload, TaskResult } from '@rowhouse/contracts';
import { planRevert as findWayBack } from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { nameSnapshot } from '@rowhouse/schema-model';
import { readDeployed, readSnapshot } from '../snapshots/read-deployed.js';
import type { WorkerContext } from '../worker-context.js';
import { weighPlan } from './plan-database.js';
import { readProbedServer } from './provision-database.js';

/** The way back of one migration of a database, from whatever stands now. Writes nothing but a scratch database. */
export async function planRevert(ctx: WorkerContext, payload: TaskPayload<'plan_revert'>): Promise<TaskResult<'plan_revert'>> {
  const migration = await ctx.directory.readMigrationPlan(payload.migration_id);
  if (migration.databaseId !== payload.database_id) throw new AppError('internal.defect', { internal: `${payload.migration_id} is not of ${payload.database_id}` });
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await readProbedServer(ctx, database.serverId);
  const deployed = await readDeployed(ctx, database, server.engine);
  const target = nameSnapshot(await readSnapshot(ctx, database.id, migration.baseNumber, server.engine), deployed);
  const exclusive = migration.plan.steps.flatMap((step) => (step.strategy === 'exclusive' ? [step.details] : []))[0] ?? null;
  const way = findWayBack(deployed, target, { kept: await ctx.directory.listKept(payload.migration_id), hints: migration.plan.hints ?? [], exclusive });
  const plan = await weighPlan(ctx, { database, server, deployed, target, diff: way, notes: way.notes, targetNumber: migration.baseNumber });
  return { plan };
}
