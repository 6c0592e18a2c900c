import type { LinkedQuestion } from '../link/link-question.js';
import { isYear } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import type { ColumnRef, Comparison, Condition, Literal } from '../types.js';
import { readAdjective, readVerbMeasure, ROOM_MEASURE, takesGuests } from '../words/adjectives.js';
import { readAges } from './ages.js';
import { isPartKey, readAgainst } from './against.js';
import { readBetween } from './between.js';
import {
  FLIPPED,
  isBe,
  readComparator,
  readComparatorBehind,
  readComparedNumber,
  readTimeComparator,
  skipUpToComparator,
} from './comparators.js';
import { readContained, readHeld } from './contained.js';
import { readAggregateConditions } from './having.js';
import { readColumns, toMeasured, toRef } from './noun-phrase.js';
import {
  DETERMINERS,
  matchPhrase,
  phraseSet,
  type Parsed,
  remember,
  saysBoth,
  skipWords,
  wordAt,
} from './reader.js';
import { readValues, type ReadValue } from './values.js';
import { wordSet } from '../words/word-set.js';

const FILLER = wordSet(`
  from a an the value of is are was were be been being equal to as equals = : has have in at either both
  with for on located based situated
`);
const STARTS = phraseSet(
  'starts with|start with|starting with|begins with|begin with|beginning with|that starts with|that start with|that begins with|started with|prefix|with prefix|starts with the letter|start with the letter|starting with the letter|begins with the letter|starting with letter|start with letter|starts with letter|begin with the letter|beginning with the letter|starts with letter|begins with letter|begin with letter',
);
const ENDS = phraseSet(
  'ends with|end with|ending with|ends in|ending in|end in|ends with the letter|ending with the letter',
);
const CONTAINS = phraseSet(
  'contains|contain|containing|includes|include|including|has the substring|has substring|have the substring|contains the substring|contains the word|contains the words|containing the word|containing the words|contain the word|contain the substring|containing the letter|contains the letter|contain the letter|that contains|that contain|with the substring|with substring|has the word|have the word|with the word|like|containing the substring|includes the word|include the word|that includes|with the letter|includes the substring|has the letter|have the letter|including the word|containing substring|contains substring|contain letter|contains letter|containing letter|has letter|have letter|contain the letters|contain the string|contains the string|containing the string|contained the word|contained the string|contained|have the string|has the string|with the string|includes the letter|include the letter|includes letter|include letter|contains letters|includes the string|include the string|contains the phrase|contain the phrase',
);
const MISSING = phraseSet(
  'is null|are null|is missing|are missing|is empty|is unknown|is not known|is not available|is not set|null|missing|is not recorded',
);
const PRESENT = phraseSet(
  'is not null|are not null|is known|is available|not null|is not missing|is not empty',
);
/**
 * Parses a condition that names its column: `age is over 20`,
 * `20 or more points`, `older than 20`, `name starts with "A"`.
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
    ...readContained(q, from),
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

/** Parses what follows the name of a column. */
export function readPredicate(
  q: LinkedQuestion,
  from: number,
  column: ColumnRef,
  cost: number,
): Parsed<Condition>[] {
  const found: Parsed<Condition>[] = [];
  const add = (position: number, value: Condition, extra = 0): void =>
    void found.push({ position, cost: cost + extra, value });
  let index = from;
  if (['that', 'which', 'who'].includes(wordAt(q, index))) index += 1;
  for (const [phrases, negated] of [
    [PRESENT, true],
    [MISSING, false],
  ] as const) {
    const to = matchPhrase(q, index, phrases);
    if (to > 0) add(to, { kind: 'null', column, negated });
  }
  const [plain, negated] = skipNegation(q, index);
  found.push(...readPattern(q, plain, column, negated, cost));
  const afterFiller = skipUpToComparator(q, plain, FILLER);
  const [start, isNegated] = negated ? [afterFiller, true] : skipNegation(q, afterFiller);
  found.push(...readComparison(q, start, column, isNegated, cost));
  if (start > from || isNegated || isValueNext(q, from)) {
    const valueAt = skipWords(q, start, FILLER);
    for (const value of readValues(q, valueAt))
      add(
        value.position,
        { kind: 'compare', column, op: isNegated ? '!=' : '=', value: value.value.literal },
        value.cost,
      );
  }
  return found;
}

function isValueNext(q: LinkedQuestion, position: number): boolean {
  const token = q.tokens[position];
  return (
    token !== undefined && (token.kind !== 'word' || token.isCapital || (q.values[position] ?? []).length > 0)
  );
}

function skipNegation(q: LinkedQuestion, from: number): [number, boolean] {
  let position = from;
  while (
    isBe(q, position) ||
    ['do', 'does', 'did', 'can', 'has', 'have', 'that'].includes(wordAt(q, position))
  )
    position += 1;
  if (wordAt(q, position) === 'not' || wordAt(q, position) === 'never') return [position + 1, true];
  return [from, false];
}

function readPattern(
  q: LinkedQuestion,
  position: number,
  column: ColumnRef,
  negated: boolean,
  cost: number,
): Parsed<Condition>[] {
  const links = column.links.filter(
    (link) => (link.column.valueKind === 'string' || link.column.valueKind === 'enum') && !isPartKey(link),
  );
  if (links.length === 0) return [];
  const held = readHeld(q, position);
  if (held !== null)
    return [
      {
        position: held.position,
        cost,
        value: { kind: 'like', column: { ...column, links }, place: 'inside', text: held.value, negated },
      },
    ];
  for (const [phrases, location] of [
    [STARTS, 'start'],
    [ENDS, 'end'],
    [CONTAINS, 'inside'],
  ] as const) {
    const to = matchPhrase(q, position, phrases);
    if (to < 0) continue;
    const token = q.tokens[wordAt(q, to) === 'the' ? to + 1 : to];
    if (token === undefined || token.kind === 'mark') continue;
    // An explicit word (`the word lamp`) or a text with marks (`ends with example.net`) is the text to match.
    const isSpelled =
      /^(?:word|words|string|substring|phrase)$/.test(wordAt(q, to - 1)) || /[^\p{L}]/u.test(token.text);
    const isLone =
      token.kind === 'quoted' ||
      token.isCapital ||
      token.text.length <= 3 ||
      token.kind === 'number' ||
      isSpelled;
    if (isLone)
      return [
        {
          position: (wordAt(q, to) === 'the' ? to + 1 : to) + 1,
          cost,
          value: {
            kind: 'like',
            column: { ...column, links },
            place: location,
            text: token.text.replaceAll('%', ''),
            negated,
          },
        },
      ];
  }
  return [];
}

/** Comparatives that imply a kind of measure in addition to a direction. */
const SPECIFIC = wordSet(`
  older younger taller heavier lighter longer shorter faster slower deeper wider cheaper stronger
`);

function readComparison(
  q: LinkedQuestion,
  from: number,
  column: ColumnRef,
  isNegated: boolean,
  cost: number,
): Parsed<Condition>[] {
  const found: Parsed<Condition>[] = [];
  const between = readBetween(q, from);
  if (between !== null)
    found.push({
      position: between.position,
      cost,
      value: { kind: 'between', column, low: between.value[0], high: between.value[1] },
    });
  const [plain, timely] = [readComparator(q, from), readTimeComparator(q, from)];
  const keyless: ColumnRef = {
    ...column,
    links: column.links.filter((link) => !isKey(link.table, link.column)),
  };
  // In `ids of students who are older than 20`, the comparison does not refer to the ids.
  const own = SPECIFIC.has(wordAt(q, from)) ? keyless : column;
  if (plain !== null && own.links.length > 0)
    found.push(
      ...readAgainst(q, plain.position, {
        column: own,
        op: isNegated ? FLIPPED[plain.op] : plain.op,
        cost,
        readConditions,
      }),
    );
  if (timely !== null && keyless.links.length > 0)
    found.push(
      ...readAgainst(q, timely.position, {
        column: keyless,
        op: isNegated ? FLIPPED[timely.op] : timely.op,
        cost,
        readConditions,
      }).filter(({ value }) => isTimely(value, wordAt(q, timely.position - 1))),
    );
  const token = q.tokens[from];
  if (token?.kind === 'number') {
    const comparatorAfter = readComparatorBehind(q, from + 1);
    if (comparatorAfter !== null)
      found.push({
        position: comparatorAfter.position,
        cost,
        value: {
          kind: 'compare',
          column,
          op: comparatorAfter.op,
          value: { kind: 'number', value: token.value },
        },
      });
  }
  return found;
}

/** Returns whether the value is a time. `from USA` is not a period. */
function isTimely(value: Condition, comparator: string): boolean {
  if (value.kind === 'compare') return value.value.kind !== 'text' || /^\d/.test(value.value.text);
  return comparator !== 'from' && comparator !== 'by';
}

/** Parses `more than 1000 distance`, `at least 3 credits` and `over 100 points`. */
function readComparatorFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const compared = readComparedNumber(q, from);
  if (compared === null || compared.op === null) return [];
  const { op, value: number } = compared;
  return readColumns(q, compared.position)
    .filter((column) => column.value.links.some(isNumeric))
    .map((column) => ({
      position: column.position,
      cost: column.cost + 0.1,
      value: {
        kind: 'compare' as const,
        column: { ...toRef(column.value), links: column.value.links.filter(isNumeric) },
        op,
        value: { kind: 'number' as const, value: number },
      },
    }));
}

const HOLDING = wordSet(`
  have has had with having give gives gave given received get got of carry offer scored exactly worth either
  or and
`);

/** Parses an exact value of a measured column, as in `with 1 credit` and `that have 3 or 4 stars`. */
function readNumberFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const start = ['the', 'a', 'exactly'].includes(wordAt(q, from)) ? from + 1 : from;
  const [token, link, other] = [q.tokens[start], wordAt(q, start + 1), q.tokens[start + 2]];
  if (token?.kind !== 'number' || !HOLDING.has(wordAt(q, from - 1))) return [];
  const values = link === 'or' && other?.kind === 'number' ? [token.value, other.value] : [token.value];
  return readColumns(q, start + 2 * values.length - 1).flatMap((column) => {
    const links = column.value.links.filter(
      (columnLink) =>
        isNumeric(columnLink) && !isKey(columnLink.table, columnLink.column) && columnLink.cost < 0.5,
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
      value: { kind: 'number', value },
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

/** Parses `between 100 and 300 hours`. */
function readBetweenFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const between = readBetween(q, from);
  if (between === null || between.value[0].kind !== 'number') return [];
  return readColumns(q, between.position).flatMap((column) => {
    const links = column.value.links.filter(isNumeric);
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

function isNumeric(link: { readonly column: { readonly valueKind: string } }): boolean {
  return ['integer', 'decimal', 'float', 'double', 'year'].includes(link.column.valueKind);
}

/** Words between a value and its column, as in `Cash as payment method`. */
const AS = wordSet('as for in');
/** The additional cost of naming a column by a part of its name when the column contains the value. */
const VALUED_COST = 0.3;

/** Parses a value before the name of its column, as in `the Lamberton building` and `"Night" time`. */
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
        ? skipWords(q, value.position, AS)
        : value.position,
    ).flatMap((column) => {
      const links = column.value.links
        .map((link) =>
          value.value.links.some((known) => known.column === link.column)
            ? { ...link, isPart: false, cost: Math.min(link.cost, VALUED_COST) }
            : link,
        )
        .filter(
          (link) =>
            value.value.links.some((known) => known.column === link.column) ||
            (value.value.links.length === 0 && value.value.literal.kind === 'text' && value.cost === 0),
        );
      if (links.length === 0) return [];
      const own = value.value.links.find((known) => known.column === links[0]?.column);
      // A known value may also belong to related rows, like a value without a column name.
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

/** Parses `older than 20` and `taller than average`. */
function readAdjectiveFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const isMore = ['more', 'less'].includes(wordAt(q, from));
  const adjective = readAdjective(wordAt(q, isMore ? from + 1 : from));
  const position = from + (isMore ? 2 : 1);
  if (
    adjective === null ||
    (isMore ? adjective.degree !== 'plain' : adjective.degree !== 'more') ||
    wordAt(q, position) !== 'than'
  )
    return [];
  const measured = toMeasured(q, adjective.measure, from);
  if (measured === null || measured.isReversed) return [];
  const isUp = (adjective.measure.direction === 'up') !== (wordAt(q, from) === 'less');
  const numeric = { ...measured.ref, links: measured.ref.links.filter(isNumeric) };
  if (numeric.links.length === 0) return [];
  return readAgainst(q, position + 1, {
    column: numeric,
    op: isUp ? '>' : '<',
    cost: 0.1,
    readConditions,
  }).map((parsed) => ({ ...parsed, position: skipUnit(q, parsed.position) }));
}

/** Parses `cost more than 100` and `earn between 3000 and 4000`. */
function readVerbFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  // `with room for more than 15 guests` measures capacity.
  const isRoom = ['room', 'space'].includes(wordAt(q, from)) && wordAt(q, from + 1) === 'for';
  const measure = isRoom ? ROOM_MEASURE : readVerbMeasure(wordAt(q, from));
  const measured = measure === null ? null : toMeasured(q, measure, from);
  if (measured === null) return [];
  const column = { ...measured.ref, links: measured.ref.links.filter(isNumeric) };
  return column.links.length === 0
    ? []
    : readComparison(q, isRoom ? from + 2 : from + 1, column, false, 0.1).map((parsed) => ({
        ...parsed,
        position: skipMeasured(q, from, skipUnit(q, parsed.position), column),
      }));
}

/**
 * Skips words that repeat the measure, as in
 * `earn more than 3000 in salary` and `accommodate more than 300 guests`.
 */
function skipMeasured(q: LinkedQuestion, verbAt: number, position: number, { links }: ColumnRef): number {
  const again =
    wordAt(q, position) !== 'in'
      ? []
      : readColumns(q, position + 1).filter((column) =>
          column.value.links.some((link) => links.some((own) => own.column === link.column)),
        );
  const token = q.tokens[position];
  if (
    again.length > 0 ||
    token?.kind !== 'word' ||
    token.lemma === token.lower ||
    !takesGuests(wordAt(q, verbAt))
  )
    return again[0]?.position ?? position;
  return position + 1;
}

const HIGHER: ReadonlyMap<string, Comparison> = new Map([
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

/** Parses `a higher price than 100` and `a lower salary than the average`. */
function readHigherColumn(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const op = HIGHER.get(wordAt(q, from));
  if (op === undefined) return [];
  return readColumns(q, from + 1).flatMap((column) => {
    const links = column.value.links.filter(isNumeric);
    return links.length === 0 || wordAt(q, column.position) !== 'than'
      ? []
      : readAgainst(q, column.position + 1, {
          column: { ...toRef(column.value), links },
          op,
          cost: column.cost,
          readConditions,
        });
  });
}

/** Parses `under age 30`, `above the price of 100` and `over the average salary`. */
function readComparedColumn(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const comparator = readComparator(q, from) ?? readTimeComparator(q, from);
  if (comparator === null || ['from', 'by'].includes(wordAt(q, comparator.position - 1))) return [];
  const average = matchPhrase(
    q,
    comparator.position,
    phraseSet(
      'average|the average|mean|the mean|average number of|the average number of|average amount of|the average amount of',
    ),
  );
  if (average > 0)
    return readColumns(q, average).flatMap((column) => {
      const links = column.value.links.filter(isNumeric);
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
    const links = column.value.links.filter(isNumeric);
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
          value: { kind: 'number' as const, value: token.value },
        },
      },
    ];
  });
}

const UNITS = wordSet(`
  years year old cm kg km feet meters metres miles pounds dollars minutes hours seconds days inches grams
  degrees usd percent
`);

export function skipUnit(q: LinkedQuestion, position: number): number {
  return skipWords(q, position, UNITS);
}

/** Parses a second bound of the same column, as in `above 10 and below 20` and `over 65 or under 18`. */
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
  const number = { kind: 'number' as const, value: token.value };
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
      (parsed) => sameKind(parsed.value, base.value),
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

function sameKind(value: ReadValue, literal: Literal): boolean {
  return value.literal.kind === literal.kind;
}
