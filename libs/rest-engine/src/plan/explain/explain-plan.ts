import type { CompiledTable } from '@rowhouse/schema-model';
import type { Preferences, RequestAddress } from '../../request/api-request.js';
import type { AggregatePlan } from '../aggregate/aggregate-plan.js';
import type { ListPlan, Touch } from '../plan.js';

/**
 * Describes how a list is read, instead of returning it. This requires the scope `query` in addition to the
 * rights of the list.
 */
export interface ExplainPlan {
  readonly kind: 'explain';
  readonly table: CompiledTable;
  readonly touches: readonly Touch[];
  readonly address: RequestAddress;
  readonly preferences: Preferences;
  readonly hasRegex: boolean;
  /** The plan that would run. */
  readonly explained: ListPlan | AggregatePlan;
}
