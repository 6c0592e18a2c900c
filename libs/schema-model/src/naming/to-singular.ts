const IE_PLURALS: ReadonlySet<string> = new Set([
  'movies',
  'cookies',
  'calories',
  'zombies',
  'brownies',
  'selfies',
  'rookies',
  'newbies',
  'foodies',
  'hoodies',
  'smoothies',
  'veggies',
  'goalies',
  'genies',
  'birdies',
  'sorties',
  'prairies',
  'eyries',
  'ties',
  'pies',
  'dies',
  'lies',
]);
const UNCHANGED: ReadonlySet<string> = new Set([
  'news',
  'series',
  'species',
  'status',
  'data',
  'analysis',
  'address',
  'lens',
]);

/** Returns the singular of an English word by rules for its ending. A wrong result causes no harm. */
export function toSingular(word: string): string {
  const lower = word.toLowerCase();
  if (UNCHANGED.has(lower) || lower.length < 4 || /(?:ss|us|is)$/.test(lower)) return word;
  if (/[^aeiou]ies$/.test(lower) && !isIePlural(lower))
    return `${word.slice(0, -3)}${word.endsWith('IES') ? 'Y' : 'y'}`;
  if (/(?:ch|sh|ss|x|z|[lnprt]us)es$/.test(lower)) return word.slice(0, -2);
  return lower.endsWith('s') ? word.slice(0, -1) : word;
}

/**
 * Returns the name of a table with its last word in the singular. For example, `OrderItems` becomes
 * `OrderItem`.
 */
export function toSingularName(name: string): string {
  const last = /(?:[A-Z]?[a-z]+|[A-Z]+)$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, name.length - last.length)}${toSingular(last)}`;
}

/**
 * Reports whether the singular of an English plural in `-ies` ends in `-ie`, as for `movies`. All other
 * singulars end in `-y`. Case is ignored.
 */
export function isIePlural(word: string): boolean {
  return IE_PLURALS.has(word.toLowerCase());
}

/**
 * Returns every relationship to which the singular or plural form `name` may refer, by its own name or by the
 * name of its target table.
 */
export function findAlike<T extends { readonly name: string; readonly target: { readonly name: string } }>(
  name: string,
  relationships: readonly T[],
): readonly T[] {
  const variants = new Set([name, ...toPlurals(name), ...toSingulars(name)]);
  return relationships.filter((item) => variants.has(item.name) || variants.has(item.target.name));
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
