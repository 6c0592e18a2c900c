import { foldName } from '../read-context.js';
import type { SqlToken } from '../types.js';
import type { ModelSqlFault } from './check-model-sql.js';

/**
 * Finds constructs that this server accepts with another meaning than the dialect they come from, so their
 * result would be wrong.
 *
 * @param names the folded names that the statement can refer to
 */
export function listDialectFaults(tokens: readonly SqlToken[], names: ReadonlySet<string>): ModelSqlFault[] {
  const messages = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const following = tokens[index + 1];
    if (token.kind === 'string' && token.text.startsWith('"') && names.has(foldName(token.value)))
      messages.add(
        `"${token.value}" in double quotes is a text here and no name: write it in backquotes, or in single quotes where the text is meant.`,
      );
    if (token.kind === 'operator' && token.value === '||')
      messages.add('|| is a logical OR here: join texts with CONCAT(), or write OR.');
    if (
      token.kind === 'operator' &&
      token.value === '+' &&
      (before?.kind === 'string' || following?.kind === 'string')
    )
      messages.add('+ adds numbers here: join texts with CONCAT().');
    if (
      token.kind === 'word' &&
      token.value === 'FULL' &&
      (following?.value === 'JOIN' || following?.value === 'OUTER')
    )
      messages.add('There is no FULL JOIN here: write a LEFT JOIN UNION a RIGHT JOIN.');
  }
  return [...messages].map((message) => ({ kind: 'dialect', message, similarNames: [] }));
}
