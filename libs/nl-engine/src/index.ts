/**
 * Translates questions in plain English to SQL with rules, without a language model. The steps are: split the
 * question into tokens (`words`), link them to names in the schema (`link`), parse them to drafts
 * (`grammar`), assign tables and columns (`resolve`), write SQL (`sql`), and score the statement (`features`,
 * `answer`).
 *
 * For the same question and schema, the result is always the same. Questions with words that the statement
 * does not express are rejected. The library must not depend on HTTP, connections or tenants.
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
