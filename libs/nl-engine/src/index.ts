/**
 * Translates questions in plain English into SQL by rules, without a language model. The steps are: split the
 * question into tokens (`words`), link them to names of the schema (`link`), parse drafts (`grammar`), assign
 * tables and columns (`resolve`), write SQL (`sql`), and score the statement (`features`, `answer`).
 *
 * The result is deterministic, and questions with unexplained words are rejected. This library must not
 * depend
 * on HTTP, connections or tenants.
 */
export { buildLexicon, buildLexiconSteps } from './lexicon/build-lexicon.js';
export { type ColumnValues, type Lexicon, type LexiconInput, type Synonym } from './lexicon/lexicon.js';
export type { Candidate } from './ranked-candidates.js';
export { listCandidates } from './list-candidates.js';
export { measureBest, type Measured } from './features/measure-best.js';
export { BOUNDS, isDoubtful, scoreCandidate, SCORE_WEIGHTS, type Bounds } from './answer/score-candidate.js';
export {
  answerQuestion,
  COST_MAX,
  suggestQuestions,
  suggestQuestionsSteps,
  type QuestionInput,
  type Outcome,
  type Answer,
} from './answer-question.js';
export { isShortQuestion, QUESTION_LENGTH_MAX } from './words/tokenize.js';
