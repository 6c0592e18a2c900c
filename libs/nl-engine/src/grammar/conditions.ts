import type { LinkedQuestion } from '../link/link-question.js';
import { isYear } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import type { Aggregate, ColumnLink, ColumnRef, Comparison, Condition, Literal } from '../types.js';
import { readAdjective, readVerbMeasure } from '../words/adjectives.js';
import { readAges, skipAge } from './ages.js';
import { readBareConditions } from './bare-conditions.js';
import { readBetween } from './between.js';
import { FLIPPED, isBe, readComparator, readComparatorBehind, readTimeComparator, skipUpToComparator } from './comparators.js';
import { readContained } from './contained.js';
import { readColumns, readEntities, toMeasured, toRef } from './noun-phrase.js';
import { DETERMINERS, matchPhrase, type PhraseSet, phraseSet, type Piece, remember, saysBoth, skipWords, wordAt } from './reader.js';
import { readValues, type ReadValue } from './values.js';

const FILLER = new Set(['a', 'an', 'the', 'value', 'of', 'is', 'are', 'was', 'were', 'be', 'been', 'being', 'equal', 'to', 'as', 'equals', '=', ':', 'has', 'have', 'in', 'at', 'either', 'both', 'with', 'for', 'on']);
const STARTS = phraseSet('starts with|start with|starting with|begins with|begin with|beginning with|that starts with|that start with|that begins with|started with|prefix|with prefix|starts with the letter|start with the letter|starting with the letter|begins with the letter|starting with letter|start with letter|starts with letter|begin with the letter|beginning with the letter');
const ENDS = phraseSet('ends with|end with|ending with|ends in|ending in|end in|ends with the letter|ending with the letter');
const CONTAINS = phraseSet('contains|contain|containing|includes|include|including|has the substring|has substring|have the substring|contains the substring|contains the word|contains the words|containing the word|containing the words|contain the word|contain the substring|containing the letter|contains the letter|contain the letter|that contains|that contain|with the substring|with substring|has the word|have the word|with the word|like|containing the substring|includes the word|include the word|that includes|with the letter|includes the substring|has the letter|have the letter|including the word|containing substring|contains substring|contain letter|contains letter|containing letter|has letter|have letter|contain the letters|contain the string|contains the string|containing the string|contained the word|contained the string|contained|have the string|has the string|with the string');
const MISSING = phraseSet('is null|are null|is missing|are missing|is empty|is unknown|is not known|is not available|is not set|null|missing|is not recorded');
const PRESENT = phraseSet('is not null|are not null|is known|is available|not null|is not missing|is not empty');
const AGAINST: readonly (readonly [Aggregate, PhraseSet])[] = [
  ['avg', phraseSet('the average|average|the mean|mean|the average of|that of the average|the average for all|its average|their average|the overall average')],
  ['max', phraseSet('the maximum|maximum|the max|the highest|the largest|the greatest|the biggest|that of all|all')],
  ['min', phraseSet('the minimum|minimum|the min|the lowest|the smallest|the least')],
];
const MAXIMUM = phraseSet('any|that of any|all|every|some|at least one');

/** A condition that names its column: `age is over 20`, `20 or more points`, `older than 20`, `name starts with "A"`. */
export const readConditions = remember(findConditions);

function findConditions(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const found = [...readColumnFirst(q, from), ...readComparatorFirst(q, from), ...readAdjectiveFirst(q, from), ...readVerbFirst(q, from), ...readComparedColumn(q, from), ...readHigherColumn(q, from), ...readValueFirst(q, from), ...readBetweenFirst(q, from), ...readContained(q, from), ...readAges(q, from)];
  return found.flatMap((piece) => [piece, ...readMoreValues(q, piece), ...readSecondBound(q, piece)]);
}

function readColumnFirst(q: LinkedQuestion, from: number): Piece<Condition>[] {
  return readColumns(q, from).flatMap((column) => readPredicate(q, column.at, toRef(column.value), column.cost));
}

/** What is said of a column. */
export function readPredicate(q: LinkedQuestion, from: number, column: ColumnRef, cost: number): Piece<Condition>[] {
  const found: Piece<Condition>[] = [];
  const add = (at: number, value: Condition, extra = 0): void => void found.push({ at, cost: cost + extra, value });
  let at = from;
  if (['that', 'which', 'who'].includes(wordAt(q, at))) at += 1;
  for (const [phrases, negated] of [[PRESENT, true], [MISSING, false]] as const) {
    const to = matchPhrase(q, at, phrases);
    if (to > 0) add(to, { kind: 'null', column, negated });
  }
  const [plain, negated] = skipNegation(q, at);
  found.push(...readPattern(q, plain, column, negated, cost));
  const afterFiller = skipUpToComparator(q, plain, FILLER);
  const [start, isNot] = negated ? [afterFiller, true] : skipNegation(q, afterFiller);
  found.push(...readComparison(q, start, column, isNot, cost));
  if (start > from || isNot || isValueNext(q, from)) {
    const valueAt = skipWords(q, start, FILLER);
    for (const value of readValues(q, valueAt)) add(value.at, { kind: 'compare', column, op: isNot ? '!=' : '=', value: value.value.literal }, value.cost);
  }
  return found;
}

function isValueNext(q: LinkedQuestion, at: number): boolean {
  const token = q.tokens[at];
  return token !== undefined && (token.kind !== 'word' || token.isCapital || (q.values[at] ?? []).length > 0);
}

function skipNegation(q: LinkedQuestion, from: number): [number, boolean] {
  let at = from;
  while (isBe(q, at) || ['do', 'does', 'did', 'can', 'has', 'have', 'that'].includes(wordAt(q, at))) at += 1;
  if (wordAt(q, at) === 'not' || wordAt(q, at) === 'never') return [at + 1, true];
  return [from, false];
}

function readPattern(q: LinkedQuestion, at: number, column: ColumnRef, negated: boolean, cost: number): Piece<Condition>[] {
  for (const [phrases, place] of [[STARTS, 'start'], [ENDS, 'end'], [CONTAINS, 'inside']] as const) {
    const to = matchPhrase(q, at, phrases);
    if (to < 0) continue;
    const token = q.tokens[wordAt(q, to) === 'the' ? to + 1 : to];
    if (token === undefined || token.kind === 'mark') continue;
    const links = column.links.filter((link) => (link.column.valueKind === 'string' || link.column.valueKind === 'enum') && !isPartKey(link));
    if (links.length === 0) continue;
    const isLone = token.kind === 'quoted' || token.isCapital || token.text.length <= 3 || token.kind === 'number';
    if (isLone) return [{ at: (wordAt(q, to) === 'the' ? to + 1 : to) + 1, cost, value: { kind: 'like', column: { ...column, links }, place, text: token.text.replaceAll('%', ''), negated } }];
  }
  return [];
}

/** Of a key that was named by its table only, nobody looks at the letters. */
function isPartKey({ table, column, isPart }: ColumnLink): boolean {
  return isPart === true && isKey(table, column);
}

function readComparison(q: LinkedQuestion, from: number, column: ColumnRef, isNot: boolean, cost: number): Piece<Condition>[] {
  const found: Piece<Condition>[] = [];
  const between = readBetween(q, from);
  if (between !== null) found.push({ at: between.at, cost, value: { kind: 'between', column, low: between.value[0], high: between.value[1] } });
  const [plain, timely] = [readComparator(q, from), readTimeComparator(q, from)];
  if (plain !== null) found.push(...readAgainst(q, plain.at, column, isNot ? FLIPPED[plain.op] : plain.op, cost));
  // `from USA` is no stretch of anything.
  if (timely !== null) found.push(...readAgainst(q, timely.at, column, isNot ? FLIPPED[timely.op] : timely.op, cost).filter(({ value }) => value.kind !== 'compare' || value.value.kind !== 'text' || /^\d/.test(value.value.text)));
  const token = q.tokens[from];
  if (token?.kind === 'number') {
    const behind = readComparatorBehind(q, from + 1);
    if (behind !== null) found.push({ at: behind.at, cost, value: { kind: 'compare', column, op: behind.op, value: { kind: 'number', value: token.value } } });
  }
  return found;
}

/** What a comparator compares with: a value, or an aggregate of the same column. */
function readAgainst(q: LinkedQuestion, from: number, column: ColumnRef, op: Comparison, cost: number): Piece<Condition>[] {
  const against = readAgainstAggregate(q, from, column, op, cost);
  if (against.length > 0) return against;
  const isOrder = op !== '=' && op !== '!=' && column.links.every((link) => isPartKey(link) || link.column.valueKind === 'string');
  if (isOrder && skipAge(q, from) > 0) return [];
  if (matchPhrase(q, from, MAXIMUM) > 0) return [];
  const at = skipWords(q, from, new Set(['the', 'a', 'year', 'date', 'of', 'value']));
  return readValues(q, at).map((value) => ({ at: value.at, cost: cost + value.cost, value: { kind: 'compare' as const, column, op, value: value.value.literal } }));
}

/** `the average age`, `the maximum salary of the instructors in Physics`: the column again or not, over all rows or over some. */
function readAgainstAggregate(q: LinkedQuestion, from: number, column: ColumnRef, op: Comparison, cost: number): Piece<Condition>[] {
  return AGAINST.flatMap(([fn, phrases]) => {
    const to = matchPhrase(q, from, phrases);
    if (to < 0) return [];
    const again = readColumns(q, to).filter((other) => other.value.links.some((link) => column.links.some((own) => own.column === link.column)));
    const ends = again.length > 0 ? again.map((other) => other.at) : [to];
    // `than all engineers`: all of some rows, never all there are.
    return ends.flatMap((end) => (wordAt(q, to - 1) === 'all' ? readAllOf(q, end) : readOver(q, end))).map((over) => ({ at: over.at, cost: cost + over.cost, value: { kind: 'toAggregate' as const, column, op, fn, where: over.value } }));
  });
}

const OVER = new Set(['of', 'for', 'in', 'among', 'across', 'from', 'by', 'at', 'on', 'over', 'with', 'that']);

/** `of all students`, `of the instructors in Physics`: which rows an aggregate goes over. Nothing said: all. */
function readOver(q: LinkedQuestion, at: number): Piece<readonly Condition[]>[] {
  if (!OVER.has(wordAt(q, at))) return [{ at, cost: 0, value: [] }];
  const start = skipWords(q, at + 1, new Set(['all', 'the', 'of', 'any', 'other']));
  return readEntities(q, start).filter((entity) => entity.value.orders.length === 0).flatMap((entity) => {
    const { conditions } = entity.value;
    const more = endsHere(q, entity.at) ? [] : [...readBareConditions(q, entity.at), ...readConditions(q, skipWords(q, entity.at, new Set(['with', 'whose', 'where', 'that', 'have', 'has', 'having', 'who', 'are', 'is'])))];
    const own = endsHere(q, entity.at) ? [{ at: entity.at, cost: entity.cost, value: conditions }] : [];
    return [...own, ...more.map((piece) => ({ at: skipWords(q, piece.at, NOUNS_BEHIND), cost: entity.cost + piece.cost, value: [...conditions, piece.value] }))];
  });
}

function readAllOf(q: LinkedQuestion, at: number): Piece<readonly Condition[]>[] {
  const start = skipWords(q, at, new Set(['the', 'of', 'other']));
  const values = (q.values[start] ?? []).filter((span) => endsHere(q, span.to)).map((span) => ({ at: span.to, cost: 0.1, value: [{ kind: 'value' as const, links: span.links, negated: false, owner: null }] }));
  return [...values, ...readEntities(q, start).filter((entity) => endsHere(q, entity.at)).map((entity) => ({ at: entity.at, cost: entity.cost, value: entity.value.conditions }))];
}

/** `in the Physics department`: the noun behind a value. */
const NOUNS_BEHIND = new Set(['department', 'city', 'state', 'country', 'county', 'category', 'industry', 'team', 'club', 'company', 'school', 'college', 'university', 'building', 'branch']);

function endsHere(q: LinkedQuestion, at: number): boolean {
  return q.tokens[at] === undefined || q.tokens[at]?.kind === 'mark' || ['and', 'or', 'but', 'ordered', 'sorted'].includes(wordAt(q, at));
}

/** `more than 1000 distance`, `at least 3 credits`, `over 100 points`. */
function readComparatorFirst(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const comparator = readComparator(q, from);
  const numberAt = comparator?.at ?? from;
  const token = q.tokens[numberAt];
  if (token?.kind !== 'number') return [];
  const behind = comparator === null ? readComparatorBehind(q, numberAt + 1) : null;
  const op = comparator?.op ?? behind?.op;
  if (op === undefined) return [];
  return readColumns(q, behind?.at ?? numberAt + 1).filter((column) => column.value.links.some(isNumeric)).map((column) => ({
    at: column.at, cost: column.cost + 0.1,
    value: { kind: 'compare' as const, column: { ...toRef(column.value), links: column.value.links.filter(isNumeric) }, op, value: { kind: 'number' as const, value: token.value } },
  }));
}

/** `between 100 and 300 hours`. */
function readBetweenFirst(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const between = readBetween(q, from);
  if (between === null || between.value[0].kind !== 'number') return [];
  return readColumns(q, between.at).flatMap((column) => {
    const links = column.value.links.filter(isNumeric);
    return links.length === 0 ? [] : [{ at: column.at, cost: column.cost + 0.1, value: { kind: 'between' as const, column: { ...toRef(column.value), links }, low: between.value[0], high: between.value[1] } }];
  });
}

function isNumeric(link: { readonly column: { readonly valueKind: string } }): boolean {
  return ['integer', 'decimal', 'float', 'double', 'year'].includes(link.column.valueKind);
}

/** `the Lamberton building`, `"Night" time`: the column's name behind its value. */
function readValueFirst(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const isNot = wordAt(q, from) === 'not';
  const start = skipWords(q, isNot ? from + 1 : from, new Set(['the', 'a', 'an', 'in', 'at', 'from', 'on', 'of']));
  return readValues(q, start).flatMap((value) => readColumns(q, value.at).flatMap((column) => {
    const links = column.value.links.filter((link) => value.value.links.some((known) => known.column === link.column) || (value.value.links.length === 0 && value.value.literal.kind === 'text' && value.cost === 0));
    if (links.length === 0) return [];
    const own = value.value.links.find((known) => known.column === links[0]?.column);
    const literal: Literal = own === undefined ? value.value.literal : { kind: 'text', text: own.value };
    return [{ at: column.at, cost: value.cost + 0.05, value: { kind: 'compare' as const, column: { links, owner: null, at: column.value.at }, op: isNot ? '!=' as const : '=' as const, value: literal } }];
  }));
}

/** `older than 20`, `taller than average`. */
function readAdjectiveFirst(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const isMore = ['more', 'less'].includes(wordAt(q, from));
  const adjective = readAdjective(wordAt(q, isMore ? from + 1 : from));
  const at = from + (isMore ? 2 : 1);
  if (adjective === null || (isMore ? adjective.degree !== 'plain' : adjective.degree !== 'more') || wordAt(q, at) !== 'than') return [];
  const measured = toMeasured(q, adjective.measure, from);
  if (measured === null || measured.isReversed) return [];
  const isUp = (adjective.measure.direction === 'up') !== (wordAt(q, from) === 'less');
  const numeric = { ...measured.ref, links: measured.ref.links.filter(isNumeric) };
  if (numeric.links.length === 0) return [];
  return readAgainst(q, at + 1, numeric, isUp ? '>' : '<', 0.1).map((piece) => ({ ...piece, at: skipUnit(q, piece.at) }));
}

/** `cost more than 100`, `earn between 3000 and 4000`. */
function readVerbFirst(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const measure = readVerbMeasure(wordAt(q, from));
  const measured = measure === null ? null : toMeasured(q, measure, from);
  if (measured === null) return [];
  const column = { ...measured.ref, links: measured.ref.links.filter(isNumeric) };
  return column.links.length === 0 ? [] : readComparison(q, from + 1, column, false, 0.1).map((piece) => ({ ...piece, at: skipUnit(q, piece.at) }));
}

const HIGHER: ReadonlyMap<string, Comparison> = new Map([['higher', '>'], ['larger', '>'], ['greater', '>'], ['bigger', '>'], ['more', '>'], ['longer', '>'], ['lower', '<'], ['smaller', '<'], ['less', '<'], ['shorter', '<']]);

/** `a higher price than 100`, `a lower salary than the average`. */
function readHigherColumn(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const op = HIGHER.get(wordAt(q, from));
  if (op === undefined) return [];
  return readColumns(q, from + 1).flatMap((column) => {
    const links = column.value.links.filter(isNumeric);
    return links.length === 0 || wordAt(q, column.at) !== 'than' ? [] : readAgainst(q, column.at + 1, { ...toRef(column.value), links }, op, column.cost);
  });
}

/** `under age 30`, `above the price of 100`, `over the average salary`. */
function readComparedColumn(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const comparator = readComparator(q, from);
  if (comparator === null) return [];
  return readColumns(q, skipWords(q, comparator.at, new Set(['the', 'a', 'an']))).flatMap((column) => {
    const links = column.value.links.filter(isNumeric);
    const at = skipWords(q, column.at, new Set(['of']));
    const token = q.tokens[at];
    if (links.length === 0 || token?.kind !== 'number') return [];
    return [{ at: at + 1, cost: column.cost + 0.1, value: { kind: 'compare' as const, column: { ...toRef(column.value), links }, op: comparator.op, value: { kind: 'number' as const, value: token.value } } }];
  });
}

const UNITS = new Set(['years', 'year', 'old', 'cm', 'kg', 'km', 'feet', 'meters', 'metres', 'miles', 'pounds', 'dollars', 'minutes', 'hours', 'seconds', 'days', 'inches', 'grams', 'degrees', 'usd', 'percent']);

export function skipUnit(q: LinkedQuestion, at: number): number {
  return skipWords(q, at, UNITS);
}

/** `above 10 and below 20`, `over 65 or under 18`: the same column once more. */
function readSecondBound(q: LinkedQuestion, first: Piece<Condition>): Piece<Condition>[] {
  const base = first.value;
  const link = wordAt(q, first.at);
  if ((base.kind !== 'compare' && base.kind !== 'toAggregate') || base.op === '=' || (link !== 'and' && link !== 'or' && link !== 'but')) return [];
  const start = skipWords(q, first.at + 1, new Set(['is', 'are', 'also']));
  const isTime = base.kind === 'compare' && (base.value.kind === 'text' ? /^\d{4}-/.test(base.value.text) : base.value.kind === 'number' && isYear(base.value.value));
  const comparator = readComparator(q, start) ?? (isTime ? readTimeComparator(q, start) : null);
  const token = comparator === null ? undefined : q.tokens[comparator.at];
  if (comparator === null || (token?.kind !== 'number' && !(isTime && token?.kind === 'date'))) return [];
  const end = comparator.at + 1;
  if ((q.columns[end] ?? []).length > 0 || (q.tables[end] ?? []).length > 0) return [];
  const second: Condition = { kind: 'compare', column: base.column, op: comparator.op, value: token.kind === 'date' ? { kind: 'text', text: token.text } : { kind: 'number', value: token.value } };
  return [{ at: end, cost: first.cost, value: { kind: link === 'or' ? 'any' : 'all', parts: [base, second] } }];
}

/** `is A or B`, `is A, B or C`: further values of the same column. */
function readMoreValues(q: LinkedQuestion, first: Piece<Condition>): Piece<Condition>[] {
  const base = first.value;
  if (base.kind !== 'compare' || (base.op !== '=' && base.op !== '!=')) return [];
  const found: Piece<Condition>[] = [];
  const parts: Condition[] = [base];
  let at = first.at;
  let cost = first.cost;
  for (;;) {
    const isComma = wordAt(q, at) === ',';
    let next = isComma ? at + 1 : at;
    const link = wordAt(q, next);
    if (link === 'or' || link === 'and' || link === 'nor') next += 1;
    else if (!isComma) break;
    const value = readValues(q, skipWords(q, next, new Set([...DETERMINERS, 'is', 'in', 'either']))).find((piece) => sameKind(piece.value, base.value));
    if (value === undefined) break;
    parts.push({ ...base, value: value.value.literal });
    [at, cost] = [value.at, cost + value.cost];
    if (link === 'or' || link === 'and' || link === 'nor') {
      const isBoth = link === 'and' && saysBoth(q, first.at);
      const joined: Condition = { kind: base.op === '!=' || isBoth ? 'all' : 'any', parts: [...parts] };
      found.push({ at, cost: cost + (link === 'and' && base.op === '=' && !isBoth ? 0.3 : 0), value: joined });
    }
  }
  return found;
}

function sameKind(value: ReadValue, literal: Literal): boolean {
  return value.literal.kind === literal.kind;
}
