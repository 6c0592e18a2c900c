import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric } from '../../resolve/column-kinds.js';
import type { ColumnRef, Condition } from '../../types.js';
import { readAdjective } from '../../words/adjectives.js';
import { readComparator, readComparatorAfter, readBetween } from '../conditions/comparators.js';
import { toMeasured } from '../nouns/measures.js';
import { matchPhrase, phraseSet, type Parsed, wordAt } from '../reader.js';
import { wordSet } from '../../words/word-set.js';
import { toNumberLiteral } from '../../words/number-literal.js';

const AGE_UNITS = phraseSet('years old|year old|years of age|years in age');
const BEFORE_AGE = phraseSet('aged|of age|at the age of|at age');

const FORMS_OF_BE = wordSet('is are was were who aged');

/** Reports whether no noun follows the number, as in `who are under 40`. */
function hasNoNounAfter(q: LinkedQuestion, position: number): boolean {
  const token = q.tokens[position];
  return (
    token === undefined ||
    token.kind === 'mark' ||
    ['for', 'and', 'or', 'but', 'in', 'by', 'of', 'ordered', 'sorted'].includes(token.lower)
  );
}

/**
 * Returns the index after an age that begins at `position`, such as `30 years old`. Returns -1 if none begins
 * there.
 */
export function skipAge(q: LinkedQuestion, position: number): number {
  return q.tokens[position]?.kind === 'number' ? matchPhrase(q, position + 1, AGE_UNITS) : -1;
}

/**
 * Parses a condition on an age, such as `at least 25 years old`, `30 years old or younger` or `aged between
 * 20 and 30`.
 */
export function readAges(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const column = findAge(q, from);
  if (column === null) return [];
  const aged = matchPhrase(q, from, BEFORE_AGE);
  const start = aged > 0 ? aged : from;
  const between = aged > 0 ? readBetween(q, start) : null;
  if (between !== null)
    return [
      {
        position: between.position,
        cost: 0.1,
        value: { kind: 'between', column, low: between.value[0], high: between.value[1] },
      },
    ];
  const either = aged > 0 ? readEither(q, start, column) : null;
  if (either !== null) return [either];
  const comparator = readComparator(q, start);
  const position = comparator?.position ?? start;
  const token = q.tokens[position];
  const age = skipAge(q, position);
  const hasNoAgeWord =
    comparator !== null &&
    aged < 0 &&
    age < 0 &&
    FORMS_OF_BE.has(wordAt(q, from - 1)) &&
    hasNoNounAfter(q, position + 1);
  if (token?.kind !== 'number' || (aged < 0 && age < 0 && !hasNoAgeWord)) return [];
  const end = age > 0 ? age : position + 1;
  const comparatorAfter = comparator === null ? readComparatorAfter(q, end) : null;
  return [
    {
      position: comparatorAfter?.position ?? end,
      cost: 0.1,
      value: {
        kind: 'compare',
        column: hasNoAgeWord
          ? { ...column, links: column.links.filter((link) => /age$/i.test(link.column.name)) }
          : column,
        op: comparator?.op ?? comparatorAfter?.op ?? '=',
        value: toNumberLiteral(token),
      },
    },
  ];
}

/** Parses two alternative ages, as in `aged either 36 or 37`. */
function readEither(q: LinkedQuestion, from: number, column: ColumnRef): Parsed<Condition> | null {
  const position = wordAt(q, from) === 'either' ? from + 1 : from;
  const [first, second] = [q.tokens[position], q.tokens[position + 2]];
  if (first?.kind !== 'number' || second?.kind !== 'number' || wordAt(q, position + 1) !== 'or') return null;
  const parts = [first, second].map((token): Condition => ({
    kind: 'compare',
    column,
    op: '=',
    value: toNumberLiteral(token),
  }));
  return { position: position + 3, cost: 0.1, value: { kind: 'any', parts } };
}

function findAge(q: LinkedQuestion, position: number): ColumnRef | null {
  const first = wordAt(q, position);
  if (
    q.tokens[position]?.kind !== 'number' &&
    readComparator(q, position) === null &&
    !['aged', 'of', 'at'].includes(first)
  )
    return null;
  const oldAdjective = readAdjective('old');
  const measured = oldAdjective === null ? null : toMeasured(q, oldAdjective.measure, position);
  const links =
    measured === null || measured.isReversed
      ? []
      : measured.ref.links.filter((link) => isNumeric(link.column));
  return measured === null || links.length === 0 ? null : { ...measured.ref, links };
}
