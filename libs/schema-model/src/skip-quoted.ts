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
