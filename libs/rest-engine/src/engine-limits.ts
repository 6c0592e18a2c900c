import type { ErrorCode } from '@rowhouse/errors';
import { AGGREGATES_MAX, GROUP_KEYS_MAX } from './plan/aggregate/plan-outputs.js';
import { PATTERN_LENGTH_MAX } from './plan/filter/check-pattern.js';
import { COMPARISONS_MAX, SUBQUERIES_MAX, VALUES_MAX } from './plan/filter/condition-budget.js';
import { LIST_VALUES_MAX } from './plan/filter/plan-condition.js';
import { PER_PARENT_MAX } from './plan/list/plan-embed.js';
import { TREE_DEPTH_MAX } from './plan/filter/plan-filter-tree.js';
import { INCLUDE_COUNT_MAX, INCLUDE_DEPTH_MAX } from './plan/list/plan-include.js';
import { PATH_DEPTH_MAX } from './plan/filter/plan-named-condition.js';
import { SORT_KEYS_MAX } from './plan/list/plan-sort.js';
import { REACH_MAX } from './plan/list/plan-window.js';
import { JSON_DEPTH_MAX, JSON_MEMBERS_MAX, JSON_VALUES_MAX } from './request/parse-json.js';
import { CHILDREN_MAX } from './sql/read/include-rounds.js';

const PARAMS = 'params.invalid';
const BODY = 'body.invalid';

/**
 * The published limits of requests. A request that exceeds a limit is rejected with status 422 and the `code`
 * of this limit.
 */
export const ENGINE_LIMITS: readonly {
  readonly name: string;
  readonly value: number;
  readonly code: ErrorCode;
}[] = Object.freeze([
  { name: 'list_depth_rows', value: REACH_MAX, code: PARAMS },
  { name: 'list_values', value: LIST_VALUES_MAX, code: PARAMS },
  { name: 'comparisons', value: COMPARISONS_MAX, code: PARAMS },
  { name: 'subqueries', value: SUBQUERIES_MAX, code: PARAMS },
  { name: 'bound_values', value: VALUES_MAX, code: PARAMS },
  { name: 'expression_depth', value: TREE_DEPTH_MAX, code: PARAMS },
  { name: 'path_depth', value: PATH_DEPTH_MAX, code: PARAMS },
  { name: 'sort_keys', value: SORT_KEYS_MAX, code: PARAMS },
  { name: 'group_keys', value: GROUP_KEYS_MAX, code: PARAMS },
  { name: 'aggregates', value: AGGREGATES_MAX, code: PARAMS },
  { name: 'pattern_characters', value: PATTERN_LENGTH_MAX, code: PARAMS },
  { name: 'include_depth', value: INCLUDE_DEPTH_MAX, code: PARAMS },
  { name: 'include_relationships', value: INCLUDE_COUNT_MAX, code: PARAMS },
  { name: 'include_per_parent', value: PER_PARENT_MAX, code: PARAMS },
  { name: 'include_records', value: CHILDREN_MAX, code: PARAMS },
  { name: 'json_depth', value: JSON_DEPTH_MAX, code: BODY },
  { name: 'json_values', value: JSON_VALUES_MAX, code: BODY },
  { name: 'json_members', value: JSON_MEMBERS_MAX, code: BODY },
]);
