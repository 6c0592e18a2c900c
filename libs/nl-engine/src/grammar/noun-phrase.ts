import type { LinkedQuestion } from '../link/link-question.js';
import type { ColumnLink, ColumnRef, Condition, Order, TableLink } from '../types.js';
import { isNumeric } from '../resolve/fits-literal.js';
import { readAdjective, readRated, type Measure } from '../words/adjectives.js';
import { costOfDone } from './bare-conditions.js';
import { readFlags } from './flags.js';
import { listHappenedOn } from './happened-on.js';
import { DETERMINERS, DISTINCT, EACH, type Parsed, remember, saysBoth, wordAt } from './reader.js';
import { readStock } from './stock.js';
import { readValues } from './values.js';
import { wordSet } from '../words/word-set.js';

export interface EntityPhrase {
  readonly links: readonly TableLink[];
  readonly conditions: readonly Condition[];
  readonly orders: readonly Order[];
  readonly limit: number | null;
  readonly distinct: boolean;
  readonly isEach: boolean;
  /** Set for a singular noun without a determiner, which is more likely a part of another noun. */
  readonly isBare: boolean;
}

export interface ColumnPhrase {
  readonly links: readonly ColumnLink[];
  readonly distinct: boolean;
  readonly isEach: boolean;
  readonly isName: boolean;
  readonly position: number;
}

/** Parses noun phrases for rows: `the 3 oldest female students`, `each department`, `dorm "Smith Hall"`. */
export const readEntities = remember(findEntities);

function findEntities(q: LinkedQuestion, from: number): Parsed<EntityPhrase>[] {
  const start = readStart(q, from);
  const found: Parsed<EntityPhrase>[] = [];
  for (const before of readPremodifiers(q, start.position)) {
    for (const span of q.tables[before.position] ?? []) {
      const base: EntityPhrase = {
        links: span.links,
        conditions: before.value.conditions,
        orders: before.value.orders,
        limit: start.limit ?? (before.value.orders.length > 0 ? 1 : null),
        distinct: start.distinct,
        isEach: start.isEach,
        isBare: start.position === from,
      };
      // A known value that is only a synonym of the table more likely means the value.
      const isValue =
        span.to === before.position + 1 &&
        (q.values[before.position] ?? []).some((value) => value.to === span.to) &&
        span.links.every((link) => link.cost >= 0.5);
      const parsed = {
        position: skipMember(q, span.to),
        cost: before.cost + (isValue ? 0.4 : 0),
        value: base,
      };
      found.push(parsed, ...readApposition(q, parsed), ...skipKeyNoun(q, parsed));
    }
  }
  return [...found, ...readValueNouns(q, start, from), ...readEveryone(q, start.position)];
}

const EVERYONE = wordSet('everyone everybody anyone anybody someone somebody');

const PEOPLE = wordSet('people persons');

/** Parses `everybody who …` and `people` as rows of people when no table has that name. */
function readEveryone(q: LinkedQuestion, position: number): Parsed<EntityPhrase>[] {
  const isPeople =
    PEOPLE.has(wordAt(q, position)) &&
    (q.tables[position] ?? []).length + (q.columns[position] ?? []).length === 0;
  if (q.lexicon.people.length === 0 || (!isPeople && !EVERYONE.has(wordAt(q, position)))) return [];
  return [
    {
      position: position + 1,
      cost: isPeople ? 0.3 : 0.15,
      value: {
        links: q.lexicon.people,
        conditions: [],
        orders: [],
        limit: null,
        distinct: false,
        isEach: false,
        isBare: false,
      },
    },
  ];
}

const VALUE_NOUN_COST = 0.35;

/** Parses a noun that is a value of a column, as in `professors` for rows of a faculty table. */
function readValueNouns(q: LinkedQuestion, start: Start, from: number): Parsed<EntityPhrase>[] {
  const token = q.tokens[start.position];
  const superlative = readSuperlative(q, start.position);
  if (superlative !== null)
    return readOnlyValue(q, { ...start, position: superlative.position }, superlative);
  const plain =
    token?.kind !== 'word' || (token.lemma === token.lower && !start.isEach) || isTable(q, start.position)
      ? []
      : listValueNouns(
          q,
          { position: start.position, cost: VALUE_NOUN_COST, value: [] },
          { ...start, isBare: start.position === from },
        );
  // In `female professors`, a second value restricts the rows.
  const reported = readPremodifiers(q, start.position)
    .filter(({ value }) => value.conditions.length === 1 && value.orders.length === 0)
    .flatMap((before) => {
      const noun = q.tokens[before.position];
      if (noun?.kind !== 'word' || noun.lemma === noun.lower || isTable(q, before.position)) return [];
      return listValueNouns(
        q,
        { position: before.position, cost: before.cost + VALUE_NOUN_COST, value: before.value.conditions },
        { ...start, isBare: false },
      );
    });
  return [...plain, ...reported];
}

function isTable(q: LinkedQuestion, position: number): boolean {
  return (q.tables[position] ?? []).some((span) => span.links.some((link) => link.cost < 0.5));
}

function listValueNouns(
  q: LinkedQuestion,
  { position, cost, value: conditions }: Parsed<readonly Condition[]>,
  start: Start & { readonly isBare: boolean },
): Parsed<EntityPhrase>[] {
  return (q.values[position] ?? [])
    .filter((span) => span.to === position + 1)
    .map((span) => ({
      position: span.to,
      cost,
      value: {
        links: [...new Set(span.links.map((link) => link.table))].map((table) => ({ table, cost: 0 })),
        conditions: [...conditions, { kind: 'value', links: span.links, negated: false, owner: null }],
        orders: [],
        limit: start.limit,
        distinct: start.distinct,
        isEach: start.isEach,
        isBare: start.isBare,
      },
    }));
}

/** Parses a value after a superlative as one row, as in `the oldest student` over a table of people. */
function readOnlyValue(q: LinkedQuestion, start: Start, superlative: Parsed<Order>): Parsed<EntityPhrase>[] {
  if ((q.tables[start.position] ?? []).some((span) => span.links.some((link) => link.cost < 0.5))) return [];
  return (q.values[start.position] ?? [])
    .filter((span) => span.to === start.position + 1)
    .map((span) => ({
      position: span.to,
      cost: superlative.cost + VALUE_NOUN_COST + 0.1,
      value: {
        links: [...new Set(span.links.map((link) => link.table))].map((table) => ({ table, cost: 0 })),
        conditions: [{ kind: 'value', links: span.links, negated: false, owner: null }],
        orders: [superlative.value],
        limit: start.limit ?? 1,
        distinct: false,
        isEach: false,
        isBare: false,
      },
    }));
}

/** Skips a noun from the name of the primary key, as in `bank branches` when a bank has a `branch_id`. */
function skipKeyNoun(q: LinkedQuestion, entity: Parsed<EntityPhrase>): Parsed<EntityPhrase>[] {
  const token = q.tokens[entity.position];
  if (token?.kind !== 'word' || (q.tables[entity.position] ?? []).length > 0) return [];
  const ids = entity.value.links.filter(
    ({ table }) =>
      table.primaryKey?.length === 1 &&
      table.columns.some(
        (column) =>
          column.name === table.primaryKey?.[0] &&
          /id$/i.test(column.name) &&
          q.lexicon.columnWords.get(column)?.slice(0, -1).join(' ') === token.lemma,
      ),
  );
  return ids.length === 0
    ? []
    : [{ position: entity.position + 1, cost: entity.cost + 0.1, value: { ...entity.value, links: ids } }];
}

/** Skips `members` in `faculty members`. */
function skipMember(q: LinkedQuestion, position: number): number {
  const isMember =
    ['member', 'members'].includes(wordAt(q, position)) &&
    ['faculty', 'staff', 'team', 'band', 'committee', 'crew', 'family'].includes(wordAt(q, position - 1));
  return isMember ? position + 1 : position;
}

interface Start {
  readonly position: number;
  readonly limit: number | null;
  readonly distinct: boolean;
  readonly isEach: boolean;
}

function readStart(q: LinkedQuestion, from: number): Start {
  let position = from;
  let [distinct, isEach, limit] = [false, false, null as number | null];
  for (;;) {
    const word = wordAt(q, position);
    if (DISTINCT.has(word)) distinct = true;
    else if (EACH.has(word)) isEach = true;
    else if (word === 'top' || word === 'first') {
      if (q.tokens[position + 1]?.kind !== 'number') break;
    } else if (
      q.tokens[position]?.kind === 'number' &&
      Number.isInteger(q.tokens[position]?.value) &&
      (position > from ||
        position === 0 ||
        [
          'the',
          'top',
          'list',
          'show',
          'are',
          'is',
          'which',
          'what',
          'find',
          'give',
          'return',
          'name',
          'me',
          'display',
        ].includes(wordAt(q, position - 1)))
    )
      limit = q.tokens[position]?.value ?? null;
    else if (word === 'of' && position > from && wordAt(q, position - 1) === 'all') {
      /* This is the `of` in `all of the`. */
    } else if (!isDeterminer(q, position)) break;
    position += 1;
  }
  return { position, limit, distinct, isEach };
}

interface Before {
  readonly conditions: readonly Condition[];
  readonly orders: readonly Order[];
}

/** Parses the adjectives and values before a noun. The result includes the choice to skip none. */
function readPremodifiers(q: LinkedQuestion, from: number): Parsed<Before>[] {
  const none: Parsed<Before> = { position: from, cost: 0, value: { conditions: [], orders: [] } };
  const found: Parsed<Before>[] = [none];
  const superlative = readSuperlative(q, from);
  if (superlative !== null)
    found.push({
      position: superlative.position,
      cost: superlative.cost,
      value: { conditions: [], orders: [superlative.value] },
    });
  found.push(
    ...readFlags(q, from).map((flag) => ({
      position: flag.position,
      cost: flag.cost,
      value: { conditions: [flag.value], orders: [] },
    })),
  );
  found.push(
    ...readStock(q, from).map((stock) => ({
      position: stock.position,
      cost: stock.cost,
      value: { conditions: [stock.value], orders: [] },
    })),
  );
  for (const head of found.slice()) {
    for (const value of readValues(q, head.position)) {
      if (value.value.links.length === 0) continue;
      const condition: Condition = { kind: 'value', links: value.value.links, negated: false, owner: null };
      const reported: Parsed<Before> = {
        position: value.position,
        cost: head.cost + value.cost,
        value: { ...head.value, conditions: [condition] },
      };
      found.push(reported, ...readNextValue(q, reported, condition));
      found.push(...readSecondValue(q, value.position, condition, head));
    }
  }
  return found;
}

/** Parses a second value from another column of the same rows, as in `urgent open tickets`. */
function readNextValue(
  q: LinkedQuestion,
  reported: Parsed<Before>,
  first: Condition & { readonly kind: 'value' },
): Parsed<Before>[] {
  return readValues(q, reported.position).flatMap((value) => {
    const links = value.value.links.filter((link) =>
      first.links.some((own) => own.table === link.table && own.column !== link.column),
    );
    return links.length === 0
      ? []
      : [
          {
            position: value.position,
            cost: reported.cost + value.cost + 0.1,
            value: {
              ...reported.value,
              conditions: [
                ...reported.value.conditions,
                { kind: 'value' as const, links, negated: false, owner: null },
              ],
            },
          },
        ];
  });
}

/** Parses a second value from the same column, as in `the Marketing or Finance department`. */
function readSecondValue(
  q: LinkedQuestion,
  position: number,
  first: Condition & { readonly kind: 'value' },
  head: Parsed<Before>,
): Parsed<Before>[] {
  if (!['or', 'and'].includes(wordAt(q, position))) return [];
  return readValues(q, position + 1).flatMap((second) => {
    const links = second.value.links.filter((link) => first.links.some((own) => own.column === link.column));
    if (links.length === 0) return [];
    const retained = first.links.filter((link) => links.some((other) => other.column === link.column));
    const parts: Condition[] = [
      { ...first, links: retained },
      { ...first, links },
    ];
    return [
      {
        position: second.position,
        cost: head.cost + (wordAt(q, position) !== 'and' ? 0 : saysBoth(q, position) ? 0.2 : 0.6),
        value: {
          ...head.value,
          conditions: [
            {
              kind:
                wordAt(q, position) === 'and' && saysBoth(q, position) ? ('all' as const) : ('any' as const),
              parts,
            },
          ],
        },
      },
    ];
  });
}

/**
 * Parses `oldest`, `most expensive` and `least costly` as an order by the column that the adjective measures.
 */
export const readSuperlative = remember(findSuperlative);

function findSuperlative(q: LinkedQuestion, position: number): Parsed<Order> | null {
  const word = wordAt(q, position);
  const rated = RATES.has(word) ? readRated(wordAt(q, position + 1)) : null;
  if (rated !== null) return toRatedOrder(q, position, rated);
  const happened =
    ['most', 'least'].includes(word) && wordAt(q, position + 1) === 'recently'
      ? listHappenedOn(q, wordAt(q, position + 2))
      : [];
  // This handles `the most recently opened track`.
  if (happened.length > 0)
    return {
      position: position + 3,
      cost: 0.15,
      value: {
        key: { kind: 'column', column: { links: happened, owner: null, position }, fn: null },
        direction: word === 'most' ? 'desc' : 'asc',
      },
    };
  const isMost = word === 'most' || word === 'least';
  const adjective = readAdjective(wordAt(q, isMost ? position + 1 : position));
  if (adjective === null || (isMost ? adjective.degree !== 'plain' : adjective.degree !== 'most'))
    return null;
  const column = toMeasured(q, adjective.measure, position);
  if (column === null) return null;
  const isUp = (adjective.measure.direction === 'up') !== (word === 'least');
  return {
    position: position + (isMost ? 2 : 1),
    cost: 0.1,
    value: {
      key: { kind: 'column', column: column.ref, fn: null },
      direction: isUp !== column.isReversed ? 'desc' : 'asc',
    },
  };
}

/** Words before `paid` and `rated`. True means the highest value. */
const RATES: ReadonlyMap<string, boolean> = new Map([
  ['highest', true],
  ['best', true],
  ['top', true],
  ['most', true],
  ['lowest', false],
  ['worst', false],
  ['least', false],
]);

function toRatedOrder(q: LinkedQuestion, position: number, columns: readonly string[]): Parsed<Order> | null {
  const measured = toMeasured(q, { columns, direction: 'up' }, position);
  const isUp = RATES.get(wordAt(q, position)) === true;
  return measured === null
    ? null
    : {
        position: position + 2,
        cost: 0.1,
        value: {
          key: { kind: 'column', column: measured.ref, fn: null },
          direction: isUp !== measured.isReversed ? 'desc' : 'asc',
        },
      };
}

/**
 * Returns the columns that an adjective may measure, or null.
 * Columns on the opposite scale, such as a birth date for `old`, only count when there are no others.
 */
export function toMeasured(
  q: LinkedQuestion,
  measure: Measure,
  position: number,
): { readonly ref: ColumnRef; readonly isReversed: boolean } | null {
  const check = (isReversed: boolean): ColumnLink[] =>
    measure.columns
      .filter((name) => name.startsWith('-') === isReversed)
      .flatMap((name, rank) =>
        (q.lexicon.columns.get(name.replace(/^-/, '').split(' ').sort().join(' ')) ?? []).map((link) => ({
          ...link,
          cost: link.cost + Math.min(0.3, 0.1 * rank),
        })),
      );
  const [plain, reversed] = [
    withTimes(q, measure, '', check(false)),
    withTimes(q, measure, '-', check(true)),
  ];
  if (plain.length > 0) return { ref: { links: plain, owner: null, position }, isReversed: false };
  return reversed.length > 0 ? { ref: { links: reversed, owner: null, position }, isReversed: true } : null;
}

/** Adds the creation time of rows, whatever its name, when the adjective can refer to a date. */
function withTimes(
  { lexicon }: LinkedQuestion,
  measure: Measure,
  sign: '' | '-',
  links: readonly ColumnLink[],
): readonly ColumnLink[] {
  if (!measure.columns.includes(`${sign}date`)) return links;
  return [
    ...links,
    ...lexicon.beginnings.filter((time) => links.every((link) => link.column !== time.column)),
  ];
}

/** Parses a value directly after its noun: `department Marketing`, `room 112`. */
function readApposition(q: LinkedQuestion, entity: Parsed<EntityPhrase>): Parsed<EntityPhrase>[] {
  const found: Parsed<EntityPhrase>[] = [];
  let position = entity.position;
  if (['named', 'called', 'titled'].includes(wordAt(q, position))) return [];
  if (wordAt(q, position) === ',') position += 1;
  const number = q.tokens[position];
  if (number?.kind === 'number' && position === entity.position) {
    const links: ColumnLink[] = entity.value.links.flatMap(({ table }) =>
      table.columns
        .filter(
          (column) =>
            table.primaryKey?.length === 1 && table.primaryKey[0] === column.name && isNumeric(column),
        )
        .map((column) => ({ table, column, cost: 0 })),
    );
    if (links.length > 0)
      found.push({
        position: position + 1,
        cost: entity.cost + 0.1,
        value: {
          ...entity.value,
          conditions: [
            ...entity.value.conditions,
            {
              kind: 'compare',
              column: { links, owner: null, position },
              op: '=',
              value: { kind: 'number', value: number.value },
            },
          ],
        },
      });
  }
  for (const value of readValues(q, position)) {
    const own = value.value.links.filter((link) =>
      entity.value.links.some((table) => table.table === link.table),
    );
    if (own.length === 0) continue;
    const condition: Condition = { kind: 'value', links: own, negated: false, owner: null };
    found.push({
      position: value.position,
      cost: entity.cost + (number?.kind === 'number' ? 0.4 : 0.1) + costOfDone(q, position),
      value: { ...entity.value, conditions: [...entity.value.conditions, condition] },
    });
  }
  return found;
}

const TYING = wordSet('associated affiliated related');

/** Also skips `affiliated` in `their affiliated college` when no name contains that word. */
function isDeterminer(q: LinkedQuestion, position: number): boolean {
  const word = wordAt(q, position);
  return (
    DETERMINERS.has(word) ||
    (TYING.has(word) && (q.tables[position] ?? []).length + (q.columns[position] ?? []).length === 0)
  );
}

/** Parses column phrases: `the distinct first names`, `birth date`. */
export const readColumns = remember(findColumns);

function findColumns(q: LinkedQuestion, from: number): Parsed<ColumnPhrase>[] {
  let position = from;
  let [distinct, isEach] = [false, false];
  for (;;) {
    const word = wordAt(q, position);
    if (DISTINCT.has(word)) distinct = true;
    else if (EACH.has(word)) isEach = true;
    else if (!isDeterminer(q, position)) break;
    position += 1;
  }
  return (q.columns[position] ?? []).map((span) => ({
    position: span.to,
    cost: 0,
    value: {
      links: span.links,
      distinct,
      isEach,
      position: span.from,
      isName: isPlainName(q, span.from, span.to),
    },
  }));
}

function isPlainName(q: LinkedQuestion, from: number, to: number): boolean {
  const words = q.tokens
    .slice(from, to)
    .map((token) => token.lemma)
    .join(' ');
  return words === 'name' || words === 'full name';
}

export function toRef(column: ColumnPhrase, owner: number | null = null): ColumnRef {
  return { links: column.links, owner, position: column.position, isName: column.isName };
}
