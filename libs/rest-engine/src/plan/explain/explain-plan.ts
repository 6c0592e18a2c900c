import type { CompiledTable } from '@rowhouse/schema-model';
import type { Preferences, RequestAddress } from '../../request/api-request.js';
import type { AggregatePlan } from '../aggregate/aggregate-plan.js';
import type { ListPlan, Touch } from '../plan.js';

/** How a list would be read, instead of the list. Needs the scope `query` beside what the list needs. */
export interface ExplainPlan {
  readonly kind: 'explain';
  readonly table: CompiledTable;
  readonly touches: readonly Touch[];
  readonly address: RequestAddress;
  readonly preferences: Preferences;
  readonly hasRegex: boolean;
  /** What would run. */
  readonly explained: ListPlan | AggregatePlan;
}
