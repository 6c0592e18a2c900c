/**
 * Returns every relationship that the singular or plural `name` may refer to, by its own
 * name or its target table's name.
 */
export function findAlike<T extends { readonly name: string; readonly far: { readonly name: string } }>(
  name: string,
  relationships: readonly T[],
): readonly T[] {
  const variants = new Set([name, ...toPlurals(name), ...toSingulars(name)]);
  return relationships.filter((item) => variants.has(item.name) || variants.has(item.far.name));
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
