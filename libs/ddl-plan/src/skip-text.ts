/** The place of the quote that ends the SQL text which begins at `start`; the length where none does. */
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

/** Where `words` begin outside quoted texts; -1 where they do not. */
export function findOutsideTexts(text: string, words: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "'") at = skipText(text, at);
    else if (text.startsWith(words, at)) return at;
  }
  return -1;
}
