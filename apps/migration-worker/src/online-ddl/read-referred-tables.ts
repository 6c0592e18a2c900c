import { lexSql, type SqlToken } from '@rowhouse/query-engine';

/** Of a statement that the worker wrote itself: a schema's text is bounded where it comes in. */
const LEX_BOUNDS = { bytesMax: 4 * 1024 * 1024, depthMax: 256, tokensMax: 800_000 };

/**
 * The tables behind `REFERENCES`: a foreign key is made on both of its tables. Texts and comments, whatever they look like,
 * name none. Of a statement that cannot be read: none.
 */
export function readReferredTables(sql: string): string[] {
  if (!/\breferences\b/i.test(sql)) return [];
  const tokens = readTokens(sql);
  const found = tokens.flatMap((token, at) => {
    if (token.kind !== 'word' || token.value !== 'REFERENCES') return [];
    const isQualified = tokens[at + 2]?.text === '.';
    const name = tokens[at + (isQualified ? 3 : 1)];
    return name?.kind === 'quoted' ? [name.value] : name?.kind === 'word' ? [name.text] : [];
  });
  return [...new Set(found)];
}

/** Executable comments hold options of partitions and the like in what servers show, never a key. */
function readTokens(sql: string): SqlToken[] {
  try {
    return lexSql(sql, LEX_BOUNDS).filter((token) => token.kind !== 'comment');
  } catch {
    return [];
  }
}
