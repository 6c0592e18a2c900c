import type { ConfirmRequest, MigrationPlan, PromoteRequest } from '@rowhouse/contracts';
import { isRecord, toApiError } from '../../../data/client/api-error.js';

/** Returns the confirmation of a plan. Its data loss is accepted, because the user has confirmed it. */
export function confirmShown(plan: MigrationPlan): ConfirmRequest {
  return { confirm: [plan.hash], ...(plan.loss.length > 0 ? { accept_loss: true } : {}) };
}

/**
 * Returns the request that promotes exactly this plan to its database. `isConfirmed` is whether the user has
 * seen how the plan differs from what ran on `from`.
 */
export function promoteShown(from: string, plan: MigrationPlan, isConfirmed: boolean): PromoteRequest {
  const { confirm, ...accepted } = confirmShown(plan);
  return {
    from,
    to: plan.database,
    plan: plan.hash,
    ...accepted,
    ...(isConfirmed ? { confirm } : {}),
  };
}

/** Returns the server's plan if a request was rejected because its plan is another one than `shown`. */
export function readNewPlan(error: unknown, shown: Pick<MigrationPlan, 'hash'>): MigrationPlan | null {
  if (error === null) return null;
  const { code, extra } = toApiError(error);
  if (code !== 'schema.needs_confirmation' || !Array.isArray(extra['plans'])) return null;
  const [plan] = extra['plans'].filter(isRecord) as unknown as MigrationPlan[];
  return plan === undefined || plan.hash === shown.hash ? null : plan;
}
