/**
 * Returns the index of the closing quote of the SQL text at `start`, or the length of
 * the input when it does not end.
 */
export function skipText(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === "'") {
      if (text[index + 1] !== "'") return index;
      index += 1;
    }
  }
  return text.length;
}

/** Returns the index of `words` outside quoted texts, or -1. */
export function findOutsideTexts(text: string, words: string): number {
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "'") index = skipText(text, index);
    else if (text.startsWith(words, index)) return index;
  }
  return -1;
}
