/**
 * Parsing of SQL text. The package contains the lexer, the guard of the query endpoint, the distinction
 * between SQL and questions, prompts and responses of language models, and the splitting and classification
 * of schema text. All functions are pure: they use no I/O, clock or randomness. The package does not run
 * statements. Its guard is independent of the other protection, which is the rights of the database account
 * that runs a query.
 */
export {
  classifyDdl,
  findForbiddenStatement,
  SCHEMA_BOUNDS,
  withoutInvoker,
} from './schema-ddl/classify-ddl.js';
export { estimateRows, isCutShort, type CountedStep, type RowsEstimate } from './cost/estimate-rows.js';
export { explainPrefix, readExplain, type ExplainStep } from './cost/explain-step.js';
export { findNarrowingColumns, isPlainSelect, type NarrowingColumns } from './cost/read-traits.js';
export { findCountersSteps, maySetCounter, type CounterSetting } from './script/find-counters.js';
export { explainMisspelling } from './routing/find-misspelt-words.js';
export { ExactDecimal, toExactNumber } from './lexer/exact-decimal.js';
export { guardQuery } from './guard/guard-query.js';
export { lexSql, QUERY_BOUNDS } from './lexer/lex-sql.js';
export { openInsert, type InsertHead, type InsertValue, type OpenInsert } from './script/read-insert.js';
export { locateName, locateText } from './lexer/lex-sql.js';
export { findObjectDatabase, withoutDatabase } from './schema-ddl/own-database.js';
export type { ConstantPart, InsertText } from './script/read-constant.js';
export { routeQuery } from './routing/route-query.js';
export { readNamesSteps } from './routing/schema-names.js';
export {
  commentOpeningAt,
  isSpaceUnit,
  skipComment,
  skipQuoted,
  unquoteString,
  type CommentOpening,
} from './lexer/scan-text.js';
export { splitStatements, splitStatementsSteps } from './script/split-statements.js';
export { stripCommentsSteps } from './script/strip-comments.js';
export { TokenCursor } from './lexer/token-cursor.js';
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
export { foldWords } from './model/choose-tables.js';
export { isWriteRequest } from './model/is-write-request.js';
export { readModelAnswer, type ParsedModelResponse } from './model/read-model-answer.js';
export { writeRepair } from './model/build-model-prompt.js';
export { createStatementReader, type RawStatement, type StatementReader } from './script/statement-reader.js';
export type * from './types.js';
export { foldName } from './lexer/names.js';
