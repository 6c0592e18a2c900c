/**
 * Parsing of SQL text: the lexer, the guard of the query endpoint, the distinction between SQL and questions,
 * prompts and responses of language models, and splitting and classifying schema text. All functions are
 * pure: no I/O, clock or randomness. This package does not run statements. It is the second boundary, after
 * the account that runs a guarded query.
 */
export { classifyDdl, findForbiddenStatement, SCHEMA_BOUNDS, withoutInvoker } from './classify-ddl.js';
export { estimateRows, isCutShort, type CountedStep, type RowsEstimate } from './cost/estimate-rows.js';
export { explainPrefix, readExplain, type ExplainStep } from './cost/explain-step.js';
export { findNarrowingColumns, isPlainSelect, type NarrowingColumns } from './cost/read-traits.js';
export { findCountersSteps, maySetCounter, type CounterSetting } from './find-counters.js';
export { explainMisspelling } from './find-misspelt-words.js';
export { ExactDecimal, toExactNumber } from './exact-decimal.js';
export { guardQuery } from './guard-query.js';
export { lexSql, QUERY_BOUNDS } from './lex-sql.js';
export { openInsert, type InsertHead, type InsertValue, type OpenInsert } from './read-insert.js';
export { locateName, locateText } from './locate-name.js';
export { findObjectDatabase, withoutDatabase } from './own-database.js';
export type { ConstantPart, InsertText } from './read-constant.js';
export { routeQuery } from './route-query.js';
export { readNamesSteps } from './schema-names.js';
export {
  commentOpeningAt,
  isSpaceUnit,
  skipComment,
  skipQuoted,
  unquoteString,
  type CommentOpening,
} from './scan-text.js';
export { splitStatements, splitStatementsSteps } from './split-statements.js';
export { stripCommentsSteps } from './strip-comments.js';
export { TokenCursor } from './token-cursor.js';
export {
  buildModelPrompt,
  PROMPT_VERSION,
  SQL_ANSWER_FORM,
  type AcceptedPair,
  type ModelPrompt,
  type PromptInput,
  type PromptMessage,
} from './model/build-model-prompt.js';
export { checkModelSql, type ModelSqlFault } from './model/check-model-sql.js';
export { describeSql } from './model/describe-sql.js';
export { findValueHits, type IndexedColumn, type ValueHit } from './model/find-value-hits.js';
export { foldWords } from './model/fold-words.js';
export { isWriteRequest } from './model/is-write-request.js';
export { readModelAnswer, type ParsedModelResponse } from './model/read-model-answer.js';
export { writeRepair } from './model/write-repair.js';
export { createStatementReader, type RawStatement, type StatementReader } from './statement-reader.js';
export type * from './types.js';
export { foldName } from './read-context.js';
