import type { Answer } from '@rowhouse/nl-engine';

/** Matches quoted names, quoted texts and placeholders, because a `?` inside quotes is not a placeholder. */
const QUOTED_OR_PLACEHOLDER = /`(?:[^`]|``)*`|'(?:[^']|'')*'|\?/g;

/** Returns the SQL of an interpretation with its values inserted, as a hint for the language model. */
export function insertValues({ sql, params }: Pick<Answer, 'sql' | 'params'>): string {
  let index = 0;
  return sql.replaceAll(QUOTED_OR_PLACEHOLDER, (token) => {
    if (token !== '?') return token;
    const value = params[index] ?? '?';
    index += 1;
    return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
  });
}
