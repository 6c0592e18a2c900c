import { readAdjective } from './adjectives.js';

/** Long words of questions that no schema is likely to have one letter away from. */
const WORDS = 'different average maximum minimum highest largest smallest greatest shortest longest youngest descending ascending increasing decreasing alphabetical alphabetically between together including'.split(' ');
/** The first word, where `many` or `the` follows. */
const FIRST: ReadonlyMap<string, readonly string[]> = new Map([['many', ['how']], ['the', ['count', 'find', 'show', 'list', 'what', 'return', 'give']]]);

/** `diffrent`, `mininum`: the word of questions that a word nobody knows was meant to be; null where there is none, or it is none of theirs. */
export function findMeant(lower: string): string | null {
  return lower.length < 6 ? null : WORDS.find((word) => word !== lower && isOneEditAway(lower, word)) ?? null;
}

/** `Hom many`, `Cound the`: what a question was meant to begin with. */
export function findMeantFirst(lower: string, next: string): string | null {
  return FIRST.get(next)?.find((word) => word !== lower && isOneEditAway(lower, word)) ?? null;
}

const SMALL_WORDS: ReadonlyMap<string, string> = new Map([['teh', 'the'], ['hte', 'the'], ['adn', 'and'], ['nad', 'and'], ['whcih', 'which'], ['wich', 'which'], ['whith', 'with'], ['wiht', 'with'], ['thier', 'their'], ['tahn', 'than'], ['thna', 'than'], ['numer', 'number'], ['nubmer', 'number']]);

const COMPARING = new Set(['more', 'less', 'fewer', 'greater', 'better', 'worse', 'expensive', 'later', 'earlier']);

/** `teh`, `more expensive then`: the small word that was meant behind `before`; null where a word is none, or was meant itself. */
export function findMeantSmall(lower: string, before: string): string | null {
  if (lower === 'then') return COMPARING.has(before) || readAdjective(before)?.degree === 'more' ? 'than' : null;
  return SMALL_WORDS.get(lower) ?? null;
}

/** One letter more, one less, another one, or two neighbours the other way round. */
export function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [x, y] = [a.slice(at), b.slice(at)];
  return x.slice(1) === y.slice(1) || x.slice(1) === y || x === y.slice(1) || (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2));
}
