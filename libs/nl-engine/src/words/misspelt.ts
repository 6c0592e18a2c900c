import { readAdjective } from './adjectives.js';
import { wordSet } from './word-set.js';

/**
 * Common words in questions. They are so long that names in a schema rarely differ from them by only one
 * letter.
 */
const QUESTION_WORDS =
  'different average maximum minimum highest largest smallest greatest shortest longest youngest descending ascending increasing decreasing alphabetical alphabetically between together including'.split(
    ' ',
  );
/** Maps the second word of a question to the first words that it may follow. */
const FIRST_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['many', ['how']],
  ['the', ['count', 'find', 'show', 'list', 'what', 'return', 'give']],
]);

/**
 * Corrects an unknown word such as `diffrent` or `mininum` to a common word in questions. Returns null if
 * there is no such word.
 */
export function correctWord(lower: string): string | null {
  return lower.length < 6
    ? null
    : (QUESTION_WORDS.find((word) => word !== lower && isOneEditAway(lower, word)) ?? null);
}

/**
 * Corrects the first word of a question if the second word determines it, as in `Hom many` and `Cound the`.
 */
export function correctFirstWord(lower: string, next: string): string | null {
  return FIRST_WORDS.get(next)?.find((word) => word !== lower && isOneEditAway(lower, word)) ?? null;
}

const FUNCTION_WORDS: ReadonlyMap<string, string> = new Map([
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

const COMPARATIVES = wordSet('more less fewer greater better worse expensive later earlier');

/**
 * Corrects a misspelled function word such as `teh`, and `then` to `than` after a comparative. Returns null
 * for all other words.
 */
export function correctFunctionWord(lower: string, before: string): string | null {
  if (lower === 'then')
    return COMPARATIVES.has(before) || readAdjective(before)?.degree === 'more' ? 'than' : null;
  return FUNCTION_WORDS.get(lower) ?? null;
}

/**
 * Reports whether the words differ by one inserted, deleted or changed letter, or by the order of two
 * adjacent letters.
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
