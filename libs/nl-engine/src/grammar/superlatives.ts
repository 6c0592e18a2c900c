import type { Column, Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/link-question.js';
import { isCalendar, isNumeric } from '../resolve/fits-literal.js';
import { findLabel } from '../resolve/find-label.js';
import { isKey } from '../resolve/is-key.js';
import type { ColumnLink, Order, Interpretation } from '../types.js';
import { DONE_COST, listDone } from './done.js';
import { listHappenedOn } from './happened-on.js';
import { readColumns, readEntities, readSuperlative, toMeasured, toRef } from './noun-phrase.js';
import { readNested } from './nested.js';
import { readRated, readVerbMeasure } from '../words/adjectives.js';
import { placeEntity, readOwnedColumns } from './targets.js';
import { findFollowing } from './tops.js';
import { isVerb } from '../words/verbs.js';
import {
  addMention,
  advance,
  findSame,
  matchPhrase,
  phraseSet,
  type Parsed,
  skipBack,
  skipWords,
  wordAt,
} from './reader.js';
import { wordSet } from '../words/word-set.js';

const INTRO = wordSet(`
  can could ever charge part responsible with has have had having that which who whose by in of is are was
  were the a on at for and contain contains where , from hold holds received got receives offers offer
  produced scored uses use belongs belong to their its owns own does do did most also taken takes took made
  published written wrote been be used played won taught attended enrolled participated ordered bought
  placed hosted held directed treated assigned serves serve runs run hosts performed appeared shown served
  employs employ ranked
`);
/** Combines any word for the most with any word for a number, as in `the greatest total number of`. */
const listAmounts = (words: string): string[] =>
  words
    .split(' ')
    .flatMap((word) =>
      [
        'number',
        'amount',
        'quantity',
        'count',
        'total number',
        'total amount',
        'total count',
        'overall number',
      ].map((amount) => `${word} ${amount} of`),
    );
const MOST_OF = phraseSet(
  [
    'most',
    'most of',
    'most of the',
    'the most of',
    ...listAmounts('most largest highest greatest biggest maximum max top'),
  ].join('|'),
);
const LEAST_OF = phraseSet(
  ['least', 'fewest', ...listAmounts('least smallest lowest fewest minimum min minimal')].join('|'),
);
const HIGH = phraseSet(
  'highest|largest|greatest|maximum|max|biggest|most|best|longest|latest|oldest|top|most recent|newest|tallest|heaviest|richest',
);
const LOW = phraseSet(
  'lowest|smallest|least|minimum|min|worst|shortest|earliest|fewest|cheapest|youngest|lightest|slowest',
);
/** Superlatives that cannot refer to a date. */
const SIZES = wordSet('highest largest greatest biggest lowest smallest longest shortest');
const AVERAGES = phraseSet('average|mean|total|combined');

/** Parses `with the highest salary`, `that has the most students` and `with the 3 largest areas`. */
export function readSuperlatives(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  if (draft.orders.length > 0 || (draft.mentions.length === 0 && draft.targets.length === 0)) return [];
  const ends = listStarts(q, interpretation.position);
  return ends.flatMap((start) => {
    const limit = readLimit(q, start);
    const interpretations = [
      ...readByColumn(q, interpretation, limit.position, limit.value),
      ...readByCount(q, interpretation, limit.position, limit.value),
      ...readByAdjective(q, interpretation, limit.position, limit.value),
      ...readByVerb(q, interpretation, limit.position, limit.value),
      ...readByTime(q, interpretation, limit.position),
    ];
    return interpretations.flatMap((item) => readNested(q, item, draft.focus));
  });
}

const SORTED = wordSet(`
  order ordered sort sorted sorting ascending descending increasing decreasing listed arranged starting
  beginning
`);

const STARTS_MAX = 6;
const CHARGES = wordSet('charge responsible part');

function listStarts(q: LinkedQuestion, from: number): number[] {
  const starts: number[] = [];
  // `who is in charge of the most` has five words before the superlative.
  const target = q.tokens.slice(from, from + STARTS_MAX).some(({ lower }) => CHARGES.has(lower))
    ? STARTS_MAX + 2
    : STARTS_MAX;
  for (let position = from; position < from + target; position += 1) {
    starts.push(position);
    // In `the product that was ordered most often`, the verb is an event rather than an order.
    const isDone =
      wordAt(q, position) === 'ordered' && ['was', 'were', 'been'].includes(wordAt(q, position - 1));
    if (
      (SORTED.has(wordAt(q, position)) && !isDone) ||
      (!INTRO.has(wordAt(q, position)) && !isVerb(wordAt(q, position)))
    )
      break;
  }
  return starts;
}

function readLimit(q: LinkedQuestion, from: number): { readonly position: number; readonly value: number } {
  const isTop = wordAt(q, from) === 'top';
  const token = q.tokens[isTop ? from + 1 : from];
  if (token?.kind !== 'number' || !Number.isInteger(token.value) || token.value > 1_000)
    return { position: from, value: 1 };
  return { position: (isTop ? from + 2 : from + 1) - (isTop ? 2 : 0), value: token.value };
}

function readByColumn(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  limit: number,
): Interpretation[] {
  const interpretations: Interpretation[] = [];
  for (const [phrases, phrasesDirection] of [
    [HIGH, 'desc'],
    [LOW, 'asc'],
  ] as const) {
    let position = matchPhrase(q, from, phrases);
    if (position < 0 || ['at', 'to'].includes(wordAt(q, from - 1))) continue;
    let count = limit;
    const token = q.tokens[position];
    if (token?.kind === 'number' && Number.isInteger(token.value)) {
      count = token.value;
      position += 1;
    }
    // In `top 3 lowest`, the second word gives the direction.
    const [low, high] =
      wordAt(q, position - 1) === 'top' || wordAt(q, position - 2) === 'top'
        ? [matchPhrase(q, position, LOW), matchPhrase(q, position, HIGH)]
        : [-1, -1];
    const direction = low > 0 ? ('asc' as const) : phrasesDirection;
    position = Math.max(position, low, high);
    const averaged = matchPhrase(q, position, AVERAGES);
    const fn =
      averaged < 0
        ? null
        : wordAt(q, averaged - 1) === 'total' || wordAt(q, averaged - 1) === 'combined'
          ? ('sum' as const)
          : ('avg' as const);
    const start = averaged < 0 ? position : averaged;
    const columnAt = skipWords(q, start, wordSet('of the value for amount overall number'));
    // `the highest total amount` may refer to the amount of something or to an amount column.
    const locations =
      columnAt > start && wordAt(q, columnAt - 1) === 'amount' ? [columnAt - 1, columnAt] : [columnAt];
    for (const { phrase, owner: owned, to, cost } of locations.flatMap((index) =>
      readOwnedColumns(q, index, interpretation.draft),
    )) {
      const links = phrase.links.filter(
        (link) =>
          (isNumeric(link.column) || isCalendar(link.column)) &&
          !(link.isPart === true && isKey(link.table, link.column)) &&
          !(isCalendar(link.column) && SIZES.has(wordAt(q, columnAt - 1))),
      );
      if (links.length === 0) continue;
      const owner =
        owned !== interpretation.draft
          ? owned.focus
          : interpretation.draft.mentions.length === 0
            ? null
            : interpretation.draft.focus;
      const order: Order = {
        key: {
          kind: 'column',
          column: { ...toRef(phrase, owner), links, ...(fn === null ? {} : { isBehind: true }) },
          fn,
        },
        direction,
      };
      interpretations.push(
        advance(interpretation, to, cost, {
          ...owned,
          focus: interpretation.draft.focus,
          orders: [order],
          limit: interpretation.draft.limit ?? count,
        }),
      );
    }
  }
  return interpretations;
}

function readByCount(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  limit: number,
): Interpretation[] {
  const interpretations: Interpretation[] = [];
  for (const [phrases, direction] of [
    [MOST_OF, 'desc'],
    [LEAST_OF, 'asc'],
  ] as const) {
    const position = Math.max(
      matchPhrase(q, from, phrases),
      direction === 'desc' ? matchTopNumber(q, from) : -1,
    );
    if (position < 0 || ['at', 'to'].includes(wordAt(q, from - 1))) continue;
    interpretations.push(
      ...readByNumberColumn(q, interpretation, position, direction, limit),
      ...readByHeldNumber(q, interpretation, position, direction, limit),
    );
    for (const entity of readEntities(q, position)) {
      if (entity.value.isEach || entity.value.orders.length > 0) continue;
      const parent = interpretation.draft.mentions.length === 0 ? -1 : interpretation.draft.focus;
      const placed = addMention(
        interpretation.draft,
        { links: entity.value.links, conditions: entity.value.conditions },
        parent,
      );
      const order: Order = { key: { kind: 'count', mention: placed.focus }, direction };
      interpretations.push(
        advance(
          interpretation,
          entity.position,
          entity.cost +
            (findNumberColumns(q, position).some((item) => item.to === entity.position) ? 0.6 : 0),
          { ...placed, orders: [order], limit: interpretation.draft.limit ?? limit },
        ),
      );
      const doing = skipDoing(q, entity.position);
      if (doing > entity.position)
        interpretations.push(
          advance(interpretation, doing, entity.cost + 0.15, {
            ...placed,
            orders: [order],
            limit: interpretation.draft.limit ?? limit,
          }),
        );
    }
    interpretations.push(
      ...readByColumnRows(q, interpretation, position, { direction, limit }),
      ...readByOwnRows(q, interpretation, position, { direction, limit }),
    );
    const times = matchPhrase(
      q,
      position,
      phraseSet(
        'number of times|common|commonly|frequent|frequently|popular|often|times|frequently used|used|commonly used|rows|records|occurrences|prevalent|numerous',
      ),
    );
    const alone = isAlone(q, position) ? position : -1;
    const related = interpretation.draft.mentions.length > 1 ? interpretation.draft.focus : -1;
    const last = interpretation.draft.mentions[related];
    const end = times > 0 ? times : alone;
    if (
      end > 0 &&
      last !== undefined &&
      last.conditions.length === 0 &&
      !last.negated &&
      last.quantity === null
    )
      interpretations.push(
        advance(interpretation, end, 0.05, {
          orders: [{ key: { kind: 'count', mention: related }, direction }],
          limit: interpretation.draft.limit ?? limit,
        }),
      );
    // `the instrument that is used the most` refers to the most frequent value.
    const verb = wordAt(q, skipBack(q, from - 1, THE));
    if (
      times < 0 &&
      alone > 0 &&
      related < 0 &&
      isVerb(verb) &&
      readRated(verb) === null &&
      showsValues(interpretation.draft)
    )
      interpretations.push(
        advance(interpretation, alone, 0.15, {
          orders: [{ key: { kind: 'size' }, direction }],
          limit: interpretation.draft.limit ?? limit,
        }),
      );
    if (times > 0 && related < 0 && interpretation.draft.targets.length > 0)
      interpretations.push(
        ...listDone(q, interpretation.draft, verb).map((table) => {
          const placed = addMention(
            interpretation.draft,
            { links: [{ table, cost: DONE_COST }] },
            interpretation.draft.focus,
          );
          return advance(interpretation, times, 0.1, {
            ...placed,
            orders: [{ key: { kind: 'count', mention: placed.focus }, direction }],
            limit: interpretation.draft.limit ?? limit,
          });
        }),
      );
    if (times > 0)
      interpretations.push(
        advance(interpretation, skipWords(q, times, wordSet('used listed owned')), 0.1, {
          orders: [{ key: { kind: 'size' }, direction }],
          limit: interpretation.draft.limit ?? limit,
        }),
      );
  }
  return interpretations;
}

/** Parses `with the top 3 number of transactions`. */
function matchTopNumber(q: LinkedQuestion, from: number): number {
  const count = q.tokens[from + 1];
  return wordAt(q, from) === 'top' && count?.kind === 'number' && Number.isInteger(count.value)
    ? matchPhrase(q, from + 2, phraseSet('number of|numbers of|most|highest number of|largest number of'))
    : -1;
}

const BE = wordSet('do does did are is were was have has had been');
const WHERE = wordSet('in from for to on at there by with');

/**
 * Skips the verb after the counted rows, as in
 * `the city where the most employees live` and `that the most players are from`.
 */
function skipDoing(q: LinkedQuestion, from: number): number {
  const start = skipWords(q, from, BE);
  const verbs = isVerb(wordAt(q, start)) ? start + 1 : start;
  const end = skipWords(q, verbs, WHERE);
  const next = q.tokens[end];
  return next === undefined || next.kind === 'mark' || next.lower === 'and' ? end : from;
}

interface Superlative {
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
}

const COLUMN_ROWS_COST = 0.4;

/**
 * Counts the rows that have a column set, as in
 * `the party with the most delegates` when `delegate` is a column.
 */
function readByColumnRows(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
  { direction, limit }: Superlative,
): Interpretation[] {
  if (
    interpretation.draft.mentions.length === 0 ||
    (q.tables[position] ?? []).some((span) => span.links.some((link) => link.cost < 0.5))
  )
    return [];
  return readColumns(q, position)
    .filter((column) => q.tokens[column.position - 1]?.lemma !== q.tokens[column.position - 1]?.lower)
    .flatMap((column) => {
      const links = column.value.links
        .filter(
          (link) =>
            link.column.valueKind === 'string' &&
            link.isPart !== true &&
            link.cost < 0.3 &&
            !isKey(link.table, link.column),
        )
        .map((link) => ({ table: link.table, cost: link.cost }));
      if (links.length === 0) return [];
      const placed = addMention(interpretation.draft, { links }, interpretation.draft.focus);
      return [
        advance(interpretation, column.position, column.cost + COLUMN_ROWS_COST, {
          ...placed,
          orders: [{ key: { kind: 'count', mention: placed.focus }, direction }],
          limit: interpretation.draft.limit ?? limit,
        }),
      ];
    });
}

/** Counts the rows with each shown value, as in `the ship type with the most ships`. */
function readByOwnRows(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
  { direction, limit }: Superlative,
): Interpretation[] {
  const { draft } = interpretation;
  const [rows, ...others] = draft.mentions;
  if (
    rows === undefined ||
    others.length > 0 ||
    rows.negated ||
    rows.quantity !== null ||
    !showsValues(draft)
  )
    return [];
  return readEntities(q, position)
    .filter(
      ({ value }) =>
        !value.isEach &&
        value.conditions.length + value.orders.length === 0 &&
        findSame(draft, value.links) === 0,
    )
    .map((entity) =>
      advance(interpretation, entity.position, entity.cost + OWN_ROWS_COST, {
        orders: [{ key: { kind: 'size' }, direction }],
        limit: draft.limit ?? limit,
      }),
    );
}

const OWN_ROWS_COST = 0.1;

/** Returns whether the targets are values that several rows may share, rather than labels. */
function showsValues({ targets, mentions }: Interpretation['draft']): boolean {
  const isCalled = (table: Table, column: Column): boolean =>
    findLabel(table).includes(column) && (mentions.length > 0 || /(?:name|title)$/i.test(column.name));
  if (
    targets.some(
      (target) =>
        target.kind === 'column' && target.column.links.some(({ table, column }) => isCalled(table, column)),
    )
  )
    return false;
  return (
    targets.length > 0 &&
    targets.every(
      (target) =>
        target.kind === 'column' &&
        target.fn === null &&
        target.column.links.every(
          ({ table, column }) => !isKey(table, column) || (table.primaryKey?.length ?? 0) > 1,
        ),
    )
  );
}

/** Returns columns that hold the number of the noun at `position`, such as `number_of_hosts` for `hosts`. */
export function findNumberColumns(
  q: LinkedQuestion,
  position: number,
): { readonly to: number; readonly links: readonly ColumnLink[] }[] {
  const found: { to: number; links: readonly ColumnLink[] }[] = [];
  const words: string[] = [];
  for (let to = position; to < Math.min(position + 3, q.tokens.length); to += 1) {
    words.push(q.tokens[to]?.lemma ?? '');
    const links = ['number', 'total', 'count']
      .flatMap((word) => q.lexicon.columns.get([word, ...words].sort().join(' ')) ?? [])
      .filter((link) => link.cost < 0.5 && isNumeric(link.column));
    if (links.length > 0) found.push({ to: to + 1, links });
  }
  return found;
}

function readByNumberColumn(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
  direction: 'asc' | 'desc',
  limit: number,
): Interpretation[] {
  const owner = interpretation.draft.mentions.length === 0 ? null : interpretation.draft.focus;
  return findNumberColumns(q, position).map(({ to, links }) =>
    advance(interpretation, to, 0.1, {
      orders: [{ key: { kind: 'column', column: { links, owner, position }, fn: null }, direction }],
      limit: interpretation.draft.limit ?? limit,
    }),
  );
}

/** Parses `the largest number of international passengers` when a column holds that number. */
function readByHeldNumber(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
  direction: 'asc' | 'desc',
  limit: number,
): Interpretation[] {
  if (wordAt(q, position - 1) !== 'of') return [];
  const owner = interpretation.draft.mentions.length === 0 ? null : interpretation.draft.focus;
  return readColumns(q, position).flatMap((column) => {
    const links = column.value.links.filter(
      (link) => isNumeric(link.column) && link.isPart !== true && !isKey(link.table, link.column),
    );
    return links.length === 0
      ? []
      : [
          advance(interpretation, column.position, column.cost + 0.15, {
            orders: [
              {
                key: { kind: 'column', column: { ...toRef(column.value, owner), links }, fn: null },
                direction,
              },
            ],
            limit: interpretation.draft.limit ?? limit,
          }),
        ];
  });
}

/** Returns whether the superlative has no noun, as in `who commented most last month`. */
function isAlone(q: LinkedQuestion, position: number): boolean {
  const token = q.tokens[position];
  return (
    token === undefined ||
    token.kind === 'mark' ||
    ['last', 'this', 'in', 'since', 'during', 'of', 'on', 'ever', 'yesterday', 'today', 'between'].includes(
      token.lower,
    )
  );
}

/** Parses `who is the oldest` and `that are the most expensive`. */
function readByAdjective(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  limit: number,
): Interpretation[] {
  const found = readSuperlative(q, from);
  if (found === null || interpretation.draft.mentions.length === 0) return [];
  const order = own(found, interpretation.draft.focus);
  return [
    advance(interpretation, skipWords(q, found.position, wordSet('one ones value')), found.cost, {
      orders: [order],
      limit: interpretation.draft.limit ?? limit,
    }),
  ];
}

/** Parses `that was released most recently` as an order by the date of the verb. */
function readByTime(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const late = matchPhrase(
    q,
    from,
    phraseSet('most recently|the most recently|latest|the latest|last|most lately'),
  );
  const early = matchPhrase(q, from, phraseSet('earliest|the earliest|first|least recently'));
  const position = Math.max(late, early);
  if (position < 0 || interpretation.draft.mentions.length === 0) return [];
  // In `who most recently stayed in room 111`, the words after the verb name the rows with the date.
  const isAhead = isVerb(wordAt(q, position)) && ['recently', 'lately'].includes(wordAt(q, position - 1));
  const verbal = listHappenedOn(q, wordAt(q, isAhead ? position : from - 1));
  // `who made an order most recently` refers to the creation time of the orders.
  const focus = interpretation.draft.mentions[interpretation.draft.focus];
  const isThing =
    verbal.length === 0 &&
    RECENTLY.has(wordAt(q, position - 1)) &&
    interpretation.draft.focus > 0 &&
    q.tables
      .slice(0, from)
      .flat()
      .some((span) => span.to === from);
  const links = isThing
    ? q.lexicon.beginnings.filter((link) => focus?.links.some(({ table }) => table === link.table) === true)
    : verbal;
  if (links.length === 0) return [];
  return [
    advance(interpretation, position, 0.15, {
      orders: [
        {
          key: {
            kind: 'column',
            column: { links, owner: isAhead ? null : interpretation.draft.focus, position: from },
            fn: null,
          },
          direction: late > 0 ? 'desc' : 'asc',
        },
      ],
      limit: interpretation.draft.limit ?? 1,
    }),
  ];
}

const RECENTLY = wordSet('recently lately');
const THE = wordSet('the');
const GETTING = wordSet('get gets got is are was were being');

/** Parses `that costs the most`, `who earns least` and `who get paid the least`. */
function readByVerb(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  limit: number,
): Interpretation[] {
  const paid = GETTING.has(wordAt(q, from - 1)) ? readRated(wordAt(q, from)) : null;
  const measure =
    paid === null ? readVerbMeasure(wordAt(q, from)) : { columns: paid, direction: 'up' as const };
  const end = wordAt(q, from + 1) === 'the' ? from + 2 : from + 1;
  const method = wordAt(q, end);
  if (
    measure === null ||
    interpretation.draft.mentions.length === 0 ||
    (method !== 'most' && method !== 'least')
  )
    return [];
  const column = toMeasured(q, measure, from);
  if (column === null || (paid !== null && column.isReversed)) return [];
  const order: Order = {
    key: { kind: 'column', column: { ...column.ref, owner: interpretation.draft.focus }, fn: null },
    direction: method === 'most' ? 'desc' : 'asc',
  };
  return [
    advance(interpretation, end + 1, 0.1, { orders: [order], limit: interpretation.draft.limit ?? limit }),
  ];
}

function own(parsed: Parsed<Order>, owner: number): Order {
  return parsed.value.key.kind === 'column'
    ? { ...parsed.value, key: { ...parsed.value.key, column: { ...parsed.value.key.column, owner } } }
    : parsed.value;
}

/** Skips `the top 3 most common`. Returns the next index and the limit. */
function skipTop(q: LinkedQuestion, from: number): readonly [at: number, limit: number] {
  const position = wordAt(q, from) === 'the' ? from + 1 : from;
  const start = wordAt(q, position) === 'top' ? position + 1 : position;
  const token = q.tokens[start];
  return token?.kind === 'number' &&
    Number.isInteger(token.value) &&
    ['most', 'least'].includes(wordAt(q, start + 1))
    ? [start + 1, token.value]
    : [from, 1];
}

const MOST_DONE = phraseSet(
  'the most frequently|most frequently|the most often|most often|the most commonly|most commonly|the most|most',
);
const LEAST_DONE = phraseSet(
  'the least frequently|least frequently|the least often|least often|the least commonly|least commonly|the least|least',
);

const OFTEN = wordSet('frequently often commonly');
const AMOUNTS = wordSet('quantity amount unit number count');

/** Parses `the most frequently ordered product`, which counts the child rows that the verb names. */
function readMostDone(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  const [maximum, minimum] = [
    matchPhrase(q, interpretation.position, MOST_DONE),
    matchPhrase(q, interpretation.position, LEAST_DONE),
  ];
  const position = Math.max(maximum, minimum);
  if (position < 0 || draft.mentions.length + draft.orders.length > 0 || !isVerb(wordAt(q, position)))
    return [];
  return readEntities(q, position + 1)
    .filter(({ value }) => value.conditions.length + value.orders.length === 0 && !value.isEach)
    .flatMap((entity) => {
      const own = placeEntity(draft, entity.value, -1);
      // `the most ordered product` is ambiguous between the number of rows and their quantities.
      const isOften = OFTEN.has(wordAt(q, position - 1));
      return listDone(q, own, wordAt(q, position))
        .filter(
          (table) =>
            isOften ||
            !table.columns.some((column) => AMOUNTS.has(q.lexicon.columnWords.get(column)?.at(-1) ?? '')),
        )
        .map((table) => {
          const placed = addMention(own, { links: [{ table, cost: DONE_COST }] }, own.focus);
          return advance(interpretation, entity.position, entity.cost + 0.2, {
            ...placed,
            focus: own.focus,
            targets: [...draft.targets, { kind: 'rows', mention: own.focus }],
            orders: [
              { key: { kind: 'count', mention: placed.focus }, direction: maximum > 0 ? 'desc' : 'asc' },
            ],
            limit: own.limit ?? 1,
          });
        });
    });
}

/** Parses `the most common nationality of people`, which sorts the values of a column by frequency. */
export function readMostCommon(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const [start0, top] = skipTop(q, interpretation.position);
  const maximum = matchPhrase(
    q,
    start0,
    phraseSet(
      'the most common|most common|the most popular|most popular|the most frequent|most frequent|the most frequently used|the most commonly used|most commonly used|most frequently used|the most prevalent|the most used|most used',
    ),
  );
  const minimum = matchPhrase(
    q,
    start0,
    phraseSet(
      'the least common|least common|the least popular|least popular|the least frequent|least frequent|the rarest|rarest|the least used|the least commonly used',
    ),
  );
  const position = maximum > 0 ? maximum : minimum;
  if (position < 0 || interpretation.draft.orders.length > 0) return readMostDone(q, interpretation);
  const token = q.tokens[position];
  const limit = token?.kind === 'number' ? token.value : top;
  const start = token?.kind === 'number' ? position + 1 : position;
  const direction = maximum > 0 ? ('desc' as const) : ('asc' as const);
  const rows = readEntities(q, start).flatMap((entity) => {
    const following =
      interpretation.draft.mentions.length === 0 && entity.value.orders.length === 0
        ? findFollowing(q, entity.value.links)
        : null;
    if (following === null) return [];
    const own = placeEntity(interpretation.draft, entity.value, -1);
    const placed = addMention(own, { links: [following] }, own.focus);
    return [
      advance(interpretation, entity.position, entity.cost + 0.3, {
        ...placed,
        targets: [{ kind: 'rows', mention: own.focus }],
        orders: [{ key: { kind: 'count', mention: placed.focus }, direction }],
        limit,
      }),
    ];
  });
  // In `the most common company type`, the column belongs to companies.
  const owned =
    interpretation.draft.mentions.length > 0
      ? []
      : readOwnedColumns(q, start, interpretation.draft)
          .filter((item) => item.owner !== interpretation.draft && item.owner.orders.length === 0)
          .map((item) =>
            advance(interpretation, item.to, item.cost, {
              ...item.owner,
              targets: [
                ...interpretation.draft.targets,
                { kind: 'column', column: toRef(item.phrase, item.owner.focus), fn: null, distinct: false },
              ],
              orders: [{ key: { kind: 'size' }, direction }],
              limit,
            }),
          );
  return [
    ...rows,
    ...owned,
    ...readColumns(q, start).map((column) =>
      advance(interpretation, column.position, column.cost, {
        targets: [
          ...interpretation.draft.targets,
          { kind: 'column', column: toRef(column.value), fn: null, distinct: false },
        ],
        orders: [{ key: { kind: 'size' }, direction }],
        limit,
      }),
    ),
  ];
}
