import { wordSet } from '../lexer/sql-words.js';
import { dropComments, readQuery, trimSemicolon } from '../guard/guard-query.js';
import { lexSql } from '../lexer/lex-sql.js';
import { TokenCursor } from '../lexer/token-cursor.js';
import type { RouteSchema, SqlToken } from '../types.js';

const AGGREGATES: ReadonlySet<string> = wordSet('COUNT SUM AVG MIN MAX GROUP_CONCAT');

/**
 * Describes what a statement does, based only on its SQL and not on the model's description. Returns an empty
 * text for malformed SQL.
 */
export function describeSql(sql: string, schema: RouteSchema): string {
  try {
    const tokens = trimSemicolon(dropComments(lexSql(sql)));
    const { tables } = readQuery(new TokenCursor(tokens), {
      tables: new Set(schema.tables.map((table) => table.name)),
      hidden: new Set(),
      schemaName: '',
      isOpen: true,
    });
    const has = (word: string): boolean =>
      tokens.some((token) => token.kind === 'word' && token.value === word);
    const parts = [
      ...(has('WHERE') ? ['filters rows'] : []),
      ...(has('GROUP') ? ['groups them'] : []),
      ...(tokens.some((token, index) => isCall(token, tokens[index + 1]) && AGGREGATES.has(token.value))
        ? ['computes over them']
        : []),
      ...(has('HAVING') ? ['filters groups'] : []),
      ...(has('UNION') || has('EXCEPT') || has('INTERSECT') ? ['combines several queries'] : []),
      ...(has('ORDER') ? ['sorts'] : []),
      ...(has('LIMIT')
        ? [
            `takes at most ${tokens[tokens.findLastIndex((token) => token.value === 'LIMIT') + 1]?.text ?? ''}`,
          ]
        : []),
    ];
    const from = tables.size === 0 ? 'Reads no table' : `Reads ${[...tables].sort().join(', ')}`;
    return `${[from, ...parts].join('; ')}.`;
  } catch {
    return '';
  }
}

function isCall(token: SqlToken, following: SqlToken | undefined): boolean {
  return token.kind === 'word' && following?.value === '(';
}
