import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric } from '../../resolve/column-kinds.js';
import type { Aggregate, ColumnLink, Condition } from '../../types.js';
import { listAmountLinks } from '../targets/totals.js';
import { readComparator, readComparatorAfter } from './comparators.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { readColumns, toRef, type ColumnPhrase } from '../nouns/column-phrases.js';
import { matchPhrase, type PhraseSet, phraseSet, type Parsed, remember, skipWords } from '../reader.js';
import { wordSet } from '../../words/word-set.js';
import { toNumberLiteral } from '../../words/number-literal.js';

const AGGREGATES: readonly (readonly [Aggregate, PhraseSet])[] = [
  ['avg', phraseSet('average|mean|an average|a mean|the average|an average of')],
  [
    'sum',
    phraseSet(`
      total|a total|the total|sum of|combined|a combined|a sum of|the sum of|a total amount of|
      total amount of
    `),
  ],
  ['max', phraseSet('maximum|a maximum|the maximum')],
  ['min', phraseSet('minimum|a minimum|the minimum')],
];

/**
 * Parses a condition on an aggregate of child rows, such as `with an average rating above 4` or `whose
 * average product price is over 50`.
 */
export const readAggregateConditions = remember(findAggregateConditions);

function findAggregateConditions(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  return [
    ...readAmounts(q, from),
    ...AGGREGATES.flatMap(([fn, phrases]) => {
      const position = matchPhrase(q, from, phrases);
      return position < 0
        ? []
        : readAggregatedColumns(q, position).flatMap((column) => readAggregateComparison(q, column, fn));
    }),
  ];
}

/**
 * Parses a condition on an amount that is distributed over several child rows. It becomes a condition on
 * their sum. An example is `products with stock below 5` if a table `stock` has an amount for each warehouse.
 */
function readAmounts(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  return readColumns(q, from)
    .map((column) => ({ ...column, value: { ...column.value, links: listAmountLinks(q, column) } }))
    .filter(({ value }) => value.links.length > 0)
    .flatMap((column) => readAggregateComparison(q, column, 'sum'));
}

/**
 * Parses the aggregated column with or without its table, such as `price`, `product price` or `price of
 * products`.
 */
function readAggregatedColumns(q: LinkedQuestion, position: number): Parsed<ColumnPhrase>[] {
  const plain = readColumns(q, position);
  const owned = readEntities(q, position).flatMap((entity) =>
    readColumns(q, entity.position).map((column) =>
      limitToTables(
        column,
        entity.value.links.map((link) => link.table.name),
        entity.cost,
      ),
    ),
  );
  const of = plain.flatMap((column) => {
    const next = matchPhrase(
      q,
      column.position,
      phraseSet('of|for|of the|of all|of its|of their|of all its'),
    );
    return next < 0
      ? []
      : readEntities(q, next).map((entity) => ({
          ...limitToTables(
            column,
            entity.value.links.map((link) => link.table.name),
            entity.cost,
          ),
          position: entity.position,
        }));
  });
  return [...plain, ...owned, ...of].filter((parsed) => parsed.value.links.length > 0);
}

function limitToTables(
  column: Parsed<ColumnPhrase>,
  tables: readonly string[],
  cost: number,
): Parsed<ColumnPhrase> {
  return {
    ...column,
    cost: column.cost + cost,
    value: { ...column.value, links: column.value.links.filter((link) => tables.includes(link.table.name)) },
  };
}

function readAggregateComparison(
  q: LinkedQuestion,
  column: Parsed<ColumnPhrase>,
  fn: Aggregate,
): Parsed<Condition>[] {
  const start = skipWords(q, column.position, wordSet('is are was were of that being equal to be'));
  const comparator = readComparator(q, start);
  const position = comparator?.position ?? start;
  const token = q.tokens[position];
  const links: ColumnLink[] = column.value.links.filter((link) => isNumeric(link.column));
  const comparatorAfter = comparator === null ? readComparatorAfter(q, position + 1) : null;
  const op = comparator?.op ?? comparatorAfter?.op;
  if (op === undefined || token?.kind !== 'number' || links.length === 0) return [];
  return [
    {
      position: comparatorAfter?.position ?? position + 1,
      cost: column.cost,
      value: {
        kind: 'aggregate',
        column: { ...toRef(column.value), links, isChildColumn: true },
        fn,
        op,
        value: toNumberLiteral(token),
      },
    },
  ];
}
