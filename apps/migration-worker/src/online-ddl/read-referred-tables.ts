import { lexSql, type SqlToken } from '@rowhouse/query-engine';

/** Limits for a statement that the worker itself wrote. Schema texts are limited when they are submitted. */
const LEX_BOUNDS = { bytesMax: 4 * 1024 * 1024, depthMax: 256, tokensMax: 800_000 };

/**
 * Returns the tables after `REFERENCES`, since adding a foreign key locks both tables. Texts and comments are
 * ignored. Returns none for an unreadable statement.
 */
export function readReferredTables(sql: string): string[] {
  if (!/\breferences\b/i.test(sql)) return [];
  const tokens = readTokens(sql);
  const found = tokens.flatMap((token, index) => {
    if (token.kind !== 'word' || token.value !== 'REFERENCES') return [];
    const isQualified = tokens[index + 2]?.text === '.';
    const name = tokens[index + (isQualified ? 3 : 1)];
    return name?.kind === 'quoted' ? [name.value] : name?.kind === 'word' ? [name.text] : [];
  });
  return [...new Set(found)];
}

/**
 * Splits a statement into tokens without comments. In the output of servers, executable comments contain
 * options such as partitions, but never a key.
 */
function readTokens(sql: string): SqlToken[] {
  try {
    return lexSql(sql, LEX_BOUNDS).filter((token) => token.kind !== 'comment');
  } catch {
    return [];
  }
}
