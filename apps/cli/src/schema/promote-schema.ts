import type { DeployResponse, MigrationPlan, ProjectResponse, PromoteRequest } from '@rowhouse/contracts';
import { CliError } from '../cli-error.js';
import type { Context } from '../context.js';
import { showPlan, confirmDataLoss } from './show-plan.js';

/** The error body of a promotion when its plan differs from the one that ran on the source. */
interface DifferingPlan {
  readonly code?: string;
  readonly plans?: readonly MigrationPlan[];
  readonly only_there?: readonly string[];
  readonly only_here?: readonly string[];
}

/**
 * Deploys the schema of one database to another. When the plan differs from the one that ran on the source,
 * it is shown for confirmation, and only the shown plan runs.
 */
export async function promoteSchema(
  ctx: Context,
  project: ProjectResponse,
  request: PromoteRequest,
): Promise<DeployResponse> {
  const path = `/api/projects/${project.id}/promote`;
  try {
    return await ctx.api().post<DeployResponse>(path, request);
  } catch (error) {
    const other = toOtherPlan(error);
    if (other === null) throw error;
    const plans = other.plans ?? [];
    showDifference(ctx, error as CliError, other);
    const losses = plans.reduce((sum, plan) => sum + plan.loss.length, 0);
    if (losses > 0 && request.accept_loss !== true) await confirmDataLoss(ctx, losses);
    else
      await ctx.confirm(
        'Deploy this plan?',
        `--yes, or --confirm ${plans.map((plan) => plan.hash).join(' --confirm ')}`,
      );
    return ctx.api().post<DeployResponse>(path, {
      ...request,
      confirm: [...(request.confirm ?? []), ...plans.map((plan) => plan.hash)],
      ...(losses === 0 ? {} : { accept_loss: true }),
    });
  }
}

function toOtherPlan(error: unknown): DifferingPlan | null {
  if (!(error instanceof CliError)) return null;
  const body = error.body as DifferingPlan;
  return body.code === 'schema.needs_confirmation' && (body.plans ?? []).length > 0 ? body : null;
}

function showDifference(
  ctx: Context,
  error: CliError,
  { plans = [], only_there: there = [], only_here: here = [] }: DifferingPlan,
): void {
  ctx.output.warn(error.message);
  for (const plan of plans) showPlan(ctx, plan);
  for (const sql of there)
    ctx.output.line(`  ${ctx.output.style('yellow', 'Only ran on the source')}: ${toOneLine(sql)}`);
  for (const sql of here)
    ctx.output.line(`  ${ctx.output.style('yellow', 'Only runs on the target')}: ${toOneLine(sql)}`);
}

/** Returns the first line of a statement. The plan contains the whole statement. */
function toOneLine(sql: string): string {
  const [first = '', ...others] = sql.split('\n');
  return others.length === 0 ? first : `${first} …`;
}
