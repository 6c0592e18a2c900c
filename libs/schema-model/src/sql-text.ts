/**
 * Returns the index of the closing quote for the one at `start`, or the length of the text when none does.
 * Doubled quotes and, in texts, escaped characters belong to the content.
 */
export function skipQuoted(text: string, start: number): number {
  const quote = text[start];
  for (let position = start + 1; position < text.length; position += 1) {
    if (text[position] === '\\' && quote !== '`') position += 1;
    else if (text[position] === quote) {
      if (text[position + 1] !== quote) return position;
      position += 1;
    }
  }
  return text.length;
}

/** Quotes an identifier with backquotes, which both engines accept under any sql_mode. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

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
