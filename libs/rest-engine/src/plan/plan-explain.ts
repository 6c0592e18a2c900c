import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type { AggregatePlan } from './aggregate/aggregate-plan.js';
import type { ListPlan, ExplainPlan } from './plan.js';

/**
 * Applies `_explain` to the plan of a list. Returns the plan unchanged if the parameter is absent or false.
 * Throws 422 for an invalid value.
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
  // The explanation of a view reveals its definition, so the API key needs the right to see it.
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
