import type { ApiRequest } from '../request/api-request.js';
import type { Plan, PlanOptions } from './plan.js';

/** Checks names and converts values. Throws AppError: 404 for keys that no record can have, 405, 422. */
export function planRequest(_request: ApiRequest, _options: PlanOptions): Plan {
  throw new Error("not filled in");
}
