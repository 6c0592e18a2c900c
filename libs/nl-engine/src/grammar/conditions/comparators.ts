import type { LinkedQuestion } from '../../link/linked-question.js';
import type { ColumnLink, Comparison, Condition, Literal, NumberLiteral } from '../../types.js';
import { matchPhrase, type Parsed, type PhraseSet, phraseSet, remember, wordAt } from '../reader.js';
import { readValues } from './values.js';
import { toNumberLiteral } from '../../words/number-literal.js';

const COMPARATIVES_UP =
  'more greater larger higher bigger longer taller heavier older better faster deeper wider stronger'.split(
    ' ',
  );

const COMPARATIVES_DOWN = 'less fewer smaller lower shorter lighter younger cheaper worse slower'.split(' ');

/**
 * Inserts every word into every pattern in place of `*`. For example, `no * than` and `more` become `no more
 * than`.
 */
const expandPatterns = (words: readonly string[], ...shapes: readonly string[]): readonly string[] =>
  words.flatMap((word) => shapes.map((shape) => shape.replace('*', word)));

const phrases = (text: string, ...lists: readonly (readonly string[])[]): PhraseSet =>
  phraseSet([text, ...lists.flat()].join('|'));

const PHRASES: readonly (readonly [Comparison, PhraseSet])[] = [
  [
    '>=',
    phrases(
      'at least|a minimum of|minimum of|not below|not under|> =|>=|or more than',
      expandPatterns(COMPARATIVES_DOWN, 'no * than', 'not * than'),
      expandPatterns(COMPARATIVES_UP, '* than or equal to', '* than or the same as', 'equal to or * than'),
    ),
  ],
  [
    '<=',
    phrases(
      'at most|up to|a maximum of|maximum of|not above|not over|not exceeding|< =|<=',
      expandPatterns(COMPARATIVES_UP, 'no * than', 'not * than'),
      expandPatterns(COMPARATIVES_DOWN, '* than or equal to', '* than or the same as', 'equal to or * than'),
    ),
  ],
  [
    '>',
    phrases(
      'over|above|exceeding|exceeds|exceed|exceeded|in excess of|beyond|more expensive than|>|surpassing|greater|larger|higher|bigger',
      expandPatterns(COMPARATIVES_UP, '* than'),
    ),
  ],
  [
    '<',
    phrases(
      'below|under|beneath|<|smaller|lower|less|less expensive than',
      expandPatterns(COMPARATIVES_DOWN, '* than'),
    ),
  ],
  [
    '!=',
    phraseSet(`
      not equal to|other than|different from|not equals|! =|!=|< >|except for|except|besides|outside|
      excluding
    `),
  ],
  [
    '=',
    phraseSet(`
      equal to|equals|exactly|just|precisely|exactly equal to|the same as|=|equaling|identical to
    `),
  ],
];

const TIME_PHRASES: readonly (readonly [Comparison, PhraseSet])[] = [
  ['>', phraseSet('after|later than|newer than|more recent than')],
  ['<', phraseSet('before|earlier than|prior to|older than')],
  [
    '>=',
    phraseSet(`
      since|starting from|from|on or after|in or after|during or after|no earlier than|not before
    `),
  ],
  ['<=', phraseSet('until|on or before|in or before|during or before|by|no later than|not after')],
];

const PHRASES_AFTER_NUMBER: readonly (readonly [Comparison, PhraseSet])[] = [
  [
    '>=',
    phrases(
      'or above|or over|or later|or after|or up|and above|and over|and later|and after|and up|onwards|onward',
      expandPatterns(COMPARATIVES_UP, 'or *', 'and *'),
    ),
  ],
  [
    '<=',
    phrases(
      'or below|or under|or earlier|or before|and below|and under|and before|and earlier',
      expandPatterns(COMPARATIVES_DOWN, 'or *', 'and *'),
    ),
  ],
];

export interface Comparator {
  readonly op: Comparison;
  readonly position: number;
}

/** Parses `more than`, `at least` or a similar phrase before a number or value. */
export const readComparator = remember((q, position): Comparator | null =>
  findLongestMatch(q, position, PHRASES),
);

/** Parses a comparator that is valid only before a year or date, such as `after`, `before` or `since`. */
export const readTimeComparator = remember((q, position): Comparator | null =>
  findLongestMatch(q, position, TIME_PHRASES),
);

/** Parses a comparator after its number, as in `3 or more`. */
export const readComparatorAfter = remember((q, position): Comparator | null =>
  findLongestMatch(q, position, PHRASES_AFTER_NUMBER),
);

/**
 * Parses a number with its comparator, such as `more than 5`, `5 or more` or `5`. Without a comparator, `op`
 * is null.
 */
export function readComparedNumber(
  q: LinkedQuestion,
  from: number,
): { readonly position: number; readonly op: Comparison | null; readonly value: NumberLiteral } | null {
  const comparator = readComparator(q, from);
  const position = comparator?.position ?? from;
  const token = q.tokens[position];
  if (token?.kind !== 'number') return null;
  const comparatorAfter = comparator === null ? readComparatorAfter(q, position + 1) : null;
  return {
    position: comparatorAfter?.position ?? position + 1,
    op: comparator?.op ?? comparatorAfter?.op ?? null,
    value: toNumberLiteral(token),
  };
}

function findLongestMatch(q: LinkedQuestion, position: number, list: typeof PHRASES): Comparator | null {
  let best: Comparator | null = null;
  for (const [op, phrases] of list) {
    const to = matchPhrase(q, position, phrases);
    if (to > (best?.position ?? -1)) best = { op, position: to };
  }
  return best;
}

/** Reports whether the token is a form of `be`. */
export function isBe(q: LinkedQuestion, position: number): boolean {
  return ['is', 'are', 'was', 'were', 'be', 'been', 'being'].includes(wordAt(q, position));
}

const RANGES = phraseSet('in the range|in a range|within the range|in range');

/** Skips `words`, but stops before a comparator or a range, such as `at least` in `of at least 3`. */
export function skipUpToComparator(q: LinkedQuestion, from: number, words: ReadonlySet<string>): number {
  let position = from;
  while (
    words.has(wordAt(q, position)) &&
    readComparator(q, position) === null &&
    matchPhrase(q, position, RANGES) < 0
  )
    position += 1;
  return position;
}

/** Parses both ends of a range, as in `between 1 and 5`, `from 1 to 5` and `in the range of 1 to 5`. */
export function readBetween(q: LinkedQuestion, from: number): Parsed<readonly [Literal, Literal]> | null {
  const start = matchPhrase(
    q,
    from,
    phraseSet(`
      between|from|in between|ranging from|ranging between|range from|in range|in a range of|
      in a range from|in a range between|in the range|in the range of|in the range from|
      in the range between|within the range|within the range of|within the range from|
      within the range between
    `),
  );
  if (start < 0) return null;
  const [low] = readValues(q, start);
  if (low === undefined || !['and', 'to', '-', 'through', 'until'].includes(wordAt(q, low.position)))
    return null;
  const [high] = readValues(q, low.position + 1);
  const kind = low.value.literal.kind;
  return high === undefined || high.value.literal.kind !== kind
    ? null
    : { position: high.position, cost: 0, value: [low.value.literal, high.value.literal] };
}

export const NEGATED_COMPARISON: Readonly<Record<Comparison, Comparison>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/**
 * Creates a comparison of a column with a literal. `position` is the index of the token with the column's
 * name.
 */
export function compareColumns(
  links: readonly ColumnLink[],
  position: number,
  op: Comparison,
  value: Literal,
): Condition {
  return { kind: 'compare', column: { links, owner: null, position }, op, value };
}
