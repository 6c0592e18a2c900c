import type { Lexicon } from '../lexicon/lexicon.js';
import { toPhraseKey } from '../lexicon/name-phrases.js';
import { isNumeric } from '../resolve/column-kinds.js';
import type { Token } from '../types.js';
import { isFunctionWord } from '../words/function-words.js';
import { isVerb } from '../words/verbs.js';
import { wordSet } from '../words/word-set.js';

const SUPERLATIVES = wordSet('largest biggest greatest highest smallest lowest');
const MEASURE_MAX = 4;
/** The maximum cost of a link for which a phrase is considered the name itself. */
const NEAR_COST = 0.5;
const MEASURE_WORDS = wordSet('number of total average count');

/**
 * Moves a superlative before the column that follows `by`, where the grammar expects it. `the 3 largest
 * cities by population` becomes `cities with the 3 largest population`.
 */
export function putMeasureLast(tokens: readonly Token[], lexicon: Lexicon): readonly Token[] {
  const superlativeAt = tokens.findIndex(({ lower }) => SUPERLATIVES.has(lower));
  const by =
    superlativeAt < 0 ? -1 : tokens.findIndex(({ lower }, index) => index > superlativeAt && lower === 'by');
  const nouns = tokens.slice(superlativeAt + 1, by);
  if (
    by < 0 ||
    nouns.length === 0 ||
    nouns.length > 2 ||
    nouns.some(({ kind, lower }) => kind !== 'word' || isFunctionWord(lower))
  )
    return tokens;
  const measure = dropMark(tokens.slice(by + 1));
  const isNamed = lexicon.tables.get(toKey(nouns))?.some(({ cost }) => cost < NEAR_COST) === true;
  const hasCount = tokens[superlativeAt - 1]?.kind === 'number';
  const last = nouns.at(-1);
  if (!isNamed || !isMeasure(measure, lexicon) || (!hasCount && last?.lemma !== last?.lower)) return tokens;
  const start = hasCount ? superlativeAt - 1 : superlativeAt;
  return [
    ...tokens.slice(0, start),
    ...nouns,
    make('with'),
    make('the'),
    ...tokens.slice(start, superlativeAt + 1),
    ...tokens.slice(by + 1),
  ];
}

/**
 * Reports whether the tokens name a number column, or begin with `number of`. Other phrases after `by` mean
 * groups, such as `by department`.
 */
function isMeasure(tokens: readonly Token[], { columns }: Lexicon): boolean {
  const isPlain =
    tokens.length > 0 &&
    tokens.length <= MEASURE_MAX &&
    tokens.every((token) => token.kind === 'word' && (MEASURE_WORDS.has(token.lower) || !isNotNoun(token)));
  const [first, second] = tokens;
  return (
    isPlain &&
    ((first?.lower === 'number' && second?.lower === 'of') ||
      columns.get(toKey(tokens))?.some(({ column, cost }) => cost < NEAR_COST && isNumeric(column)) === true)
  );
}

function toKey(tokens: readonly Token[]): string {
  return toPhraseKey(tokens.map(({ lemma }) => lemma));
}

function isNotNoun(token: Token): boolean {
  return (
    token.kind !== 'word' ||
    isFunctionWord(token.lower) ||
    (isVerb(token.lower) && token.lemma === token.lower)
  );
}

function dropMark(tokens: readonly Token[]): readonly Token[] {
  return tokens.at(-1)?.kind === 'mark' ? tokens.slice(0, -1) : tokens;
}

function make(lower: string): Token {
  return { kind: 'word', text: lower, lower, lemma: lower, isCapital: false, value: Number.NaN };
}
