const sets = new Map<string, ReadonlySet<string>>();

/** Builds a set from words that are separated by spaces or line breaks. The set is cached by its text. */
export function wordSet(text: string): ReadonlySet<string> {
  const known = sets.get(text);
  if (known !== undefined) return known;
  const created: ReadonlySet<string> = new Set(text.trim().split(/\s+/));
  sets.set(text, created);
  return created;
}
