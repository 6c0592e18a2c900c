import type { DdlClass, SqlStatement } from './types.js';

export function classifyDdl(statement: SqlStatement): DdlClass {
  return { kind: 'refused', code: 'schema.statement_not_allowed', detail: '', hint: undefined, line: statement.line };
}
