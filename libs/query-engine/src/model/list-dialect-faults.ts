import { foldName } from '../read-context.js';
import type { SqlToken } from '../types.js';
import type { ModelSqlFault } from './check-model-sql.js';

/**
 * What this server takes, and reads otherwise than the dialect that it was written in: it would answer, and wrongly.
 * @param names folded, of everything that the statement can speak of
 */
export function listDialectFaults(tokens: readonly SqlToken[], names: ReadonlySet<string>): ModelSqlFault[] {
  const messages = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const behind = tokens[index + 1];
    if (token.kind === 'string' && token.text.startsWith('"') && names.has(foldName(token.value))) messages.add(`"${token.value}" in double quotes is a text here and no name: write it in backquotes, or in single quotes where the text is meant.`);
    if (token.kind === 'operator' && token.value === '||') messages.add('|| is a logical OR here: join texts with CONCAT(), or write OR.');
    if (token.kind === 'operator' && token.value === '+' && (before?.kind === 'string' || behind?.kind === 'string')) messages.add('+ adds numbers here: join texts with CONCAT().');
    if (token.kind === 'word' && token.value === 'FULL' && (behind?.value === 'JOIN' || behind?.value === 'OUTER')) messages.add('There is no FULL JOIN here: write a LEFT JOIN UNION a RIGHT JOIN.');
  }
  return [...messages].map((message) => ({ kind: 'dialect', message, near: [] }));
}
