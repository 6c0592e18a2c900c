import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Order } from '../../types.js';
import { readAdjective } from '../../words/adjectives.js';
import { wordSet } from '../../words/word-set.js';
import { readSuperlative } from '../nouns/measures.js';
import {
  matchPhrase,
  type Parsed,
  type PhraseSet,
  phraseSet,
  remember,
  skipWords,
  wordAt,
} from '../reader.js';

export interface SortDirection {
  readonly position: number;
  readonly direction: 'asc' | 'desc';
}

const BEFORE_DIRECTION = wordSet('in a an the their its');

/** Words that may precede a direction or a sort key. */
const BEFORE_DIRECTION_OR_KEY = wordSet('by with using');

const DESCENDING = wordSet(`
  descending decreasing falling descendingly decreasingly downward downwards reverse reversed inverse
  inverted backward backwards
`);

const ASCENDING = wordSet('ascending increasing rising growing ascendingly increasingly upward upwards');

const COLLATIONS = wordSet(`
  alphabetical alphabetic lexicographical lexicographic lexical dictionary numerical numeric chronological
  alphabetically lexicographically numerically chronologically
`);

const ORDER_NOUNS = wordSet('order ordering manner sequence fashion');

/** Matches words that express a direction by themselves, without a noun such as `order` after them. */
const DIRECTION_WITHOUT_NOUN = /^(?:a|de)scending(?:ly)?$|ally$|ingly$/;

/**
 * Parses the words of a sort direction in any order, such as `in descending alphabetical order` or
 * `descending`.
 */
export const readDirectionWords = remember(findDirectionWords);

const ENDS_FIRST: readonly (readonly [SortDirection['direction'], PhraseSet])[] = [
  [
    'desc',
    phraseSet(`
      most first|the most first|highest first|the highest first|largest first|the largest first|
      biggest first
    `),
  ],
  [
    'asc',
    phraseSet(`
      fewest first|the fewest first|least first|lowest first|the lowest first|smallest first|
      the smallest first
    `),
  ],
];

function findDirectionWords(q: LinkedQuestion, from: number): SortDirection | null {
  // A superlative before `first` determines the direction, as in `number of guests by country, most first`.
  for (const [direction, phrases] of ENDS_FIRST) {
    const end = matchPhrase(q, from, phrases);
    if (end > 0) return { position: end, direction };
  }
  const isWith = BEFORE_DIRECTION_OR_KEY.has(wordAt(q, from));
  const start = skipWords(q, isWith ? from + 1 : from, BEFORE_DIRECTION);
  let position = start;
  while (
    DESCENDING.has(wordAt(q, position)) ||
    ASCENDING.has(wordAt(q, position)) ||
    COLLATIONS.has(wordAt(q, position)) ||
    (position > start && ORDER_NOUNS.has(wordAt(q, position)))
  )
    position += 1;
  const words = q.tokens.slice(start, position).map(({ lower }) => lower);
  const endsHere =
    q.tokens[position] === undefined || q.tokens[position]?.kind === 'mark' || wordAt(q, position) === 'and';
  if (
    !words.some(
      (word) =>
        ORDER_NOUNS.has(word) ||
        (!isWith && (DIRECTION_WITHOUT_NOUN.test(word) || (endsHere && start === from && /ing$/.test(word)))),
    )
  )
    return null;
  return { position, direction: words.some((word) => DESCENDING.has(word)) ? 'desc' : 'asc' };
}

/** Parses a direction before the sort key, such as `in decreasing numerical order of` or `descending by`. */
export function readDirectionBeforeKey(q: LinkedQuestion, from: number): SortDirection | null {
  const direction = readDirectionWords(q, from);
  return direction !== null && ['of', 'by'].includes(wordAt(q, direction.position))
    ? { ...direction, position: direction.position + 1 }
    : null;
}

const LOW_ENDS = wordSet(`
  fewest few least lowest lower low smallest small shortest short cheapest cheap earliest early first
  lightest light slowest slow worst youngest young a
`);

const HIGH_ENDS = wordSet(`
  most highest higher high largest large greatest great biggest big latest late last newest new longest long
  tallest tall heaviest heavy fastest fast best oldest old z
`);

const NEW_WORDS = wordSet('newest new recent latest late');

interface ScaleEnd {
  readonly position: number;
  readonly isHigh: boolean;
  readonly word: string;
}

/** Parses the lowest or highest end of a scale, such as `the lowest` or `most expensive`. */
function readEnd(q: LinkedQuestion, from: number): ScaleEnd | null {
  const position = skipWords(q, from, wordSet('the'));
  const [word, next] = [wordAt(q, position), wordAt(q, position + 1)];
  if (!LOW_ENDS.has(word) && !HIGH_ENDS.has(word)) return null;
  const qualifiesNextWord =
    (word === 'most' || word === 'least') &&
    q.tokens[position + 1]?.kind === 'word' &&
    next !== 'to' &&
    next !== 'first';
  return {
    position: qualifiesNextWord ? position + 2 : position + 1,
    isHigh: HIGH_ENDS.has(word),
    word: qualifiesNextWord ? next : word,
  };
}

/**
 * Parses a direction that is expressed by the first end of a scale, as in `from low to high`, `from the most
 * to the least expensive` and `starting with the largest`.
 */
export const readScale = remember(findScale);

function findScale(q: LinkedQuestion, from: number): SortDirection | null {
  const opening = matchPhrase(
    q,
    from,
    phraseSet('starting with|beginning with|starting from|beginning from|with'),
  );
  const lone = opening < 0 ? null : readEnd(q, opening);
  if (lone !== null && wordAt(q, opening) === 'the') {
    const end =
      wordAt(q, lone.position) === 'first' ? lone.position + 1 : opening > from + 1 ? lone.position : -1;
    return end < 0 ? null : { position: end, direction: lone.isHigh ? 'desc' : 'asc' };
  }
  const first = readEnd(q, Math.max(from, matchPhrase(q, from, phraseSet('in order from|order from|from'))));
  const second = first === null || wordAt(q, first.position) !== 'to' ? null : readEnd(q, first.position + 1);
  if (first === null || second === null) return null;
  const isOldFirst = first.word.startsWith('old') && NEW_WORDS.has(second.word);
  return { position: second.position, direction: first.isHigh && !isOldFirst ? 'desc' : 'asc' };
}

export const readDirection = remember(findDirection);

function findDirection(q: LinkedQuestion, from: number): SortDirection | null {
  const position = wordAt(q, from) === ',' ? from + 1 : from;
  const order = matchPhrase(q, position, phraseSet('in the order of ascending|in order'));
  const directions = [
    readDirectionWords(q, position),
    readScale(q, position),
    order < 0 ? null : { position: order, direction: 'asc' as const },
  ].flatMap((direction) => direction ?? []);
  return directions.sort((a, b) => b.position - a.position)[0] ?? null;
}

/** Parses a direction that is expressed by a superlative and `first`, as in `by price, cheapest first`. */
export function readEndFirst(q: LinkedQuestion, from: number): SortDirection | null {
  const measured = readMeasuredOrder(q, wordAt(q, from) === ',' ? from + 1 : from);
  return measured === null ? null : { position: measured.position, direction: measured.value.direction };
}

/** Reports whether the words express an alphabetical or chronological order. */
export function isAlphabetical(q: LinkedQuestion, from: number, to: number): boolean {
  return q.tokens.slice(from, to).some((token) => /^(alphabet|lexicograph|chronolog|z$)/.test(token.lower));
}

/**
 * Reports whether the words imply the sort column themselves. `newest first` sorts by a time and `cheapest
 * first` by a price, and never by the first returned column.
 */
export function namesMeasure(q: LinkedQuestion, from: number, to: number): boolean {
  return (
    q.tokens
      .slice(from, to)
      .some(
        (token) =>
          token.lower !== 'last' &&
          readAdjective(token.lower) !== null &&
          !GENERAL_ADJECTIVES.has(token.lower),
      ) ||
    q.tokens
      .slice(from, to)
      .some((token) => ['expensive', 'recent', 'chronological', 'chronologically'].includes(token.lower))
  );
}

const GENERAL_ADJECTIVES = wordSet(`
  high higher highest low lower lowest large largest larger small smallest big biggest short shortest long
  longest
`);

/**
 * Parses an order whose adjective implies the sort column, such as `newest first`, `from the oldest to the
 * youngest` or `starting with the oldest`.
 */
export const readMeasuredOrder = remember(findMeasuredOrder);

function findMeasuredOrder(q: LinkedQuestion, from: number): Parsed<Order> | null {
  const first = matchPhrase(
    q,
    from,
    phraseSet('starting with the|beginning with the|starting from the|beginning from the'),
  );
  if (first > 0) return readSuperlative(q, first);
  const isScale = wordAt(q, from) === 'from';
  const found = readSuperlative(q, isScale ? (wordAt(q, from + 1) === 'the' ? from + 2 : from + 1) : from);
  if (found === null) return null;
  if (!isScale)
    return wordAt(q, found.position) === 'first' ? { ...found, position: found.position + 1 } : null;
  if (wordAt(q, found.position) !== 'to') return null;
  const other = skipWords(q, found.position + 1, wordSet('the most least'));
  return readAdjective(wordAt(q, other)) === null ? null : { ...found, position: other + 1 };
}
