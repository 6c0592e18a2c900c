import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type { AggregatePlan } from './aggregate/aggregate-plan.js';
import type { ListPlan, ExplainPlan } from './plan.js';

/**
 * Applies `_explain` to a list that is already planned. Returns the list itself if the value is false. Throws
 * 422 for an invalid value.
 */
export function planExplain(
  plan: ListPlan | AggregatePlan,
  text: string,
): ListPlan | AggregatePlan | ExplainPlan {
  if (text === 'false' || text === '0') return plan;
  if (text !== 'true' && text !== '1') throw reject('The value must be true or false.', 'bool_parsing');
  if (plan.format !== 'json')
    throw new AppError('request.not_acceptable', { hint: '_explain responds with application/json only.' });
  const { address, hasRegex, preferences, table, touches } = plan;
  // Explaining a view requires the right to see its definition.
  const view = touches.find((touch) => table.schema.findByName(touch.table)?.kind === 'view');
  if (view !== undefined)
    throw reject(`${view.table} is a view, and views cannot be explained.`, 'not_explainable');
  return {
    kind: 'explain',
    table,
    touches,
    address,
    preferences,
    hasRegex: hasRegex === true,
    explained: plan,
  };
}

function reject(msg: string, type: string): Error {
  return validationError('params.invalid', [faultAt(['query', '_explain'], msg, type)]);
}
