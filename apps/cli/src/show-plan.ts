import type { MigrationPlan } from '@rowhouse/contracts';
import type { Context } from './context.js';

/** Prints a plan with its statements, data loss and API changes. */
export function showPlan(ctx: Context, plan: MigrationPlan): void {
  const { output } = ctx;
  output.line(output.style('bold', `${plan.environment}: ${plan.steps.length === 0 ? 'nothing to do' : `${plan.steps.length} ${plan.steps.length === 1 ? 'step' : 'steps'}`}`));
  for (const step of plan.steps) output.line(`  ${step.sql.trimEnd().replace(/;$/, '').replaceAll('\n', '\n  ')};`);
  list(ctx, 'Is lost', 'red', plan.loss);
  list(ctx, 'Goes from the API', 'red', plan.impact.removed);
  list(ctx, 'Comes to the API', 'green', plan.impact.added);
  list(ctx, 'Changes in the API', 'yellow', plan.impact.changed);
  list(ctx, 'Used by keys', 'yellow', plan.impact.usedBy.map(({ what, keys }) => `${what}: ${keys.map((key) => key.name).join(', ')}`));
  list(ctx, 'Changed behind it', 'yellow', plan.drift);
  list(ctx, 'Copied for a while', 'yellow', plan.needsRebuild.map(({ table, rows }) => `${table}, ${rows} rows`));
  list(ctx, 'Perhaps a rename', 'yellow', plan.possibleRenames.map((hint) => JSON.stringify(hint)));
  list(ctx, 'Note', 'cyan', plan.notes);
}

function list({ output }: Context, head: string, style: 'red' | 'green' | 'yellow' | 'cyan', items: readonly string[]): void {
  for (const item of items) output.line(`  ${output.style(style, head)}: ${item}`);
}
