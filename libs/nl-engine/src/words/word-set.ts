const sets = new Map<string, ReadonlySet<string>>();

/** Creates a set from words that are separated by spaces or line breaks. The set is cached by this text. */
export function wordSet(text: string): ReadonlySet<string> {
  const known = sets.get(text);
  if (known !== undefined) return known;
  const created: ReadonlySet<string> = new Set(text.trim().split(/\s+/));
  sets.set(text, created);
  return created;
}

/** Creates a map from pairs of words that are separated by `|`, as in `men man|women woman`. */
export function wordMap(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('|').map((pair) => {
      const [from = '', to = ''] = pair.trim().split(/\s+/);
      return [from, to];
    }),
  );
}
