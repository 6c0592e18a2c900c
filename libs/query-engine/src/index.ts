/**
 * Owns the reading of SQL text: lexing, the guard of the query endpoint, routing between SQL and questions,
 * splitting and classifying of schema text. Pure: no I/O, no clock, no randomness.
 * Must not run statements, know HTTP, or be the only wall: the account that runs a guarded query is the first.
 */
export { classifyDdl } from './classify-ddl.js';
export { guardQuery } from './guard-query.js';
export { lexSql } from './lex-sql.js';
export { questionRefused } from './question-refused.js';
export { routeQuery } from './route-query.js';
export { splitStatements } from './split-statements.js';
export type * from './types.js';
