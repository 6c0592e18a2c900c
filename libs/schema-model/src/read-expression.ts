import { skipQuoted } from './skip-quoted.js';

/**
 * Returns the SQL in parentheses after `head` (`DEFAULT`, `AS`) in a column definition, without the outer
 * pair, or null. Quotes are respected, so nothing inside comments and texts matches.
 */
export function readExpression(definition: string, head: string): string | null {
  const mark = `${head} (`;
  let depth = 0;
  let start = -1;
  for (let at = 0; at < definition.length; at += 1) {
    const char = definition[at] ?? '';
    if (char === "'" || char === '`' || char === '"') at = skipQuoted(definition, at);
    else if (start < 0 && definition.startsWith(mark, at) && /^$|\s/.test(definition[at - 1] ?? '')) {
      at += mark.length - 1;
      start = at + 1;
      depth = 1;
    } else if (start >= 0 && char === '(') depth += 1;
    else if (start >= 0 && char === ')') {
      depth -= 1;
      if (depth === 0) return definition.slice(start, at);
    }
  }
  return null;
}
