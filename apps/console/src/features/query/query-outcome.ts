/** Bundles everything that a run can show into one chunk, because it is not needed before the first run. */
export { QueryAnswerView } from './query-answer.js';
export { QueryRefusal } from './query-refusal.js';
