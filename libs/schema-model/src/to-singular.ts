import { isIePlural } from './ie-plurals.js';

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

/** Returns the singular of an English word, based on its ending. A wrong guess only looks odd. */
export function toSingular(word: string): string {
  const lower = word.toLowerCase();
  if (UNCHANGED.has(lower) || lower.length < 4 || /(?:ss|us|is)$/.test(lower)) return word;
  if (/[^aeiou]ies$/.test(lower) && !isIePlural(lower))
    return `${word.slice(0, -3)}${word.endsWith('IES') ? 'Y' : 'y'}`;
  if (/(?:ch|sh|ss|x|z|[lnprt]us)es$/.test(lower)) return word.slice(0, -2);
  return lower.endsWith('s') ? word.slice(0, -1) : word;
}

/** Returns the name of a table with its last word in the singular: `OrderItems` becomes `OrderItem`. */
export function toSingularName(name: string): string {
  const last = /(?:[A-Z]?[a-z]+|[A-Z]+)$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, name.length - last.length)}${toSingular(last)}`;
}
