import { skipQuoted } from './skip-quoted.js';

/**
 * The SQL in parentheses behind `head` in a column's definition (`DEFAULT`, `AS`), without the outermost pair; null
 * where there is none. Quotes are respected, so that nothing is found inside comments and texts.
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
