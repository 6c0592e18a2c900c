import type { LinkedQuestion } from '../../link/linked-question.js';
import { isKey } from '../../resolve/column-kinds.js';
import { pinsValue } from '../../resolve/draft-references.js';
import type { Aggregate, ColumnLink, ColumnRef, Comparison, Condition } from '../../types.js';
import { skipAge } from '../implied-conditions/ages.js';
import { readBareConditions } from '../implied-conditions/bare-conditions.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { readColumns } from '../nouns/column-phrases.js';
import { matchPhrase, type PhraseSet, phraseSet, type Parsed, skipWords, wordAt } from '../reader.js';
import { readValues } from './values.js';
import { wordSet } from '../../words/word-set.js';

const AGGREGATE_PHRASES: readonly (readonly [Aggregate, PhraseSet])[] = [
  [
    'avg',
    phraseSet(`
      the average|average|the mean|mean|the average of|that of the average|the average for all|its average|
      their average|the overall average
    `),
  ],
  ['max', phraseSet('the maximum|maximum|the max|the highest|the largest|the greatest|the biggest')],
  ['min', phraseSet('the minimum|minimum|the min|the lowest|the smallest|the least')],
];
/** Phrases that mean all rows. `any` is not included, because it may mean one row or all rows. */
const ALL_ROWS = phraseSet('all|every|that of all|those of all|that of every|each|all the|all other');
const SOME_ROWS = phraseSet(
  'some|at least one|that of some|those of some|that of at least one|at least some',
);
/** Words before a single row, as in `than the product named A`. */
const SINGLE_ROW = phraseSet('the|that of|that of the|the one of');
const QUANTIFIED = phraseSet('any|that of any|all|every|some|at least one|each');

/**
 * The left side and the operator of a comparison. `readConditions` parses conditions on the rows that the
 * right side may name.
 */
export interface Compared {
  readonly column: ColumnRef;
  readonly op: Comparison;
  readonly cost: number;
  readonly readConditions: (q: LinkedQuestion, position: number) => readonly Parsed<Condition>[];
}

/** Parses the right side of a comparison, which is a value or an aggregate of the same column. */
export function readComparand(q: LinkedQuestion, from: number, compared: Compared): Parsed<Condition>[] {
  const { column, op, cost } = compared;
  const against = [...readAggregateComparand(q, from, compared), ...readRowsComparand(q, from, compared)];
  if (against.length > 0) return against;
  const isOrder =
    op !== '=' &&
    op !== '!=' &&
    column.links.every((link) => isPartKey(link) || link.column.valueKind === 'string');
  if (isOrder && skipAge(q, from) > 0) return [];
  if (matchPhrase(q, from, QUANTIFIED) > 0) return [];
  const position = skipWords(q, from, wordSet('the a year date of value'));
  return readValues(q, position).map((value) => ({
    position: value.position,
    cost: cost + value.cost,
    value: { kind: 'compare' as const, column, op, value: value.value.literal },
  }));
}

/**
 * Reports whether the phrase names a table and therefore only implies the table's key. Operators for texts
 * then do not apply.
 */
export function isPartKey({ table, column, isPart }: ColumnLink): boolean {
  return isPart === true && isKey(table, column);
}

/**
 * Parses an aggregate of the compared column, such as `the average`, `the average age` or `the maximum salary
 * of the instructors in Physics`. The names of the column and of the rows are optional.
 */
function readAggregateComparand(
  q: LinkedQuestion,
  from: number,
  { column, op, cost, readConditions }: Compared,
): Parsed<Condition>[] {
  return AGGREGATE_PHRASES.flatMap(([fn, phrases]) => {
    const to = matchPhrase(q, from, phrases);
    if (to < 0) return [];
    // Skips the repeated name of the column, with or without its table, as in `the average balance` and `the
    // average savings balance`.
    const again = [
      to,
      ...readEntities(q, to)
        .filter((entity) => entity.value.conditions.length + entity.value.orders.length === 0)
        .map((entity) => entity.position),
    ]
      .flatMap((start) => readColumns(q, start))
      .filter((other) =>
        other.value.links.some((link) => column.links.some((own) => own.column === link.column)),
      );
    const ends = again.length > 0 ? again.map((other) => other.position) : [to];
    return ends
      .flatMap((end) => readAggregatedRows(q, end, readConditions))
      .map((over) => ({
        position: over.position,
        cost: cost + over.cost,
        value: { kind: 'toAggregate' as const, column, op, fn, where: over.value },
      }));
  });
}

/**
 * Parses a comparison with the values of other rows. It becomes a comparison with their minimum or maximum.
 * Examples are `than all engineers`, `than some songs in English` and `than the rating of at least one of
 * them`.
 */
function readRowsComparand(
  q: LinkedQuestion,
  from: number,
  { column, op, cost, readConditions }: Compared,
): Parsed<Condition>[] {
  if (op === '=' || op === '!=') return [];
  const again = readColumns(q, from).filter((other) =>
    other.value.links.some((link) => column.links.some((own) => own.column === link.column)),
  );
  const starts = [
    from,
    ...again.flatMap((other) =>
      ['of', 'for', 'in'].includes(wordAt(q, other.position)) ? [other.position + 1] : [],
    ),
  ];
  return starts.flatMap((start) =>
    (
      [
        [ALL_ROWS, true, false],
        [SOME_ROWS, false, false],
        [SINGLE_ROW, true, true],
      ] as const
    ).flatMap(([phrases, isAll, isOne]) => {
      const to = matchPhrase(q, start, phrases);
      const fn = op.startsWith('>') === isAll ? ('max' as const) : ('min' as const);
      // The rows need a condition, because no row exceeds the maximum of its whole table. For a single row,
      // the condition must identify it.
      return to < 0
        ? []
        : readRows(q, to, readConditions)
            .filter((rows) => rows.value.length > 0 && (!isOne || rows.value.some(pinsValue)))
            .map((rows) => ({
              position: rows.position,
              cost: cost + rows.cost,
              value: { kind: 'toAggregate' as const, column, op, fn, where: rows.value },
            }));
    }),
  );
}

const BEFORE_ROWS = wordSet('of for in among across from by at on over with that');

/**
 * Parses the rows over which an aggregate is computed, as in `of all students` and `of the instructors in
 * Physics`. If no rows are named, returns an empty list of conditions, which means all rows.
 */
function readAggregatedRows(
  q: LinkedQuestion,
  position: number,
  readConditions: Compared['readConditions'],
): Parsed<readonly Condition[]>[] {
  if (!BEFORE_ROWS.has(wordAt(q, position))) return [{ position, cost: 0, value: [] }];
  return readRows(q, skipWords(q, position + 1, wordSet('all the of any other')), readConditions);
}

const BEFORE_CONDITION = wordSet('with whose where that have has having who are is');

/**
 * Parses the conditions of rows. The rows are named by a table with at most one more condition, or only by a
 * stored value, such as the job in `all engineers`.
 */
function readRows(
  q: LinkedQuestion,
  position: number,
  readConditions: Compared['readConditions'],
): Parsed<readonly Condition[]>[] {
  const start = skipWords(q, position, wordSet('the of other'));
  const values = (q.values[start] ?? [])
    .filter((span) => endsHere(q, span.to))
    .map((span) => ({
      position: span.to,
      cost: 0.1,
      value: [{ kind: 'value' as const, links: span.links, negated: false, owner: null }],
    }));
  return [
    ...values,
    ...readEntities(q, start)
      .filter((entity) => entity.value.orders.length === 0)
      .flatMap((entity) => {
        const { conditions } = entity.value;
        const more = endsHere(q, entity.position)
          ? []
          : [
              ...readNamedRows(q, entity.position),
              ...readBareConditions(q, entity.position),
              ...readConditions(q, skipWords(q, entity.position, BEFORE_CONDITION)),
            ];
        const own = endsHere(q, entity.position)
          ? [{ position: entity.position, cost: entity.cost, value: conditions }]
          : [];
        return [
          ...own,
          ...more.map((parsed) => ({
            position: skipWords(q, parsed.position, NOUNS_AFTER_VALUE),
            cost: entity.cost + parsed.cost,
            value: [...conditions, parsed.value],
          })),
        ];
      }),
  ];
}

/** Parses a related row that is named after a preposition, as in `of supplier Acme`. */
function readNamedRows(q: LinkedQuestion, position: number): Parsed<Condition>[] {
  if (!BEFORE_ROWS.has(wordAt(q, position))) return [];
  return readEntities(q, position + 1).flatMap((entity) => {
    const [named, ...others] = entity.value.conditions;
    return named === undefined || others.length > 0 || entity.value.orders.length > 0
      ? []
      : [{ position: entity.position, cost: entity.cost + 0.1, value: named }];
  });
}

/** Nouns that may follow a value and add no condition, as in `in the Physics department`. */
const NOUNS_AFTER_VALUE = wordSet(`
  department city state country county category industry team club company school college university
  building branch genre winery
`);

function endsHere(q: LinkedQuestion, position: number): boolean {
  return (
    q.tokens[position] === undefined ||
    q.tokens[position]?.kind === 'mark' ||
    ['and', 'or', 'but', 'ordered', 'sorted'].includes(wordAt(q, position))
  );
}
