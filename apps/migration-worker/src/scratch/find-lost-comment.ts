import { lexSql, SCHEMA_BOUNDS } from '@rowhouse/query-engine';
import type { EngineKind } from '@rowhouse/schema-model';

const BEYOND = /[\u{10000}-\u{10ffff}]/u;

/** Reports a comment of a table or column that the engine cannot store as it is; null without one. MariaDB keeps comments in utf8mb3. */
export function findLostComment(sql: string, engine: EngineKind): string | null {
  if (engine !== 'mariadb' || !BEYOND.test(sql)) return null;
  try {
    const tokens = lexSql(sql, SCHEMA_BOUNDS).filter((token) => token.kind !== 'comment');
    const isLost = tokens.some((token, at) => {
      if (token.kind !== 'word' || token.value !== 'COMMENT') return false;
      const value = tokens[at + 1]?.value === '=' ? tokens[at + 2] : tokens[at + 1];
      return value?.kind === 'string' && BEYOND.test(value.value);
    });
    return isLost ? 'MariaDB stores ? in comments for characters beyond U+FFFF, such as emoji.' : null;
  } catch {
    // What classifies the statement reports what is wrong with it.
    return null;
  }
}
