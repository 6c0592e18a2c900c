/**
 * The maximum number of cached words.
 * The cache is cleared when it is full, since questions keep bringing new words.
 */
const WORDS_MAX = 5_000;

/** Returns a cached version of `make`, which must depend on nothing but its argument. */
export function memoizeWords<T>(make: (word: string) => T): (word: string) => T {
  const known = new Map<string, { readonly created: T }>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found.created;
    if (known.size >= WORDS_MAX) known.clear();
    const created = make(word);
    known.set(word, { created });
    return created;
  };
}
