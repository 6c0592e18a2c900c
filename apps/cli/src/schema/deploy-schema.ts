import type {
  DatabaseResponse,
  DeployResponse,
  DiffResponse,
  MigrationResponse,
  ProjectResponse,
} from '@rowhouse/contracts';
import type { Context } from '../context.js';
import { showPlan, confirmDataLoss } from './show-plan.js';
import { watchMigrations } from './watch-migrations.js';

export interface Deployed {
  readonly revision: number;
  readonly migrations: readonly MigrationResponse[];
  readonly notes: readonly string[];
}

/**
 * Deploys to one database. Shows the plan, asks about data loss, deploys, and waits for the end unless
 * `isWaiting` is false. The server rejects any plan other than the one shown.
 */
export async function deploySchema(
  ctx: Context,
  project: ProjectResponse,
  database: DatabaseResponse,
  { isLossAccepted, isWaiting }: { readonly isLossAccepted: boolean; readonly isWaiting: boolean },
): Promise<Deployed> {
  const api = ctx.api();
  const { revision, plans } = await api.get<DiffResponse>(
    `/api/projects/${project.id}/diff?database=${encodeURIComponent(database.id)}`,
  );
  const [plan] = plans;
  if (plan === undefined || plan.steps.length === 0)
    return { revision, migrations: [], notes: plan?.notes ?? [] };
  showPlan(ctx, plan);
  if (plan.loss.length > 0 && !isLossAccepted) await confirmDataLoss(ctx, plan.loss.length);
  const answer = await api.post<DeployResponse>(`/api/projects/${project.id}/deploy`, {
    targets: [{ database: database.id, base_snapshot: plan.baseSnapshot }],
    revision,
    confirm: [plan.hash],
    ...(plan.loss.length === 0 ? {} : { accept_loss: true }),
  });
  const migrations = isWaiting ? await watchMigrations(ctx, answer.migrations) : answer.migrations;
  return { revision: answer.revision, migrations, notes: answer.notes };
}
