import type { MigrationPlan } from '@rowhouse/contracts';
import type { Context } from '../context.js';
import { CliError, EXIT } from '../cli-error.js';

/** Prints a plan with its statements, data loss and API changes. */
export function showPlan(ctx: Context, plan: MigrationPlan): void {
  const { output } = ctx;
  output.line(
    output.style(
      'bold',
      `${plan.environment}: ${plan.steps.length === 0 ? 'no changes' : `${plan.steps.length} ${plan.steps.length === 1 ? 'step' : 'steps'}`}`,
    ),
  );
  for (const step of plan.steps)
    output.line(`  ${step.sql.trimEnd().replace(/;$/, '').replaceAll('\n', '\n  ')};`);
  list(ctx, 'Data loss', 'red', plan.loss);
  list(ctx, 'Removed from the API', 'red', plan.impact.removed);
  list(ctx, 'Added to the API', 'green', plan.impact.added);
  list(ctx, 'Changed in the API', 'yellow', plan.impact.changed);
  list(
    ctx,
    'Used by API keys',
    'yellow',
    plan.impact.usedBy.map(({ what, keys }) => `${what}: ${keys.map((key) => key.name).join(', ')}`),
  );
  list(ctx, 'Changed directly', 'yellow', plan.drift);
  list(
    ctx,
    'Table copy',
    'yellow',
    plan.needsRebuild.map(({ table, rows }) => `${table}, ${rows} rows`),
  );
  list(
    ctx,
    'Possible rename',
    'yellow',
    plan.possibleRenames.map((hint) => JSON.stringify(hint)),
  );
  list(ctx, 'Note', 'cyan', plan.notes);
}

function list(
  { output }: Context,
  head: string,
  style: 'red' | 'green' | 'yellow' | 'cyan',
  items: readonly string[],
): void {
  for (const item of items) output.line(`  ${output.style(style, head)}: ${item}`);
}

/** Asks the user to accept `count` losses. Without a terminal, only `--accept-loss` accepts them. */
export async function confirmDataLoss(ctx: Context, count: number): Promise<void> {
  if (!ctx.environment.isInteractive)
    throw new CliError(`This change loses data (${count === 1 ? '1 item' : `${count} items`}).`, {
      exitCode: EXIT.failed,
      next: 'review the losses with rowhouse schema diff, then repeat with --accept-loss',
      body: { code: 'schema.loss_not_accepted' },
    });
  await ctx.confirm('Continue and lose this data?', '--accept-loss');
}
