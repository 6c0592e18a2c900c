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

const BEFORE = wordSet('in a an the their its');

/** Words that also introduce a sort key. */
const WITH = wordSet('by with using');

const DOWN = wordSet(`
  descending decreasing falling descendingly decreasingly downward downwards reverse reversed inverse
  inverted backward backwards
`);

const UP = wordSet('ascending increasing rising growing ascendingly increasingly upward upwards');

const KINDS = wordSet(`
  alphabetical alphabetic lexicographical lexicographic lexical dictionary numerical numeric chronological
  alphabetically lexicographically numerically chronologically
`);

const NOUNS = wordSet('order ordering manner sequence fashion');

/** Words that give a direction without a noun after them. */
const ALONE = /^(?:a|de)scending(?:ly)?$|ally$|ingly$/;

/** Parses a sort direction with its words in any order: `in descending alphabetical order`, `descending`. */
export const readWay = remember(findMethod);

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

function findMethod(q: LinkedQuestion, from: number): SortDirection | null {
  // This handles `number of guests by country, most first`.
  for (const [direction, phrases] of ENDS_FIRST) {
    const end = matchPhrase(q, from, phrases);
    if (end > 0) return { position: end, direction };
  }
  const isWith = WITH.has(wordAt(q, from));
  const start = skipWords(q, isWith ? from + 1 : from, BEFORE);
  let position = start;
  while (
    DOWN.has(wordAt(q, position)) ||
    UP.has(wordAt(q, position)) ||
    KINDS.has(wordAt(q, position)) ||
    (position > start && NOUNS.has(wordAt(q, position)))
  )
    position += 1;
  const words = q.tokens.slice(start, position).map(({ lower }) => lower);
  const endsHere =
    q.tokens[position] === undefined || q.tokens[position]?.kind === 'mark' || wordAt(q, position) === 'and';
  if (
    !words.some(
      (word) =>
        NOUNS.has(word) ||
        (!isWith && (ALONE.test(word) || (endsHere && start === from && /ing$/.test(word)))),
    )
  )
    return null;
  return { position, direction: words.some((word) => DOWN.has(word)) ? 'desc' : 'asc' };
}

/** Parses a direction before the sort key: `in decreasing numerical order of`, `descending by`. */
export function readMethodOf(q: LinkedQuestion, from: number): SortDirection | null {
  const method = readWay(q, from);
  return method !== null && ['of', 'by'].includes(wordAt(q, method.position))
    ? { ...method, position: method.position + 1 }
    : null;
}

const LOW = wordSet(`
  fewest few least lowest lower low smallest small shortest short cheapest cheap earliest early first
  lightest light slowest slow worst youngest young a
`);

const HIGH = wordSet(`
  most highest higher high largest large greatest great biggest big latest late last newest new longest long
  tallest tall heaviest heavy fastest fast best oldest old z
`);

const NEW = wordSet('newest new recent latest late');

interface End {
  readonly position: number;
  readonly isHigh: boolean;
  readonly word: string;
}

/** Parses one end of a scale: `the lowest`, `most expensive`. */
function readEnd(q: LinkedQuestion, from: number): End | null {
  const position = skipWords(q, from, wordSet('the'));
  const [word, next] = [wordAt(q, position), wordAt(q, position + 1)];
  if (!LOW.has(word) && !HIGH.has(word)) return null;
  const isPredicateOf =
    (word === 'most' || word === 'least') &&
    q.tokens[position + 1]?.kind === 'word' &&
    next !== 'to' &&
    next !== 'first';
  return {
    position: isPredicateOf ? position + 2 : position + 1,
    isHigh: HIGH.has(word),
    word: isPredicateOf ? next : word,
  };
}

/**
 * Parses the end that comes first: `from low to high`,
 * `from the most to the least expensive`, `starting with the largest`.
 */
export const readSpan = remember(findSpan);

function findSpan(q: LinkedQuestion, from: number): SortDirection | null {
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
  const isOldFirst = first.word.startsWith('old') && NEW.has(second.word);
  return { position: second.position, direction: first.isHigh && !isOldFirst ? 'desc' : 'asc' };
}

export const readDirection = remember(findDirection);

function findDirection(q: LinkedQuestion, from: number): SortDirection | null {
  const position = wordAt(q, from) === ',' ? from + 1 : from;
  const order = matchPhrase(q, position, phraseSet('in the order of ascending|in order'));
  const methods = [
    readWay(q, position),
    readSpan(q, position),
    order < 0 ? null : { position: order, direction: 'asc' as const },
  ].flatMap((method) => method ?? []);
  return methods.sort((a, b) => b.position - a.position)[0] ?? null;
}

/** Parses the direction in `by price, cheapest first`. */
export function readEndFirst(q: LinkedQuestion, from: number): SortDirection | null {
  const measured = readMeasured(q, wordAt(q, from) === ',' ? from + 1 : from);
  return measured === null ? null : { position: measured.position, direction: measured.value.direction };
}

/** Returns whether the words name an alphabetical or chronological order. */
export function isAlphabetical(q: LinkedQuestion, from: number, to: number): boolean {
  return q.tokens.slice(from, to).some((token) => /^(alphabet|lexicograph|chronolog|z$)/.test(token.lower));
}

/**
 * Returns whether the words imply their own key.
 * `newest first` refers to a time and `cheapest first` to a price, never to the first shown column.
 */
export function namesMeasure(q: LinkedQuestion, from: number, to: number): boolean {
  return (
    q.tokens
      .slice(from, to)
      .some(
        (token) => token.lower !== 'last' && readAdjective(token.lower) !== null && !GENERAL.has(token.lower),
      ) ||
    q.tokens
      .slice(from, to)
      .some((token) => ['expensive', 'recent', 'chronological', 'chronologically'].includes(token.lower))
  );
}

const GENERAL = wordSet(`
  high higher highest low lower lowest large largest larger small smallest big biggest short shortest long
  longest
`);

/**
 * Parses `newest first`, `from the oldest to the youngest` and
 * `starting with the oldest` as an order by the column that the adjective measures.
 */
export const readMeasured = remember(findMeasured);

function findMeasured(q: LinkedQuestion, from: number): Parsed<Order> | null {
  const first = matchPhrase(
    q,
    from,
    phraseSet('starting with the|beginning with the|starting from the|beginning from the'),
  );
  if (first > 0) return readSuperlative(q, first);
  const isSpan = wordAt(q, from) === 'from';
  const found = readSuperlative(q, isSpan ? (wordAt(q, from + 1) === 'the' ? from + 2 : from + 1) : from);
  if (found === null) return null;
  if (!isSpan)
    return wordAt(q, found.position) === 'first' ? { ...found, position: found.position + 1 } : null;
  if (wordAt(q, found.position) !== 'to') return null;
  const other = skipWords(q, found.position + 1, wordSet('the most least'));
  return readAdjective(wordAt(q, other)) === null ? null : { ...found, position: other + 1 };
}
