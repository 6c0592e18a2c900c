/** What can come of a run, in one file: nothing of it is shown before the first. */
export { QueryAnswerView } from './query-answer.js';
export { QueryRefusal } from './query-refusal.js';
