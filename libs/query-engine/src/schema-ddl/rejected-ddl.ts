import { nameOf } from '../lexer/names.js';
import type { SqlToken } from '../types.js';

/** Thrown for a statement that a schema must not contain. `classifyDdl` catches it and returns a result. */
export class RejectedDdlError extends Error {
  constructor(
    readonly code: 'schema.invalid_sql' | 'schema.statement_not_allowed',
    detail: string,
    readonly at: SqlToken,
    readonly hint: string | undefined,
  ) {
    super(detail);
  }
}

/** Creates the error for a malformed statement at the position of a token. */
export function reject(detail: string, token: SqlToken, hint?: string): RejectedDdlError {
  return new RejectedDdlError('schema.invalid_sql', detail, token, hint);
}

/** Creates the error for a statement that is not supported in a schema, at the position of a token. */
export function notInSchemas(detail: string, token: SqlToken, hint?: string): RejectedDdlError {
  return new RejectedDdlError(
    'schema.statement_not_allowed',
    detail,
    token,
    hint ?? 'Use CREATE, ALTER and DROP of tables, indexes, views, triggers and routines, or RENAME TABLE.',
  );
}

/** Creates the error for a name that is qualified by a database. */
export function rejectDatabaseName(name: SqlToken): RejectedDdlError {
  return reject(
    `Names must not contain a database: ${nameOf(name)}.`,
    name,
    'Remove the database and the dot. The statements run in this database.',
  );
}
