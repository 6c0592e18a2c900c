/** The one entry whose name is the singular or plural of `name`; null where none or several are. */
export function findByNumber<T extends { readonly name: string }>(name: string, entries: readonly T[]): T | null {
  const variants = new Set([...toPlurals(name), ...toSingulars(name)]);
  const found = entries.filter((entry) => variants.has(entry.name));
  return found.length === 1 ? (found[0] ?? null) : null;
}

function toPlurals(word: string): string[] {
  const plurals = [`${word}s`, `${word}es`];
  if (word.endsWith('y')) plurals.push(`${word.slice(0, -1)}ies`);
  return plurals;
}

function toSingulars(word: string): string[] {
  const singulars: string[] = [];
  if (word.endsWith('s')) singulars.push(word.slice(0, -1));
  if (word.endsWith('es')) singulars.push(word.slice(0, -2));
  if (word.endsWith('ies')) singulars.push(`${word.slice(0, -3)}y`);
  return singulars;
}
