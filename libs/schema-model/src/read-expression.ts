import { skipQuoted } from './skip-quoted.js';

/**
 * Returns the SQL in parentheses after `head` (`DEFAULT`, `AS`) in a column definition, without the outer
 * pair, or null. Quotes are respected, so nothing inside comments and texts matches.
 */
export function readExpression(definition: string, head: string): string | null {
  const mark = `${head} (`;
  let depth = 0;
  let start = -1;
  for (let index = 0; index < definition.length; index += 1) {
    const char = definition[index] ?? '';
    if (char === "'" || char === '`' || char === '"') index = skipQuoted(definition, index);
    else if (start < 0 && definition.startsWith(mark, index) && /^$|\s/.test(definition[index - 1] ?? '')) {
      index += mark.length - 1;
      start = index + 1;
      depth = 1;
    } else if (start >= 0 && char === '(') depth += 1;
    else if (start >= 0 && char === ')') {
      depth -= 1;
      if (depth === 0) return definition.slice(start, index);
    }
  }
  return null;
}
