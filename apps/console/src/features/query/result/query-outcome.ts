/** Bundles everything that a run can show into one chunk, because it is not needed before the first run. */
export { QueryResultView } from './query-answer.js';
export { QueryRejection } from './query-rejection.js';
