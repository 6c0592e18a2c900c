import type { LinkedQuestion } from '../../link/linked-question.js';
import { isKey, isNumberLink } from '../../resolve/column-kinds.js';
import type { ColumnRef, Comparison, Condition } from '../../types.js';
import { wordSet } from '../../words/word-set.js';
import { readComparand } from './aggregate-comparisons.js';
import { readComparator, readComparedNumber, readTimeComparator, readBetween } from './comparators.js';
import { readConditions } from './conditions.js';
import { readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, type Parsed, phraseSet, skipWords, wordAt } from '../reader.js';
import { toNumberLiteral } from '../../words/number-literal.js';

/** Parses a comparator and a number before their column, as in `at least 3 credits` and `over 100 points`. */
export function readComparatorFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const compared = readComparedNumber(q, from);
  if (compared === null || compared.op === null) return [];
  const { op, value: number } = compared;
  return readColumns(q, compared.position)
    .filter((column) => column.value.links.some(isNumberLink))
    .map((column) => ({
      position: column.position,
      cost: column.cost + 0.1,
      value: {
        kind: 'compare' as const,
        column: { ...toRef(column.value), links: column.value.links.filter(isNumberLink) },
        op,
        value: number,
      },
    }));
}

const BEFORE_EXACT_NUMBER = wordSet(`
  have has had with having give gives gave given received get got of carry offer scored exactly worth either
  or and
`);

/** Parses an exact number before its column, as in `with 1 credit` and `that have 3 or 4 stars`. */
export function readNumberFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const start = ['the', 'a', 'exactly'].includes(wordAt(q, from)) ? from + 1 : from;
  const [token, link, other] = [q.tokens[start], wordAt(q, start + 1), q.tokens[start + 2]];
  if (token?.kind !== 'number' || !BEFORE_EXACT_NUMBER.has(wordAt(q, from - 1))) return [];
  const values = link === 'or' && other?.kind === 'number' ? [token, other] : [token];
  return readColumns(q, start + 2 * values.length - 1).flatMap((column) => {
    const links = column.value.links.filter(
      (columnLink) =>
        isNumberLink(columnLink) && !isKey(columnLink.table, columnLink.column) && columnLink.cost < 0.5,
    );
    if (
      links.length === 0 ||
      (q.tables[column.value.position] ?? []).some((span) =>
        span.links.some((tableLink) => tableLink.cost < 0.3),
      )
    )
      return [];
    const ref: ColumnRef = { ...toRef(column.value), links };
    const parts = values.map((value): Condition => ({
      kind: 'compare',
      column: ref,
      op: '=',
      value: toNumberLiteral(value),
    }));
    const [first] = parts;
    return first === undefined
      ? []
      : [
          {
            position: column.position,
            cost: column.cost + 0.2,
            value: parts.length === 1 ? first : { kind: 'any' as const, parts },
          },
        ];
  });
}

/** Parses a range before its column, as in `between 100 and 300 hours`. */
export function readBetweenFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const between = readBetween(q, from);
  if (between === null || between.value[0].kind !== 'number') return [];
  return readColumns(q, between.position).flatMap((column) => {
    const links = column.value.links.filter(isNumberLink);
    return links.length === 0
      ? []
      : [
          {
            position: column.position,
            cost: column.cost + 0.1,
            value: {
              kind: 'between' as const,
              column: { ...toRef(column.value), links },
              low: between.value[0],
              high: between.value[1],
            },
          },
        ];
  });
}

const COMPARISON_OF_ADJECTIVE: ReadonlyMap<string, Comparison> = new Map([
  ['higher', '>'],
  ['larger', '>'],
  ['greater', '>'],
  ['bigger', '>'],
  ['more', '>'],
  ['longer', '>'],
  ['lower', '<'],
  ['smaller', '<'],
  ['less', '<'],
  ['shorter', '<'],
]);

/**
 * Parses a column between an adjective and `than`, as in `a higher price than 100` and `a lower salary than
 * the average`.
 */
export function readHigherColumn(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const op = COMPARISON_OF_ADJECTIVE.get(wordAt(q, from));
  if (op === undefined) return [];
  return readColumns(q, from + 1).flatMap((column) => {
    const links = column.value.links.filter(isNumberLink);
    return links.length === 0 || wordAt(q, column.position) !== 'than'
      ? []
      : readComparand(q, column.position + 1, {
          column: { ...toRef(column.value), links },
          op,
          cost: column.cost,
          readConditions,
        });
  });
}

/**
 * Parses a column between its comparator and its number, or before an average, as in `under age 30` and `over
 * the average salary`.
 */
export function readComparedColumn(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const comparator = readComparator(q, from) ?? readTimeComparator(q, from);
  if (comparator === null || ['from', 'by'].includes(wordAt(q, comparator.position - 1))) return [];
  const average = matchPhrase(
    q,
    comparator.position,
    phraseSet(`
      average|the average|mean|the mean|average number of|the average number of|average amount of|
      the average amount of
    `),
  );
  if (average > 0)
    return readColumns(q, average).flatMap((column) => {
      const links = column.value.links.filter(isNumberLink);
      return links.length === 0
        ? []
        : [
            {
              position: column.position,
              cost: column.cost + 0.15,
              value: {
                kind: 'toAggregate' as const,
                column: { ...toRef(column.value), links },
                op: comparator.op,
                fn: 'avg' as const,
                where: [],
              },
            },
          ];
    });
  return readColumns(q, skipWords(q, comparator.position, wordSet('the a an'))).flatMap((column) => {
    const links = column.value.links.filter(isNumberLink);
    const position = skipWords(q, column.position, wordSet('of'));
    const token = q.tokens[position];
    if (links.length === 0 || token?.kind !== 'number') return [];
    return [
      {
        position: position + 1,
        cost: column.cost + 0.1,
        value: {
          kind: 'compare' as const,
          column: { ...toRef(column.value), links },
          op: comparator.op,
          value: toNumberLiteral(token),
        },
      },
    ];
  });
}
