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

const AGAINST: readonly (readonly [Aggregate, PhraseSet])[] = [
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
/** `any` may mean one or all of the rows, so it is not accepted. */
const ALL = phraseSet('all|every|that of all|those of all|that of every|each|all the|all other');
const SOME = phraseSet('some|at least one|that of some|those of some|that of at least one|at least some');
/** Introduces a single row, as in `than the product named A`. */
const ONE = phraseSet('the|that of|that of the|the one of');
const QUANTIFIED = phraseSet('any|that of any|all|every|some|at least one|each');

/**
 * The column, the operator and the cost of a comparison.
 * `readConditions` parses conditions with a column name for the rows on the other side.
 */
export interface Compared {
  readonly column: ColumnRef;
  readonly op: Comparison;
  readonly cost: number;
  readonly readConditions: (q: LinkedQuestion, position: number) => readonly Parsed<Condition>[];
}

/** Parses the right side of a comparison: a value, or an aggregate of the same column. */
export function readAgainst(q: LinkedQuestion, from: number, compared: Compared): Parsed<Condition>[] {
  const { column, op, cost } = compared;
  const against = [...readAgainstAggregate(q, from, compared), ...readAgainstRows(q, from, compared)];
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

/** Returns whether the column is a key that was named only by its table. Its text is then not compared. */
export function isPartKey({ table, column, isPart }: ColumnLink): boolean {
  return isPart === true && isKey(table, column);
}

/**
 * Parses `the average age` and `the maximum salary of the instructors in Physics`.
 * The column may be repeated, and the aggregate may be limited to some rows.
 */
function readAgainstAggregate(
  q: LinkedQuestion,
  from: number,
  { column, op, cost, readConditions }: Compared,
): Parsed<Condition>[] {
  return AGAINST.flatMap(([fn, phrases]) => {
    const to = matchPhrase(q, from, phrases);
    if (to < 0) return [];
    // Skips a repeated column with or without its table, as in
    // `the average balance` and `the average savings balance`.
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
      .flatMap((end) => readOver(q, end, readConditions))
      .map((over) => ({
        position: over.position,
        cost: cost + over.cost,
        value: { kind: 'toAggregate' as const, column, op, fn, where: over.value },
      }));
  });
}

/**
 * Parses `than all engineers`, `than some songs in English` and `than the rating of at least one of them` as
 * a comparison with the minimum or maximum of those rows.
 */
function readAgainstRows(
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
        [ALL, true, false],
        [SOME, false, false],
        [ONE, true, true],
      ] as const
    ).flatMap(([phrases, isAll, isOne]) => {
      const to = matchPhrase(q, start, phrases);
      const fn = op.startsWith('>') === isAll ? ('max' as const) : ('min' as const);
      // A condition is required, since no row is above all rows.
      // A single row requires a condition that identifies it.
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

const OVER = wordSet('of for in among across from by at on over with that');

/**
 * Parses the rows of an aggregate, as in `of all students` and `of the instructors in Physics`.
 * The default is all rows.
 */
function readOver(
  q: LinkedQuestion,
  position: number,
  readConditions: Compared['readConditions'],
): Parsed<readonly Condition[]>[] {
  if (!OVER.has(wordAt(q, position))) return [{ position, cost: 0, value: [] }];
  return readRows(q, skipWords(q, position + 1, wordSet('all the of any other')), readConditions);
}

const BEFORE_CONDITION = wordSet('with whose where that have has having who are is');

/**
 * Parses rows by a noun with one more condition, or by a value that identifies them, as in `all engineers`.
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
            position: skipWords(q, parsed.position, NOUNS_BEHIND),
            cost: entity.cost + parsed.cost,
            value: [...conditions, parsed.value],
          })),
        ];
      }),
  ];
}

/** Parses related rows that are named, as in `of supplier Acme`. */
function readNamedRows(q: LinkedQuestion, position: number): Parsed<Condition>[] {
  if (!OVER.has(wordAt(q, position))) return [];
  return readEntities(q, position + 1).flatMap((entity) => {
    const [named, ...others] = entity.value.conditions;
    return named === undefined || others.length > 0 || entity.value.orders.length > 0
      ? []
      : [{ position: entity.position, cost: entity.cost + 0.1, value: named }];
  });
}

/** Nouns that may follow a value, as in `in the Physics department`. */
const NOUNS_BEHIND = wordSet(`
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
