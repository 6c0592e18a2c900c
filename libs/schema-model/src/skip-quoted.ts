/**
 * Returns the index of the closing quote for the one at `start`, or the length of the text when none does.
 * Doubled quotes and, in texts, escaped characters belong to the content.
 */
export function skipQuoted(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\' && quote !== '`') at += 1;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at;
      at += 1;
    }
  }
  return text.length;
}
