import type { Plan } from '../plan/plan.js';
import type { ApiResponse } from './api-response.js';
import type { ResultSet } from './result-set.js';

/** The answer of a plan whose program ended without an error. Throws 404 `record.not_found`. `results`: of all rounds, in order. */
export function toResponse(_plan: Plan, _results: readonly ResultSet[]): ApiResponse {
  throw new Error("not filled in");
}
