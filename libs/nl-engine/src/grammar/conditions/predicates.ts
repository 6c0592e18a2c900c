import type { LinkedQuestion } from '../../link/linked-question.js';
import { isKey } from '../../resolve/column-kinds.js';
import type { ColumnRef, Condition } from '../../types.js';
import { wordSet } from '../../words/word-set.js';
import { isPartKey, readComparand } from './aggregate-comparisons.js';
import {
  NEGATED_COMPARISON,
  isBe,
  readBetween,
  readComparator,
  readComparatorAfter,
  readTimeComparator,
  skipUpToComparator,
} from './comparators.js';
import { readConditions } from './conditions.js';
import { readTextInIt } from './text-parts.js';
import { matchPhrase, type Parsed, phraseSet, skipWords, wordAt } from '../reader.js';
import { readValues } from './values.js';
import { toNumberLiteral } from '../../words/number-literal.js';

const FILLER_WORDS = wordSet(`
  from a an the value of is are was were be been being equal to as equals = : has have in at either both
  with for on located based situated
`);

const STARTS = phraseSet(`
  starts with|start with|starting with|begins with|begin with|beginning with|that starts with|
  that start with|that begins with|started with|prefix|with prefix|starts with the letter|
  start with the letter|starting with the letter|begins with the letter|starting with letter|
  start with letter|starts with letter|begin with the letter|beginning with the letter|starts with letter|
  begins with letter|begin with letter
`);

const ENDS = phraseSet(
  'ends with|end with|ending with|ends in|ending in|end in|ends with the letter|ending with the letter',
);

const CONTAINS = phraseSet(`
  contains|contain|containing|includes|include|including|has the substring|has substring|have the substring|
  contains the substring|contains the word|contains the words|containing the word|containing the words|
  contain the word|contain the substring|containing the letter|contains the letter|contain the letter|
  that contains|that contain|with the substring|with substring|has the word|have the word|with the word|
  like|containing the substring|includes the word|include the word|that includes|with the letter|
  includes the substring|has the letter|have the letter|including the word|containing substring|
  contains substring|contain letter|contains letter|containing letter|has letter|have letter|
  contain the letters|contain the string|contains the string|containing the string|contained the word|
  contained the string|contained|have the string|has the string|with the string|includes the letter|
  include the letter|includes letter|include letter|contains letters|includes the string|include the string|
  contains the phrase|contain the phrase
`);

const MISSING = phraseSet(`
  is null|are null|is missing|are missing|is empty|is unknown|is not known|is not available|is not set|null|
  missing|is not recorded
`);

const PRESENT = phraseSet(
  'is not null|are not null|is known|is available|not null|is not missing|is not empty',
);

/**
 * Parses the condition after the name of a column, which is a test for NULL, a text pattern, a comparison or
 * a value.
 */
export function readPredicate(
  q: LinkedQuestion,
  from: number,
  column: ColumnRef,
  cost: number,
): Parsed<Condition>[] {
  const found: Parsed<Condition>[] = [];
  const add = (position: number, value: Condition, extra = 0): void =>
    void found.push({ position, cost: cost + extra, value });
  let index = from;
  if (['that', 'which', 'who'].includes(wordAt(q, index))) index += 1;
  for (const [phrases, negated] of [
    [PRESENT, true],
    [MISSING, false],
  ] as const) {
    const to = matchPhrase(q, index, phrases);
    if (to > 0) add(to, { kind: 'null', column, negated });
  }
  const [plain, negated] = skipNegation(q, index);
  found.push(...readTextPattern(q, plain, column, negated, cost));
  const afterFiller = skipUpToComparator(q, plain, FILLER_WORDS);
  const [start, isNegated] = negated ? [afterFiller, true] : skipNegation(q, afterFiller);
  found.push(...readComparison(q, start, column, isNegated, cost));
  if (start > from || isNegated || isValueNext(q, from)) {
    const valueAt = skipWords(q, start, FILLER_WORDS);
    for (const value of readValues(q, valueAt))
      add(
        value.position,
        { kind: 'compare', column, op: isNegated ? '!=' : '=', value: value.value.literal },
        value.cost,
      );
  }
  return found;
}

function isValueNext(q: LinkedQuestion, position: number): boolean {
  const token = q.tokens[position];
  return (
    token !== undefined && (token.kind !== 'word' || token.isCapital || (q.values[position] ?? []).length > 0)
  );
}

function skipNegation(q: LinkedQuestion, from: number): [number, boolean] {
  let position = from;
  while (
    isBe(q, position) ||
    ['do', 'does', 'did', 'can', 'has', 'have', 'that'].includes(wordAt(q, position))
  )
    position += 1;
  if (wordAt(q, position) === 'not' || wordAt(q, position) === 'never') return [position + 1, true];
  return [from, false];
}

function readTextPattern(
  q: LinkedQuestion,
  position: number,
  column: ColumnRef,
  negated: boolean,
  cost: number,
): Parsed<Condition>[] {
  const links = column.links.filter(
    (link) => (link.column.valueKind === 'string' || link.column.valueKind === 'enum') && !isPartKey(link),
  );
  if (links.length === 0) return [];
  const held = readTextInIt(q, position);
  if (held !== null)
    return [
      {
        position: held.position,
        cost,
        value: { kind: 'like', column: { ...column, links }, place: 'inside', text: held.value, negated },
      },
    ];
  for (const [phrases, location] of [
    [STARTS, 'start'],
    [ENDS, 'end'],
    [CONTAINS, 'inside'],
  ] as const) {
    const to = matchPhrase(q, position, phrases);
    if (to < 0) continue;
    const token = q.tokens[wordAt(q, to) === 'the' ? to + 1 : to];
    if (token === undefined || token.kind === 'mark') continue;
    // A text after `the word`, or with punctuation such as `example.net`, must be matched as it is written.
    const isSpelled =
      /^(?:word|words|string|substring|phrase)$/.test(wordAt(q, to - 1)) || /[^\p{L}]/u.test(token.text);
    const isPatternText =
      token.kind === 'quoted' ||
      token.isCapital ||
      token.text.length <= 3 ||
      token.kind === 'number' ||
      isSpelled;
    if (isPatternText)
      return [
        {
          position: (wordAt(q, to) === 'the' ? to + 1 : to) + 1,
          cost,
          value: {
            kind: 'like',
            column: { ...column, links },
            place: location,
            text: token.text.replaceAll('%', ''),
            negated,
          },
        },
      ];
  }
  return [];
}

/** Comparatives that imply what they measure, such as an age. `higher` and `more` do not. */
const MEASURING_COMPARATIVES = wordSet(`
  older younger taller heavier lighter longer shorter faster slower deeper wider cheaper stronger
`);

/**
 * Parses a comparator and its value after the name of a column, such as `over 20`, `between 1 and 5` or `20
 * or more`.
 */
export function readComparison(
  q: LinkedQuestion,
  from: number,
  column: ColumnRef,
  isNegated: boolean,
  cost: number,
): Parsed<Condition>[] {
  const found: Parsed<Condition>[] = [];
  const between = readBetween(q, from);
  if (between !== null)
    found.push({
      position: between.position,
      cost,
      value: { kind: 'between', column, low: between.value[0], high: between.value[1] },
    });
  const [plain, timely] = [readComparator(q, from), readTimeComparator(q, from)];
  const keyless: ColumnRef = {
    ...column,
    links: column.links.filter((link) => !isKey(link.table, link.column)),
  };
  // Comparatives such as `older` never measure a key, as in `ids of students who are older than 20`.
  const own = MEASURING_COMPARATIVES.has(wordAt(q, from)) ? keyless : column;
  if (plain !== null && own.links.length > 0)
    found.push(
      ...readComparand(q, plain.position, {
        column: own,
        op: isNegated ? NEGATED_COMPARISON[plain.op] : plain.op,
        cost,
        readConditions,
      }),
    );
  if (timely !== null && keyless.links.length > 0)
    found.push(
      ...readComparand(q, timely.position, {
        column: keyless,
        op: isNegated ? NEGATED_COMPARISON[timely.op] : timely.op,
        cost,
        readConditions,
      }).filter(({ value }) => comparesTime(value, wordAt(q, timely.position - 1))),
    );
  const token = q.tokens[from];
  if (token?.kind === 'number') {
    const comparatorAfter = readComparatorAfter(q, from + 1);
    if (comparatorAfter !== null)
      found.push({
        position: comparatorAfter.position,
        cost,
        value: {
          kind: 'compare',
          column,
          op: comparatorAfter.op,
          value: toNumberLiteral(token),
        },
      });
  }
  return found;
}

/** Reports whether a time comparator is followed by a time. In `from USA`, it is not. */
function comparesTime(value: Condition, comparator: string): boolean {
  if (value.kind === 'compare') return value.value.kind !== 'text' || /^\d/.test(value.value.text);
  return comparator !== 'from' && comparator !== 'by';
}
