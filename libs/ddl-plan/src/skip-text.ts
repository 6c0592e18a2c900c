/**
 * Returns the index of the closing quote of the SQL text at `start`, or the length of
 * the input when it does not end.
 */
export function skipText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === "'") {
      if (text[at + 1] !== "'") return at;
      at += 1;
    }
  }
  return text.length;
}

/** Returns the index of `words` outside quoted texts, or -1. */
export function findOutsideTexts(text: string, words: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "'") at = skipText(text, at);
    else if (text.startsWith(words, at)) return at;
  }
  return -1;
}
