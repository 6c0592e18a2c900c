import type { LinkedQuestion } from '../../link/linked-question.js';
import { isYear } from '../../resolve/column-kinds.js';
import type { Condition, Literal } from '../../types.js';
import { wordSet } from '../../words/word-set.js';
import { readAges } from '../implied-conditions/ages.js';
import { readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, type Parsed, phraseSet, remember, saysBoth, skipWords, wordAt } from '../reader.js';
import { DETERMINERS } from '../word-classes.js';
import { readAggregateConditions } from './aggregate-conditions.js';
import { readComparator, readTimeComparator } from './comparators.js';
import { readAdjectiveFirst, readVerbFirst } from './measure-conditions.js';
import {
  readBetweenFirst,
  readComparatorFirst,
  readComparedColumn,
  readHigherColumn,
  readNumberFirst,
} from './number-conditions.js';
import { readPredicate } from './predicates.js';
import { readTextInColumn } from './text-parts.js';
import { type ReadValue, readValues } from './values.js';
import { toNumberLiteral } from '../../words/number-literal.js';

/**
 * Parses a condition that names its column, or implies it by an adjective or verb. Examples are `age is over
 * 20`, `20 or more points`, `older than 20` and `name starts with "A"`.
 */
export const readConditions = remember(findConditions);

function findConditions(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const found = [
    ...readColumnFirst(q, from),
    ...readComparatorFirst(q, from),
    ...readAdjectiveFirst(q, from),
    ...readVerbFirst(q, from),
    ...readComparedColumn(q, from),
    ...readHigherColumn(q, from),
    ...readValueFirst(q, from),
    ...readBetweenFirst(q, from),
    ...readTextInColumn(q, from),
    ...readAges(q, from),
    ...readNumberFirst(q, from),
    ...readAggregateConditions(q, from),
  ];
  return found.flatMap((parsed) => [parsed, ...readMoreValues(q, parsed), ...readSecondBound(q, parsed)]);
}

function readColumnFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  return readColumns(q, from).flatMap((column) =>
    readPredicate(q, column.position, toRef(column.value), column.cost),
  );
}

/** Words between a value and its column, as in `Cash as payment method`. */
const BETWEEN_VALUE_AND_COLUMN = wordSet('as for in');

/**
 * The maximum cost of a link to a column that contains the value, even if only a part of the column's name
 * matches.
 */
const KNOWN_VALUE_COST = 0.3;

/** Parses a value followed by its column's name, as in `the Lamberton building` and `"Night" time`. */
function readValueFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const isNegated = wordAt(q, from) === 'not';
  const start = skipWords(q, isNegated ? from + 1 : from, wordSet('the a an in at from on of'));
  return readValues(q, start).flatMap((value) =>
    readColumns(
      q,
      matchPhrase(
        q,
        value.position,
        phraseSet('as|as the|as their|as its|as a|for|for the|for their|in the|in'),
      ) > 0
        ? skipWords(q, value.position, BETWEEN_VALUE_AND_COLUMN)
        : value.position,
    ).flatMap((column) => {
      const links = column.value.links
        .map((link) =>
          value.value.links.some((known) => known.column === link.column)
            ? { ...link, isPart: false, cost: Math.min(link.cost, KNOWN_VALUE_COST) }
            : link,
        )
        .filter(
          (link) =>
            value.value.links.some((known) => known.column === link.column) ||
            (value.value.links.length === 0 && value.value.literal.kind === 'text' && value.cost === 0),
        );
      if (links.length === 0) return [];
      const own = value.value.links.find((known) => known.column === links[0]?.column);
      // All columns that contain the stored value remain possible, so that the resolver can choose the column
      // of a related table.
      const known = value.value.links.filter((valueLink) =>
        links.some((link) => link.column === valueLink.column),
      );
      const condition: Condition =
        own === undefined
          ? {
              kind: 'compare',
              column: { links, owner: null, position: column.value.position },
              op: isNegated ? '!=' : '=',
              value: value.value.literal,
            }
          : { kind: 'value', links: known, negated: isNegated, owner: null };
      return [{ position: column.position, cost: value.cost + 0.05, value: condition }];
    }),
  );
}

/** Parses a second comparison of the same column, as in `above 10 and below 20` and `over 65 or under 18`. */
function readSecondBound(q: LinkedQuestion, first: Parsed<Condition>): Parsed<Condition>[] {
  const base = first.value;
  const link = wordAt(q, first.position);
  if (
    (base.kind !== 'compare' && base.kind !== 'toAggregate' && base.kind !== 'aggregate') ||
    base.op === '=' ||
    (link !== 'and' && link !== 'or' && link !== 'but')
  )
    return [];
  const start = skipWords(q, first.position + 1, wordSet('is are also'));
  const isTime =
    base.kind === 'compare' &&
    (base.value.kind === 'text'
      ? /^\d{4}-/.test(base.value.text)
      : base.value.kind === 'number' && isYear(base.value.value));
  const comparator = readComparator(q, start) ?? (isTime ? readTimeComparator(q, start) : null);
  const token = comparator === null ? undefined : q.tokens[comparator.position];
  if (comparator === null || (token?.kind !== 'number' && !(isTime && token?.kind === 'date'))) return [];
  const end = comparator.position + 1;
  if ((q.columns[end] ?? []).length > 0 || (q.tables[end] ?? []).length > 0) return [];
  const number = toNumberLiteral(token);
  const second: Condition =
    base.kind === 'aggregate'
      ? { ...base, op: comparator.op, value: number }
      : {
          kind: 'compare',
          column: base.column,
          op: comparator.op,
          value: token.kind === 'date' ? { kind: 'text', text: token.text } : number,
        };
  return [
    {
      position: end,
      cost: first.cost,
      value: { kind: link === 'or' ? 'any' : 'all', parts: [base, second] },
    },
  ];
}

/** Parses further values of the same column, as in `is A or B` and `is A, B or C`. */
function readMoreValues(q: LinkedQuestion, first: Parsed<Condition>): Parsed<Condition>[] {
  const base = first.value;
  if (base.kind !== 'compare' || (base.op !== '=' && base.op !== '!=')) return [];
  const found: Parsed<Condition>[] = [];
  const parts: Condition[] = [base];
  let position = first.position;
  let cost = first.cost;
  for (;;) {
    const isComma = wordAt(q, position) === ',';
    let next = isComma ? position + 1 : position;
    const link = wordAt(q, next);
    if (link === 'or' || link === 'and' || link === 'nor') next += 1;
    else if (!isComma) break;
    const value = readValues(q, skipWords(q, next, new Set([...DETERMINERS, 'is', 'in', 'either']))).find(
      (parsed) => hasSameKind(parsed.value, base.value),
    );
    if (value === undefined) break;
    parts.push({ ...base, value: value.value.literal });
    [position, cost] = [value.position, cost + value.cost];
    if (link === 'or' || link === 'and' || link === 'nor') {
      const isBoth = link === 'and' && saysBoth(q, first.position);
      const joined: Condition = { kind: base.op === '!=' || isBoth ? 'all' : 'any', parts: [...parts] };
      found.push({
        position,
        cost: cost + (link === 'and' && base.op === '=' && !isBoth ? 0.3 : 0),
        value: joined,
      });
    }
  }
  return found;
}

function hasSameKind(value: ReadValue, literal: Literal): boolean {
  return value.literal.kind === literal.kind;
}
