import { AppError } from '@rowhouse/errors';
import { lexSql, SCHEMA_BOUNDS, type SqlToken } from '@rowhouse/query-engine';
import type { EngineKind } from '@rowhouse/schema-model';

/** Characters that take four bytes in UTF-8, such as emoji. */
const WIDE = /[\u{10000}-\u{10ffff}]/u;
const TABLE_STATEMENT =
  /^\s*(?:CREATE|ALTER)\s+(?:(?:OR\s+REPLACE|TEMPORARY|UNIQUE|FULLTEXT|SPATIAL|ONLINE|OFFLINE|IGNORE)\s+)*(?:TABLE|INDEX)\b/i;

type Location = 'comment' | 'default' | 'label' | 'expression';

/**
 * The parts of a definition in which a server prints a four-byte character as `?`, so that a copy of the
 * definition would differ. MariaDB 10.11 and MySQL 9.7 store or print these parts in UTF-8 with at most three
 * bytes per character.
 */
const LOST: Readonly<Record<EngineKind, ReadonlySet<Location>>> = {
  mariadb: new Set(['default', 'label']),
  mysql: new Set(['expression', 'label']),
};
const PLURAL: Readonly<Record<Exclude<Location, 'comment'>, string>> = {
  default: 'default values',
  label: 'ENUM and SET labels',
  expression: 'expressions of columns, checks and indexes',
};

/**
 * Checks the characters of a CREATE or ALTER statement for a table or an index.
 *
 * @returns a sentence for each comment that the server stores with `?` in place of characters of four bytes
 * @throws AppError `schema.statement_not_allowed` where the server would lose such a character of a value
 */
export function checkCharacters(sql: string, engine: EngineKind, line: number): string[] {
  if (!WIDE.test(sql) || !TABLE_STATEMENT.test(sql)) return [];
  const tokens = lexSql(sql, SCHEMA_BOUNDS).filter((token) => token.kind !== 'comment');
  const notes: string[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'string' || !WIDE.test(token.text)) return;
    const location = locate(tokens, index);
    if (location === 'comment')
      notes.push(
        `Line ${line}: ${token.text}: the server cannot store four-byte characters, such as emoji, ` +
          'in comments. It stores ? instead.',
      );
    else if (LOST[engine].has(location)) throw notStored(token, location, line, sql);
  });
  return notes;
}

function notStored(
  token: SqlToken,
  location: Exclude<Location, 'comment'>,
  line: number,
  sql: string,
): AppError {
  return new AppError('schema.statement_not_allowed', {
    detail:
      `Line ${line}: ${token.text}: the server cannot store four-byte characters, such as emoji, ` +
      `in ${PLURAL[location]}.`,
    hint: 'Use other characters here. Rows can contain any character.',
    extra: { line, statement: sql.trim().slice(0, 500) },
  });
}

function locate(tokens: readonly SqlToken[], index: number): Location {
  const before = tokens[index - 1]?.text === '=' ? tokens[index - 2] : tokens[index - 1];
  if (before?.value === 'COMMENT') return 'comment';
  if (before?.value === 'DEFAULT') return 'default';
  const opener = tokens[findOpening(tokens, index) - 1]?.value;
  if (opener === 'ENUM' || opener === 'SET') return 'label';
  return opener === 'DEFAULT' && tokens[index + 1]?.text === ')' ? 'default' : 'expression';
}

/** Returns the index of the enclosing parenthesis, or -1 without one. */
function findOpening(tokens: readonly SqlToken[], from: number): number {
  let depth = 0;
  for (let index = from - 1; index >= 0; index -= 1) {
    if (tokens[index]?.text === ')') depth += 1;
    else if (tokens[index]?.text === '(' && depth === 0) return index;
    else if (tokens[index]?.text === '(') depth -= 1;
  }
  return -1;
}
