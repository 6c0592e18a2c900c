/** Questions bring ever new words: with so many of them all are forgotten. */
const WORDS_MAX = 5_000;

/** What is made of a word is made once, as long as it is not forgotten. `make` must follow from the word alone. */
export function rememberWords<T>(make: (word: string) => T): (word: string) => T {
  const known = new Map<string, { readonly made: T }>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found.made;
    if (known.size >= WORDS_MAX) known.clear();
    const made = make(word);
    known.set(word, { made });
    return made;
  };
}
