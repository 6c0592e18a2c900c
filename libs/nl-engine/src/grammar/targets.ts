import type { LinkedQuestion } from '../link/link-question.js';
import { isNumeric } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import type { Aggregate, Draft, Interpretation, Target } from '../types.js';
import { listAmountLinks, listSummedPer } from './amounts.js';
import { readFlags } from './flags.js';
import {
  readColumns,
  readEntities,
  toMeasured,
  toRef,
  type ColumnPhrase,
  type EntityPhrase,
} from './noun-phrase.js';
import { readAdjective, readVerbMeasure } from '../words/adjectives.js';
import { readComparator } from './comparators.js';
import { readPossessives } from './possessives.js';
import { isVerb, listDateWords } from '../words/verbs.js';
import { readShare } from './shares.js';
import { costOfTableKey } from './table-key.js';
import { readSizes } from './sizes.js';
import { readTops } from './tops.js';
import { isTotalOfMany, isTotalRows, readTotalOf, readValueOf } from './totals.js';
import {
  addConditions,
  addMention,
  advance,
  DETERMINERS,
  matchPhrase,
  type PhraseSet,
  phraseSet,
  type Parsed,
  putTies,
  remember,
  skipWords,
  wordAt,
} from './reader.js';
import { wordSet } from '../words/word-set.js';

const COUNT_OF = phraseSet(
  'count the number of|count the total number of|count the|count all|count how many|number of|numbers of|total number of|total numbers of|count of|total count of|amount of|quantity of|total amount of|how many|count|counts of|how many total',
);
const NAMES_OF_COST = 0.25;
const EVERYTHING = phraseSet(
  'information|details|data|info|everything|detail|records|all information|all details|all fields|all columns|all data',
);
/** Matches the end of `what information is there on stores`. */
const IS_THERE = phraseSet(
  'is there|are there|do we have|do you have|have we|is available|is known|is recorded|is stored',
);
const AGGREGATES: readonly (readonly [Aggregate, PhraseSet])[] = [
  ['avg', phraseSet('average|mean|avg|average value of|average of')],
  [
    'sum',
    phraseSet(
      'total|sum|sum of|total amount of|total value of|total of|combined|overall|sum total of|how much total',
    ),
  ],
  ['max', phraseSet('maximum|max|highest|largest|greatest|biggest|most|latest|longest|top|maximal|oldest')],
  ['min', phraseSet('minimum|min|lowest|smallest|least|earliest|shortest|minimal|youngest')],
];
const LIST_JOINS = phraseSet(
  ', and also|, and the|, and|, as well as|as well as|, along with|along with|together with|and also|and|,|, together with|, with their|with their|with its|, also|&|, followed by|, plus',
);

/** Parses one or more targets: `the names and ages`, `the average age and the number of students`. */
export function readTargets(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  let front = readTarget(q, interpretation);
  const done = [...front];
  for (let step = 0; step < 6 && front.length > 0; step += 1) {
    front = front.flatMap((item) => {
      const next = matchPhrase(q, item.position, LIST_JOINS);
      return next < 0 ? [] : readTarget(q, { ...item, position: next });
    });
    done.push(...front);
  }
  return done;
}

/** Returns all interpretations of a single target. */
export function readTarget(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const position = skipWords(q, interpretation.position, DETERMINERS);
  return [
    ...readSizes(q, interpretation, position),
    ...readShare(q, interpretation, position),
    ...readTops(q, interpretation, interpretation.position),
    ...readTotalOf(q, interpretation, position),
    ...readValueOf(q, interpretation, position),
    ...readCount(q, interpretation, position),
    ...readAggregate(q, interpretation, position),
    ...readEverything(q, interpretation, position),
    ...readEverythingAfter(q, interpretation, position),
    ...readColumnTarget(q, interpretation, interpretation.position),
    ...readOwnedColumn(q, interpretation, interpretation.position),
    ...readRows(q, interpretation, interpretation.position),
    ...readHowMuch(q, interpretation, interpretation.position),
    ...readPossessives(q, interpretation, position),
  ];
}

function addTarget(draft: Draft, target: Target): Draft {
  return { ...draft, targets: [...draft.targets, target] };
}

/**
 * Adds the mention of a noun phrase.
 * A table that is already mentioned is reused, unless the phrase adds conditions.
 */
export function placeEntity(draft: Draft, entity: EntityPhrase, parent: number): Draft {
  const known =
    entity.conditions.length > 0 || entity.orders.length > 0
      ? -1
      : draft.mentions.findIndex(
          (mention, position) =>
            (mention.quantity === null || position === 0) &&
            !mention.negated &&
            mention.links.some(
              (link) => link.cost < 0.5 && entity.links.some((other) => other.table === link.table),
            ),
        );
  const placed =
    known >= 0
      ? { ...draft, focus: known }
      : addMention(draft, { links: entity.links, conditions: [] }, parent);
  const id = placed.focus;
  const bound = addConditions(
    placed,
    id,
    entity.conditions.map((condition) => putTies(condition, id)),
  );
  if (entity.orders.length === 0)
    return entity.limit === null ? bound : { ...bound, limit: bound.limit ?? entity.limit };
  const orders = entity.orders.map((order) =>
    order.key.kind === 'column'
      ? { ...order, key: { ...order.key, column: { ...order.key.column, owner: id } } }
      : order,
  );
  return { ...bound, orders: [...bound.orders, ...orders], limit: bound.limit ?? entity.limit };
}

/** Parses a count without words such as `number of`. */
function readTotal(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  return [...readCountBehind(q, interpretation, from), ...readTotalRows(q, interpretation, from)];
}

/** Parses `the task count`, with the noun first. */
function readCountBehind(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  return readEntities(q, from)
    .filter(
      (entity) =>
        entity.value.orders.length === 0 && ['count', 'counts'].includes(wordAt(q, entity.position)),
    )
    .map((entity) => {
      const draft = placeEntity(
        interpretation.draft,
        entity.value,
        interpretation.draft.mentions.length > 0 ? 0 : -1,
      );
      const isCounted = draft.targets.some(
        (target) => target.kind === 'count' && target.mention === draft.focus,
      );
      return advance(
        interpretation,
        entity.position + 1,
        entity.cost + 0.1,
        isCounted ? draft : addTarget(draft, { kind: 'count', mention: draft.focus, distinct: false }),
      );
    });
}

/** Parses `total posts` as a count when no column of that name can be summed. */
function readTotalRows(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  if (wordAt(q, from) !== 'total' || q.tokens[from + 1]?.lemma === q.tokens[from + 1]?.lower) return [];
  const isSummed = readColumns(q, from + 1).some((column) =>
    column.value.links.some((link) => isNumeric(link.column) && link.isPart !== true),
  );
  return isSummed
    ? []
    : readEntities(q, from + 1)
        .filter((entity) => entity.value.orders.length === 0)
        .map((entity) => {
          const draft = placeEntity(
            interpretation.draft,
            entity.value,
            interpretation.draft.mentions.length > 0 ? 0 : -1,
          );
          return advance(
            interpretation,
            entity.position,
            entity.cost + 0.2,
            addTarget(draft, { kind: 'count', mention: draft.focus, distinct: false }),
          );
        });
}

function readCount(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const position = matchPhrase(q, from, COUNT_OF);
  if (position < 0) return readTotal(q, interpretation, from);
  const them = matchPhrase(q, position, phraseSet('of them|of these|of those'));
  // `for each type of store, how many of them are there?` counts the rows that were already named.
  if (them > 0)
    return interpretation.draft.groups.length === 0
      ? []
      : [
          advance(
            interpretation,
            them,
            0.1,
            addTarget(interpretation.draft, { kind: 'count', mention: 0, distinct: false }),
          ),
        ];
  const interpretations: Interpretation[] = [];
  for (const entity of readEntities(q, position)) {
    if (entity.value.isEach) continue;
    const draft = placeEntity(
      interpretation.draft,
      entity.value,
      interpretation.draft.mentions.length > 0 ? 0 : -1,
    );
    const rival = saysAmount(q, from, position, entity.value)
      ? 1.2
      : hasNumberColumn(q, from, entity.position)
        ? 0.6
        : entity.value.distinct &&
            draft.mentions[draft.focus]?.links.every((link) => link.table.primaryKey?.length !== 1) === true
          ? 0.6
          : 0;
    interpretations.push(
      advance(
        interpretation,
        entity.position,
        entity.cost + rival,
        addTarget(draft, { kind: 'count', mention: draft.focus, distinct: entity.value.distinct }),
      ),
    );
  }
  interpretations.push(...readOwnedCount(q, interpretation, position));
  for (const column of readColumns(q, position)) {
    // `number of cities` usually counts distinct values. Without `distinct`, it may also mean rows.
    if (!column.value.distinct && column.value.links.every((link) => isNumeric(link.column))) {
      if (wordAt(q, position - 1) === 'total')
        interpretations.push(
          advance(
            interpretation,
            column.position,
            column.cost + 0.1,
            addTarget(interpretation.draft, {
              kind: 'column',
              column: { ...toRef(column.value), isBehind: true },
              fn: 'sum',
              distinct: false,
            }),
          ),
        );
      if (wordAt(q, position - 2) === 'number')
        interpretations.push(...readHeldNumber(q, interpretation, column));
      continue;
    }
    interpretations.push(
      advance(
        interpretation,
        column.position,
        column.cost + (column.value.distinct ? 0 : 0.7),
        addTarget(interpretation.draft, {
          kind: 'column',
          column: toRef(column.value),
          fn: 'count',
          distinct: true,
        }),
      ),
    );
  }
  return interpretations;
}

/**
 * Parses a distinct count of a column with its table before
 * it, as in `the number of different captain ranks`.
 */
function readOwnedCount(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  return readEntities(q, from)
    .filter(
      (entity) =>
        !entity.value.isEach &&
        entity.value.conditions.length + entity.value.orders.length === 0 &&
        !DETERMINERS.has(wordAt(q, entity.position)),
    )
    .flatMap((entity) =>
      readColumns(q, entity.position).flatMap((column) => {
        const links = column.value.links.filter(
          (link) => !isNumeric(link.column) && entity.value.links.some(({ table }) => table === link.table),
        );
        if (
          links.length === 0 ||
          q.tokens[column.position - 1]?.lemma === q.tokens[column.position - 1]?.lower
        )
          return [];
        const owner = placeEntity(
          interpretation.draft,
          entity.value,
          interpretation.draft.mentions.length > 0 ? 0 : -1,
        );
        const isDistinct = entity.value.distinct || column.value.distinct;
        return [
          advance(
            interpretation,
            column.position,
            entity.cost + column.cost + (isDistinct ? 0.05 : 0.3),
            addTarget(owner, {
              kind: 'column',
              column: { ...toRef(column.value, owner.focus), links },
              fn: 'count',
              distinct: true,
            }),
          ),
        ];
      }),
    );
}

/** Parses `the number of floors` when a column holds that number. */
function readHeldNumber(
  q: LinkedQuestion,
  interpretation: Interpretation,
  column: Parsed<ColumnPhrase>,
): Interpretation[] {
  const links = column.value.links.filter(
    (link) => link.isPart !== true && link.column.valueKind !== 'boolean' && !isKey(link.table, link.column),
  );
  if (
    links.length === 0 ||
    (q.tables[column.value.position] ?? []).some((span) => span.links.some((link) => link.cost < 0.5))
  )
    return [];
  return [
    advance(
      interpretation,
      column.position,
      column.cost + 0.15,
      addTarget(interpretation.draft, {
        kind: 'column',
        column: { ...toRef(column.value), links },
        fn: null,
        distinct: false,
      }),
    ),
  ];
}

/** Returns whether the table has an amount column for `total amount of payments`. */
function saysAmount(q: LinkedQuestion, from: number, to: number, entity: EntityPhrase): boolean {
  const word = q.tokens
    .slice(from, to)
    .find((token) => token.lower === 'amount' || token.lower === 'quantity')?.lower;
  return (
    word !== undefined &&
    entity.links.some((link) => link.table.columns.some((column) => column.name.toLowerCase().includes(word)))
  );
}

/** Returns whether a column such as `number_of_hosts` holds the count. */
function hasNumberColumn(q: LinkedQuestion, from: number, to: number): boolean {
  return (q.columns[from] ?? []).some((span) => span.to === to && span.links.some((link) => link.cost < 0.4));
}

/** Parses aggregate names: `maximum and minimum`, `average`. */
const readAggregateNames = remember(findAggregateNames);

function findAggregateNames(q: LinkedQuestion, from: number): Parsed<readonly Aggregate[]>[] {
  const found: Parsed<readonly Aggregate[]>[] = [];
  const names: Aggregate[] = [];
  let position = from;
  for (;;) {
    const here = AGGREGATES.flatMap(([fn, phrases]) => {
      const to = matchPhrase(q, position, phrases);
      return to < 0 ? [] : [{ fn, to }];
    }).sort((a, b) => b.to - a.to)[0];
    if (here === undefined) break;
    names.push(here.fn);
    position = here.to;
    // `total amount of payments` may refer to an amount column,
    // so `amount` can also be part of the column phrase.
    if (wordAt(q, position - 2) === 'amount' && wordAt(q, position - 3) === 'total')
      found.push({ position: position - 2, cost: 0.05, value: [...names] });
    const isSolid =
      ['average', 'mean', 'maximum', 'max', 'minimum', 'min', 'total', 'sum', 'avg'].includes(
        wordAt(q, position - 1),
      ) || wordAt(q, position - 1) === 'of';
    found.push({ position, cost: isSolid ? 0 : 0.15, value: [...names] });
    const next = matchPhrase(q, position, phraseSet(', and|,|and|and the|, and the|or'));
    if (next < 0) break;
    position = next;
  }
  return found.reverse();
}

const AGGREGATE_SMALL = wordSet('of the all their its value for a');

/** Skips `number of` before a column that already holds numbers, as in `average number of attendances`. */
function skipNumberOf(q: LinkedQuestion, from: number): { readonly to: number; readonly isNumber: boolean } {
  const to = matchPhrase(
    q,
    from,
    phraseSet(
      'number of|numbers of|amount of|count of|number of people|numbers of people|number of the|level of',
    ),
  );
  return to < 0 ? { to: from, isNumber: false } : { to: skipWords(q, to, AGGREGATE_SMALL), isNumber: true };
}

function readAggregate(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const interpretations: Interpretation[] = [];
  for (const names of readAggregateNames(q, from)) {
    const start = skipWords(q, names.position, AGGREGATE_SMALL);
    const number = skipNumberOf(q, start);
    // `the average amount of sales` may refer to the sales or to an amount column.
    const locations = [
      number,
      ...(number.isNumber && wordAt(q, start) === 'amount' ? [{ to: start, isNumber: false }] : []),
    ];
    for (const { phrase, owner, to, cost, isNumber } of locations.flatMap((location) =>
      readOwnedColumns(q, location.to, interpretation.draft).map((column) => ({
        ...column,
        isNumber: location.isNumber,
      })),
    )) {
      if (
        (isNumber && !phrase.links.some((link) => isNumeric(link.column))) ||
        (isOfAge(q, names.position) && q.tokens[to - 1]?.lemma !== 'age')
      )
        continue;
      let draft = owner;
      const ownerId = owner === interpretation.draft ? null : owner.focus;
      for (const fn of names.value)
        draft = addTarget(draft, {
          kind: 'column',
          column: { ...toRef(phrase, ownerId), isBehind: true },
          fn,
          distinct: phrase.distinct,
        });
      const item = advance(interpretation, to, names.cost + cost, draft);
      interpretations.push(item, ...readSameAggregate(q, item, names.value, ownerId));
    }
  }
  return interpretations;
}

/**
 * Returns whether the aggregate is only valid for an age.
 * `the oldest age` is the maximum, while the oldest year is the minimum.
 */
function isOfAge(q: LinkedQuestion, following: number): boolean {
  return ['oldest', 'youngest'].includes(wordAt(q, following - 1));
}

/** Applies the aggregate to further columns, as in `average age and height`. */
function readSameAggregate(
  q: LinkedQuestion,
  interpretation: Interpretation,
  names: readonly Aggregate[],
  owner: number | null,
): Interpretation[] {
  const next = matchPhrase(q, interpretation.position, phraseSet(', and|and|,|as well as|and the|, and the'));
  if (next < 0) return [];
  return readColumns(q, next)
    .filter((column) => column.value.links.some((link) => isNumeric(link.column)))
    .flatMap((column) => {
      let { draft } = interpretation;
      for (const fn of names)
        draft = addTarget(draft, { kind: 'column', column: toRef(column.value, owner), fn, distinct: false });
      const item = { position: column.position, cost: interpretation.cost + column.cost - 0.25, draft };
      return [item, ...readSameAggregate(q, item, names, owner)];
    });
}

/** Parses a column with an optional table before it: `student ages`, `each student's age`. */
export function readOwnedColumns(
  q: LinkedQuestion,
  position: number,
  draft: Draft,
): { phrase: ColumnPhrase; owner: Draft; to: number; cost: number }[] {
  const plain = readColumns(q, position).map((column) => ({
    phrase: column.value,
    owner: draft,
    to: column.position,
    cost: column.cost,
  }));
  return [
    ...plain,
    ...readEntities(q, position).flatMap((entity) => {
      const owner = placeEntity(draft, entity.value, draft.mentions.length > 0 ? 0 : -1);
      const following = ["'s", "'"].includes(wordAt(q, entity.position))
        ? entity.position + 1
        : entity.position;
      return readColumns(q, following)
        .filter((column) => !column.value.isEach)
        .map((column) => ({
          phrase: column.value,
          owner,
          to: column.position,
          cost: entity.cost + column.cost,
        }));
    }),
  ];
}

function readEverything(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const position = matchPhrase(q, from, EVERYTHING);
  if (position < 0) return [];
  const requestCount = matchPhrase(q, position, IS_THERE);
  const isAll =
    interpretation.position < from ||
    ['all', 'the', 'me'].includes(wordAt(q, from - 1)) ||
    wordAt(q, from) === 'everything' ||
    requestCount > 0;
  const end = Math.max(position, requestCount);
  const of = skipWords(q, end, wordSet('about of on for regarding the all'));
  if (!isAll || of === end) return [];
  return readEntities(q, of).map((entity) => {
    const draft = placeEntity(interpretation.draft, entity.value, -1);
    const isColumn = entity.value.links.some(
      (link) =>
        link.cost < 0.5 &&
        link.table.columns.some(
          (column) => q.lexicon.columnWords.get(column)?.at(-1) === q.tokens[position - 1]?.lemma,
        ),
    );
    return advance(
      interpretation,
      entity.position,
      entity.cost + (isColumn ? 0.7 : 0),
      addTarget(draft, { kind: 'everything', mention: draft.focus }),
    );
  });
}

/** Parses `all customer information` when no column has that name. */
function readEverythingAfter(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
): Interpretation[] {
  return readEntities(q, from).flatMap((entity) => {
    const position =
      entity.value.orders.length > 0 || entity.value.isEach
        ? -1
        : matchPhrase(q, entity.position, phraseSet('information|info|data|details'));
    if (
      position < 0 ||
      (q.columns[entity.position] ?? []).length + (q.tables[entity.position] ?? []).length > 0
    )
      return [];
    const draft = placeEntity(interpretation.draft, entity.value, -1);
    return [
      advance(
        interpretation,
        position,
        entity.cost + 0.1,
        addTarget(draft, { kind: 'everything', mention: draft.focus }),
      ),
    ];
  });
}

/** Returns whether a boolean column is an adjective of the following noun, as in `the published posts`. */
function isAdjective(q: LinkedQuestion, position: number, column: Parsed<ColumnPhrase>): boolean {
  return (
    column.value.links.every((link) => link.column.valueKind === 'boolean' || link.isPart === true) &&
    (q.tables[column.position] ?? []).length > 0 &&
    readFlags(q, skipWords(q, position, DETERMINERS)).length > 0
  );
}

/** Parses `names of colleges` as the column `college`. */
const readNamesOf = remember(findNamesOf);

function findNamesOf(q: LinkedQuestion, position: number): Parsed<ColumnPhrase>[] {
  return readColumns(q, position)
    .filter((column) => column.value.isName)
    .flatMap((column) => {
      const of = matchPhrase(q, column.position, phraseSet('of the|of all the|of all|of each|of every|of'));
      const named =
        of < 0
          ? []
          : readColumns(q, of).map((other) => ({
              ...other,
              value: {
                ...other.value,
                links: other.value.links.filter(
                  (link) => link.column.valueKind === 'string' && link.isPart !== true,
                ),
              },
            }));
      return named
        .filter((other) => other.value.links.length > 0)
        .map((other) => ({
          ...other,
          cost: other.cost + NAMES_OF_COST,
          value: { ...other.value, distinct: other.value.distinct || column.value.distinct },
        }));
    });
}

const NUMBER_OF_COST = 0.5;

/**
 * Returns whether the phrase is a count. `the number of apartments` counts rows, although apartments have a
 * number. `the number of the apartment` may refer to that column.
 */
function isNumberOf(q: LinkedQuestion, { position, value }: Parsed<ColumnPhrase>): boolean {
  const noun = q.tokens[skipWords(q, position + 1, DETERMINERS)];
  return (
    position === value.position + 1 &&
    wordAt(q, value.position) === 'number' &&
    wordAt(q, position) === 'of' &&
    noun?.lemma !== noun?.lower
  );
}

/** The cost of reading a noun as rows when it also names their amount. */
const AMOUNT_ROWS_COST = 0.6;

/** The cost of showing `total amount of bookings` per row instead of as a sum. */
const PLAIN_TOTAL_COST = 0.6;

function readColumnTarget(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
): Interpretation[] {
  return [
    ...readColumns(q, position).filter((column) => !isAdjective(q, position, column)),
    ...readNamesOf(q, position),
  ].flatMap((column) => {
    const [isHeld, summed] = [listAmountLinks(q, column).length > 0, listSummedPer(q, column)];
    const isSummed =
      isHeld ||
      summed.length > 0 ||
      (wordAt(q, column.position - 1) === 'total' &&
        column.position - skipWords(q, position, DETERMINERS) === 1 &&
        wordAt(q, column.position) === 'of');
    const ref = isHeld
      ? { ...toRef(column.value), isBehind: true }
      : summed.length > 0
        ? { ...toRef(column.value), links: summed, isBehind: true }
        : toRef(column.value);
    const draft = addTarget(interpretation.draft, {
      kind: 'column',
      column: ref,
      fn: isSummed ? 'sum' : null,
      distinct: false,
    });
    const isOfMany = !isSummed && isTotalOfMany(q, column);
    const cost =
      column.cost +
      costOfTableKey(q, column) +
      (isNumberOf(q, column) ? NUMBER_OF_COST : 0) +
      (isTotalRows(q, column) ? PLAIN_TOTAL_COST : 0);
    const plain = advance(interpretation, column.position, cost + (isOfMany ? PLAIN_TOTAL_COST : 0), {
      ...draft,
      distinct: draft.distinct || column.value.distinct,
    });
    return isOfMany
      ? [
          plain,
          advance(
            interpretation,
            column.position,
            cost,
            addTarget(interpretation.draft, {
              kind: 'column',
              column: { ...ref, isBehind: true },
              fn: 'sum',
              distinct: false,
            }),
          ),
        ]
      : [plain];
  });
}

/** Parses `student names` and `each student's name and age`. */
function readOwnedColumn(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
): Interpretation[] {
  return readEntities(q, position).flatMap((entity) => {
    const owner = placeEntity(
      interpretation.draft,
      entity.value,
      interpretation.draft.mentions.length > 0 ? 0 : -1,
    );
    const isPossessive = ["'s", "'"].includes(wordAt(q, entity.position));
    return readColumns(q, isPossessive ? entity.position + 1 : entity.position)
      .filter((column) => !column.value.isEach)
      .map((column) => {
        const draft = addTarget(owner, {
          kind: 'column',
          column: toRef(column.value, owner.focus),
          fn: null,
          distinct: false,
        });
        const isDistinct = entity.value.distinct || column.value.distinct;
        return advance(
          interpretation,
          column.position,
          entity.cost +
            column.cost +
            (isPossessive ? 0 : 0.05) +
            (!isPossessive && isParticiple(q, entity.position, column.position) ? 0.6 : 0),
          { ...draft, distinct: draft.distinct || isDistinct },
        );
      });
  });
}

/**
 * Returns whether a verb after the noun starts a statement about the rows,
 * as in `posts created`, `customers born` and `products cost more than`.
 */
function isParticiple(q: LinkedQuestion, from: number, to: number): boolean {
  const verb = wordAt(q, from);
  if (to !== from + 1) return false;
  if (readVerbMeasure(verb) !== null && readComparator(q, to) !== null) return true;
  return isVerb(verb) && (/(ed|en|ing|wn|lt|de|ld)$/.test(verb) || listDateWords(verb) !== null);
}

/** Parses `how old is …` as the column that the adjective measures. */
function readHowMuch(q: LinkedQuestion, interpretation: Interpretation, position: number): Interpretation[] {
  const adjective = wordAt(q, position) === 'how' ? readAdjective(wordAt(q, position + 1)) : null;
  const measured = adjective?.degree === 'plain' ? toMeasured(q, adjective.measure, position + 1) : null;
  return measured === null || measured.isReversed
    ? []
    : [
        advance(
          interpretation,
          position + 2,
          0.1,
          addTarget(interpretation.draft, {
            kind: 'column',
            column: measured.ref,
            fn: null,
            distinct: false,
          }),
        ),
      ];
}

/** Parses rows as a target. Their label is shown. */
function readRows(q: LinkedQuestion, interpretation: Interpretation, position: number): Interpretation[] {
  return readEntities(q, position).map((entity) => {
    const draft = placeEntity(
      interpretation.draft,
      entity.value,
      interpretation.draft.mentions.length > 0 ? 0 : -1,
    );
    const amount = readColumns(q, position).some(
      (column) => column.position === entity.position && listAmountLinks(q, column).length > 0,
    )
      ? AMOUNT_ROWS_COST
      : 0;
    if (wordAt(q, entity.position) === 'per' && entity.value.conditions.length === 0)
      return advance(
        interpretation,
        entity.position,
        entity.cost + 0.3 + amount,
        addTarget(draft, { kind: 'count', mention: draft.focus, distinct: false }),
      );
    const placed = addTarget(draft, { kind: 'rows', mention: draft.focus });
    return advance(interpretation, entity.position, entity.cost + 0.2 + amount, {
      ...placed,
      distinct: placed.distinct || entity.value.distinct,
    });
  });
}
