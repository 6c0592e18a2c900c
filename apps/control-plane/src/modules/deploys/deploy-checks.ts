import type { DeployRequest, MigrationPlan } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';

/**
 * Throws when plans must not run: they copy a large table, lose data without acceptance, or differ from the
 * confirmed plans.
 */
export function assertDeployable(
  plans: readonly MigrationPlan[],
  request: Pick<DeployRequest, 'accept_loss' | 'confirm'>,
): void {
  assertNoRebuild(plans);
  assertConfirmed(plans, request.confirm);
  assertSeen(plans, request.confirm ?? []);
  assertLossAccepted(plans, request.accept_loss === true);
}

function assertNoRebuild(plans: readonly MigrationPlan[]): void {
  const blocked = plans.filter((plan) => plan.needsRebuild.length > 0);
  if (blocked.length === 0) return;
  throw new AppError('schema.needs_rebuild', {
    extra: {
      tables: blocked.flatMap((plan) =>
        plan.needsRebuild.map((need) => ({ database: plan.database, ...need })),
      ),
    },
  });
}

function assertConfirmed(plans: readonly MigrationPlan[], confirm: readonly string[] | undefined): void {
  if (confirm === undefined) return;
  const confirmed = new Set(confirm);
  const others = plans.filter((plan) => plan.steps.length > 0 && !confirmed.has(plan.hash));
  if (others.length === 0) return;
  throw new AppError('schema.needs_confirmation', { extra: { plans: others } });
}

/**
 * Requires confirmation of effects that users may not expect: reverting a direct change, or blocking writes
 * to a table.
 */
function assertSeen(plans: readonly MigrationPlan[], confirm: readonly string[]): void {
  const unseen = plans.filter((plan) => !confirm.includes(plan.hash) && listWarnings(plan).length > 0);
  if (unseen.length === 0) return;
  throw new AppError('schema.needs_confirmation', {
    detail: unseen.flatMap(listWarnings).join(' '),
    hint: 'Review the plan, then send its hash in `confirm`.',
    extra: { plans: unseen },
  });
}

function listWarnings(plan: MigrationPlan): string[] {
  const drift = plan.drift ?? [];
  const locked = plan.steps.filter((step) => step.strategy === 'locked_copy');
  return [
    ...(drift.length === 0
      ? []
      : [
          `${drift.join(', ')} of ${plan.environment} changed over a direct connection since the last ` +
            'deploy. This plan overwrites those changes.',
        ]),
    ...locked.map((step) =>
      `Writes to ${step.table} of ${plan.environment} are blocked while it is copied. ${step.details?.reason ?? ''}`.trim(),
    ),
  ];
}

function assertLossAccepted(plans: readonly MigrationPlan[], isAccepted: boolean): void {
  const losing = plans.filter((plan) => plan.loss.length > 0);
  if (isAccepted || losing.length === 0) return;
  throw new AppError('schema.loss_not_accepted', {
    hint: losing.some((plan) => plan.possibleRenames.length > 0)
      ? 'Declare renames in `renames` of PUT /schema, or send accept_loss: true to continue.'
      : 'Send accept_loss: true to continue.',
    extra: {
      loss: losing.map((plan) => ({
        database: plan.database,
        environment: plan.environment,
        loss: plan.loss,
        possibleRenames: plan.possibleRenames,
      })),
    },
  });
}
