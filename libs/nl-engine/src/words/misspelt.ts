import { readAdjective } from './adjectives.js';
import { wordSet } from './word-set.js';

/** Long question words. A schema is unlikely to have a name that differs from them by one letter. */
const WORDS =
  'different average maximum minimum highest largest smallest greatest shortest longest youngest descending ascending increasing decreasing alphabetical alphabetically between together including'.split(
    ' ',
  );
/** Maps `many` and `the` to the first words that they may follow. */
const FIRST: ReadonlyMap<string, readonly string[]> = new Map([
  ['many', ['how']],
  ['the', ['count', 'find', 'show', 'list', 'what', 'return', 'give']],
]);

/**
 * Corrects an unknown word such as `diffrent` or `mininum` to a common question word.
 * Returns null when there is no such word.
 */
export function correctWord(lower: string): string | null {
  return lower.length < 6
    ? null
    : (WORDS.find((word) => word !== lower && isOneEditAway(lower, word)) ?? null);
}

/** Corrects the first word of a question, as in `Hom many` and `Cound the`. */
export function correctFirstWord(lower: string, next: string): string | null {
  return FIRST.get(next)?.find((word) => word !== lower && isOneEditAway(lower, word)) ?? null;
}

const SMALL_WORDS: ReadonlyMap<string, string> = new Map([
  ['teh', 'the'],
  ['hte', 'the'],
  ['adn', 'and'],
  ['nad', 'and'],
  ['whcih', 'which'],
  ['wich', 'which'],
  ['whith', 'with'],
  ['wiht', 'with'],
  ['thier', 'their'],
  ['tahn', 'than'],
  ['thna', 'than'],
  ['numer', 'number'],
  ['nubmer', 'number'],
]);

const COMPARING = wordSet('more less fewer greater better worse expensive later earlier');

/**
 * Corrects a function word, such as `teh`, or `then` after a comparative.
 * Returns null when the word is not a misspelling of a function word.
 */
export function correctFunctionWord(lower: string, before: string): string | null {
  if (lower === 'then')
    return COMPARING.has(before) || readAdjective(before)?.degree === 'more' ? 'than' : null;
  return SMALL_WORDS.get(lower) ?? null;
}

/**
 * Returns whether the words differ by one inserted, deleted or changed letter, or by two swapped neighbors.
 */
export function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let index = 0;
  while (index < a.length && a[index] === b[index]) index += 1;
  const [x, y] = [a.slice(index), b.slice(index)];
  return (
    x.slice(1) === y.slice(1) ||
    x.slice(1) === y ||
    x === y.slice(1) ||
    (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2))
  );
}
