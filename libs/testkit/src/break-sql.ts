/**
 * Returns the statement with one name of the schema misspelled. Returns null if it contains none. `iteration`
 * selects the name and the kind of misspelling.
 */
export function breakSql(sql: string, names: readonly string[], iteration: number): string | null {
  const known = new Set(names.map((name) => name.toLowerCase()));
  const locations = [
    ...sql.replaceAll(/'(?:[^']|'')*'/g, (text) => '\u0000'.repeat(text.length)).matchAll(/[A-Za-z_]\w*/g),
  ].filter(
    ({ 0: word, index }) =>
      known.has(word.toLowerCase()) &&
      !/\bAS\s+$/i.test(sql.slice(0, index)) &&
      !/^\s*\(/.test(sql.slice(index + word.length)) &&
      !isAlias(sql, word),
  );
  const location = locations[iteration % Math.max(1, locations.length)];
  if (location === undefined) return null;
  const [word] = location;
  for (let attempts = 0; attempts < MISSPELLINGS.length; attempts += 1) {
    const other = MISSPELLINGS[(iteration + attempts) % MISSPELLINGS.length]?.(word) ?? word;
    if (!known.has(other.toLowerCase()) && !new RegExp(`\\b${other}\\b`, 'i').test(sql))
      return sql.slice(0, location.index) + other + sql.slice(location.index + word.length);
  }
  return null;
}

/** Reports whether the statement uses the word as an alias, which a misspelled name might equal. */
function isAlias(sql: string, word: string): boolean {
  return new RegExp(`\\bAS\\s+${word}\\b`, 'i').test(sql);
}

const MISSPELLINGS: readonly ((name: string) => string)[] = [
  (name) => `${name}s`,
  (name) => name.slice(0, -1),
  (name) => `${name.slice(0, 1)}${name}`,
  (name) => `${name.slice(0, -2)}${name.slice(-1)}${name.slice(-2, -1)}`,
  (name) => `${name}_id`,
  (name) => `the_${name}`,
  (name) => name.replaceAll('_', ''),
  (name) => `${name}x`,
];
