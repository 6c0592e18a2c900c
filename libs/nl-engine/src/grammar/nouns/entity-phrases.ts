import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric } from '../../resolve/column-kinds.js';
import type { ColumnLink, Condition, Order, TableLink } from '../../types.js';
import { wordSet } from '../../words/word-set.js';
import { costOfVerbAsValue } from '../implied-conditions/bare-conditions.js';
import { isDeterminer } from './column-phrases.js';
import { readSuperlative } from './measures.js';
import { readPremodifiers } from './premodifiers.js';
import { type Parsed, remember, wordAt } from '../reader.js';
import { DISTINCT, EACH } from '../word-classes.js';
import { readValues } from '../conditions/values.js';
import { toNumberLiteral } from '../../words/number-literal.js';

/** A noun phrase for the rows of a table. */
export interface EntityPhrase {
  readonly links: readonly TableLink[];
  readonly conditions: readonly Condition[];
  readonly orders: readonly Order[];
  readonly limit: number | null;
  readonly distinct: boolean;
  readonly isEach: boolean;
  /** Whether the noun has no determiner. A singular noun without one is often a part of a compound noun. */
  readonly isBare: boolean;
}

/**
 * Parses noun phrases for rows, such as `the 3 oldest female students`, `each department` or `dorm "Smith
 * Hall"`.
 */
export const readEntities = remember(findEntities);

function findEntities(q: LinkedQuestion, from: number): Parsed<EntityPhrase>[] {
  const start = readStart(q, from);
  const found: Parsed<EntityPhrase>[] = [];
  for (const premodifiers of readPremodifiers(q, start.position)) {
    for (const span of q.tables[premodifiers.position] ?? []) {
      const base: EntityPhrase = {
        links: span.links,
        conditions: premodifiers.value.conditions,
        orders: premodifiers.value.orders,
        limit: start.limit ?? (premodifiers.value.orders.length > 0 ? 1 : null),
        distinct: start.distinct,
        isEach: start.isEach,
        isBare: start.position === from,
      };
      // If a word is a stored value and only a synonym of the table's name, it probably means the value.
      const isValue =
        span.to === premodifiers.position + 1 &&
        (q.values[premodifiers.position] ?? []).some((value) => value.to === span.to) &&
        span.links.every((link) => link.cost >= 0.5);
      const parsed = {
        position: skipMember(q, span.to),
        cost: premodifiers.cost + (isValue ? 0.4 : 0),
        value: base,
      };
      found.push(parsed, ...readApposition(q, parsed), ...skipKeyNoun(q, parsed));
    }
  }
  return [...found, ...readValueNouns(q, start, from), ...readEveryone(q, start.position)];
}

const EVERYONE = wordSet('everyone everybody anyone anybody someone somebody');

const PEOPLE = wordSet('people persons');

/** Parses words for any person, such as `everybody` and `people`, as the rows of a table of people. */
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

/**
 * Parses a noun that is a stored value, such as `professors` for the rows of the table `faculty` with this
 * rank.
 */
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
  // In `female professors`, a second value is another condition on the rows.
  const modified = readPremodifiers(q, start.position)
    .filter(({ value }) => value.conditions.length === 1 && value.orders.length === 0)
    .flatMap((premodifiers) => {
      const noun = q.tokens[premodifiers.position];
      if (noun?.kind !== 'word' || noun.lemma === noun.lower || isTable(q, premodifiers.position)) return [];
      return listValueNouns(
        q,
        {
          position: premodifiers.position,
          cost: premodifiers.cost + VALUE_NOUN_COST,
          value: premodifiers.value.conditions,
        },
        { ...start, isBare: false },
      );
    });
  return [...plain, ...modified];
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

/**
 * Parses a stored value after a superlative as one row. An example is `the oldest student` in a table of
 * people.
 */
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

/**
 * Skips a noun that repeats the primary key, as in `bank branches` if the table `bank` has the key
 * `branch_id`.
 */
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

/** Skips `members` after a noun for a group of people, as in `faculty members`. */
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
      /* The word is the `of` in `all of the`. */
    } else if (!isDeterminer(q, position)) break;
    position += 1;
  }
  return { position, limit, distinct, isEach };
}

/** Parses a value directly after its noun, such as `department Marketing` or `room 112`. */
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
              value: toNumberLiteral(number),
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
      cost: entity.cost + (number?.kind === 'number' ? 0.4 : 0.1) + costOfVerbAsValue(q, position),
      value: { ...entity.value, conditions: [...entity.value.conditions, condition] },
    });
  }
  return found;
}
