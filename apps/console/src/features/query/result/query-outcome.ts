/**
 * Exports everything that shows the outcome of a query from one module. It is loaded as one chunk at the
 * first run.
 */
export { QueryResultView } from './query-answer.js';
export { QueryRejection } from './query-rejection.js';
