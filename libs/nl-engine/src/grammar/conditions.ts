import type { LinkedQuestion } from '../link/link-question.js';
import { isYear } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import type { ColumnRef, Comparison, Condition, Literal } from '../types.js';
import { readAdjective, readVerbMeasure, ROOM_MEASURE, takesGuests } from '../words/adjectives.js';
import { readAges } from './ages.js';
import { isPartKey, readAgainst } from './against.js';
import { readBetween } from './between.js';
import { FLIPPED, isBe, readComparator, readComparatorBehind, readComparedNumber, readTimeComparator, skipUpToComparator } from './comparators.js';
import { readContained, readHeld } from './contained.js';
import { readAggregateConditions } from './having.js';
import { readColumns, toMeasured, toRef } from './noun-phrase.js';
import { DETERMINERS, matchPhrase, phraseSet, type Piece, remember, saysBoth, skipWords, wordAt } from './reader.js';
import { readValues, type ReadValue } from './values.js';

const FILLER = new Set(['from', 'a', 'an', 'the', 'value', 'of', 'is', 'are', 'was', 'were', 'be', 'been', 'being', 'equal', 'to', 'as', 'equals', '=', ':', 'has', 'have', 'in', 'at', 'either', 'both', 'with', 'for', 'on', 'located', 'based', 'situated']);
const STARTS = phraseSet('starts with|start with|starting with|begins with|begin with|beginning with|that starts with|that start with|that begins with|started with|prefix|with prefix|starts with the letter|start with the letter|starting with the letter|begins with the letter|starting with letter|start with letter|starts with letter|begin with the letter|beginning with the letter|starts with letter|begins with letter|begin with letter');
const ENDS = phraseSet('ends with|end with|ending with|ends in|ending in|end in|ends with the letter|ending with the letter');
const CONTAINS = phraseSet('contains|contain|containing|includes|include|including|has the substring|has substring|have the substring|contains the substring|contains the word|contains the words|containing the word|containing the words|contain the word|contain the substring|containing the letter|contains the letter|contain the letter|that contains|that contain|with the substring|with substring|has the word|have the word|with the word|like|containing the substring|includes the word|include the word|that includes|with the letter|includes the substring|has the letter|have the letter|including the word|containing substring|contains substring|contain letter|contains letter|containing letter|has letter|have letter|contain the letters|contain the string|contains the string|containing the string|contained the word|contained the string|contained|have the string|has the string|with the string|includes the letter|include the letter|includes letter|include letter|contains letters|includes the string|include the string|contains the phrase|contain the phrase');
const MISSING = phraseSet('is null|are null|is missing|are missing|is empty|is unknown|is not known|is not available|is not set|null|missing|is not recorded');
const PRESENT = phraseSet('is not null|are not null|is known|is available|not null|is not missing|is not empty');
/**
 * Parses a condition that names its column: `age is over 20`,
 * `20 or more points`, `older than 20`, `name starts with "A"`.
 */
export const readConditions = remember(findConditions);

function findConditions(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const found = [...readColumnFirst(q, from), ...readComparatorFirst(q, from), ...readAdjectiveFirst(q, from), ...readVerbFirst(q, from), ...readComparedColumn(q, from), ...readHigherColumn(q, from), ...readValueFirst(q, from), ...readBetweenFirst(q, from), ...readContained(q, from), ...readAges(q, from), ...readNumberFirst(q, from), ...readAggregateConditions(q, from)];
  return found.flatMap((piece) => [piece, ...readMoreValues(q, piece), ...readSecondBound(q, piece)]);
}

function readColumnFirst(q: LinkedQuestion, from: number): Piece<Condition>[] {
  return readColumns(q, from).flatMap((column) => readPredicate(q, column.at, toRef(column.value), column.cost));
}

/** Parses what follows the name of a column. */
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
  const links = column.links.filter((link) => (link.column.valueKind === 'string' || link.column.valueKind === 'enum') && !isPartKey(link));
  if (links.length === 0) return [];
  const held = readHeld(q, at);
  if (held !== null) return [{ at: held.at, cost, value: { kind: 'like', column: { ...column, links }, place: 'inside', text: held.value, negated } }];
  for (const [phrases, place] of [[STARTS, 'start'], [ENDS, 'end'], [CONTAINS, 'inside']] as const) {
    const to = matchPhrase(q, at, phrases);
    if (to < 0) continue;
    const token = q.tokens[wordAt(q, to) === 'the' ? to + 1 : to];
    if (token === undefined || token.kind === 'mark') continue;
    // An explicit word (`the word lamp`) or a text with marks (`ends with example.net`) is the text to match.
    const isSpelled = /^(?:word|words|string|substring|phrase)$/.test(wordAt(q, to - 1)) || /[^\p{L}]/u.test(token.text);
    const isLone = token.kind === 'quoted' || token.isCapital || token.text.length <= 3 || token.kind === 'number' || isSpelled;
    if (isLone) return [{ at: (wordAt(q, to) === 'the' ? to + 1 : to) + 1, cost, value: { kind: 'like', column: { ...column, links }, place, text: token.text.replaceAll('%', ''), negated } }];
  }
  return [];
}

/** Comparatives that imply a kind of measure in addition to a direction. */
const SPECIFIC = new Set(['older', 'younger', 'taller', 'heavier', 'lighter', 'longer', 'shorter', 'faster', 'slower', 'deeper', 'wider', 'cheaper', 'stronger']);

function readComparison(q: LinkedQuestion, from: number, column: ColumnRef, isNot: boolean, cost: number): Piece<Condition>[] {
  const found: Piece<Condition>[] = [];
  const between = readBetween(q, from);
  if (between !== null) found.push({ at: between.at, cost, value: { kind: 'between', column, low: between.value[0], high: between.value[1] } });
  const [plain, timely] = [readComparator(q, from), readTimeComparator(q, from)];
  const keyless: ColumnRef = { ...column, links: column.links.filter((link) => !isKey(link.table, link.column)) };
  // In `ids of students who are older than 20`, the comparison does not refer to the ids.
  const own = SPECIFIC.has(wordAt(q, from)) ? keyless : column;
  if (plain !== null && own.links.length > 0) found.push(...readAgainst(q, plain.at, { column: own, op: isNot ? FLIPPED[plain.op] : plain.op, cost, readConditions }));
  if (timely !== null && keyless.links.length > 0) found.push(...readAgainst(q, timely.at, { column: keyless, op: isNot ? FLIPPED[timely.op] : timely.op, cost, readConditions }).filter(({ value }) => isTimely(value, wordAt(q, timely.at - 1))));
  const token = q.tokens[from];
  if (token?.kind === 'number') {
    const behind = readComparatorBehind(q, from + 1);
    if (behind !== null) found.push({ at: behind.at, cost, value: { kind: 'compare', column, op: behind.op, value: { kind: 'number', value: token.value } } });
  }
  return found;
}

/** Returns whether the value is a time. `from USA` is not a period. */
function isTimely(value: Condition, comparator: string): boolean {
  if (value.kind === 'compare') return value.value.kind !== 'text' || /^\d/.test(value.value.text);
  return comparator !== 'from' && comparator !== 'by';
}

/** Parses `more than 1000 distance`, `at least 3 credits` and `over 100 points`. */
function readComparatorFirst(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const compared = readComparedNumber(q, from);
  if (compared === null || compared.op === null) return [];
  const { op, value: number } = compared;
  return readColumns(q, compared.at).filter((column) => column.value.links.some(isNumeric)).map((column) => ({
    at: column.at, cost: column.cost + 0.1,
    value: { kind: 'compare' as const, column: { ...toRef(column.value), links: column.value.links.filter(isNumeric) }, op, value: { kind: 'number' as const, value: number } },
  }));
}

const HOLDING = new Set(['have', 'has', 'had', 'with', 'having', 'give', 'gives', 'gave', 'given', 'received', 'get', 'got', 'of', 'carry', 'offer', 'scored', 'exactly', 'worth', 'either', 'or', 'and']);

/** Parses an exact value of a measured column, as in `with 1 credit` and `that have 3 or 4 stars`. */
function readNumberFirst(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const start = ['the', 'a', 'exactly'].includes(wordAt(q, from)) ? from + 1 : from;
  const [token, link, other] = [q.tokens[start], wordAt(q, start + 1), q.tokens[start + 2]];
  if (token?.kind !== 'number' || !HOLDING.has(wordAt(q, from - 1))) return [];
  const values = link === 'or' && other?.kind === 'number' ? [token.value, other.value] : [token.value];
  return readColumns(q, start + 2 * values.length - 1).flatMap((column) => {
    const links = column.value.links.filter((one) => isNumeric(one) && !isKey(one.table, one.column) && one.cost < 0.5);
    if (links.length === 0 || (q.tables[column.value.at] ?? []).some((span) => span.links.some((one) => one.cost < 0.3))) return [];
    const ref: ColumnRef = { ...toRef(column.value), links };
    const parts = values.map((value): Condition => ({ kind: 'compare', column: ref, op: '=', value: { kind: 'number', value } }));
    const [first] = parts;
    return first === undefined ? [] : [{ at: column.at, cost: column.cost + 0.2, value: parts.length === 1 ? first : { kind: 'any' as const, parts } }];
  });
}

/** Parses `between 100 and 300 hours`. */
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

/** Words between a value and its column, as in `Cash as payment method`. */
const AS = new Set(['as', 'for', 'in']);
/** The additional cost of naming a column by a part of its name when the column contains the value. */
const VALUED_COST = 0.3;

/** Parses a value before the name of its column, as in `the Lamberton building` and `"Night" time`. */
function readValueFirst(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const isNot = wordAt(q, from) === 'not';
  const start = skipWords(q, isNot ? from + 1 : from, new Set(['the', 'a', 'an', 'in', 'at', 'from', 'on', 'of']));
  return readValues(q, start).flatMap((value) => readColumns(q, matchPhrase(q, value.at, phraseSet('as|as the|as their|as its|as a|for|for the|for their|in the|in')) > 0 ? skipWords(q, value.at, AS) : value.at).flatMap((column) => {
    const links = column.value.links.map((link) => (value.value.links.some((known) => known.column === link.column) ? { ...link, isPart: false, cost: Math.min(link.cost, VALUED_COST) } : link)).filter((link) => value.value.links.some((known) => known.column === link.column) || (value.value.links.length === 0 && value.value.literal.kind === 'text' && value.cost === 0));
    if (links.length === 0) return [];
    const own = value.value.links.find((known) => known.column === links[0]?.column);
    // A known value may also belong to related rows, like a value without a column name.
    const known = value.value.links.filter((one) => links.some((link) => link.column === one.column));
    const condition: Condition = own === undefined ? { kind: 'compare', column: { links, owner: null, at: column.value.at }, op: isNot ? '!=' : '=', value: value.value.literal } : { kind: 'value', links: known, negated: isNot, owner: null };
    return [{ at: column.at, cost: value.cost + 0.05, value: condition }];
  }));
}

/** Parses `older than 20` and `taller than average`. */
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
  return readAgainst(q, at + 1, { column: numeric, op: isUp ? '>' : '<', cost: 0.1, readConditions }).map((piece) => ({ ...piece, at: skipUnit(q, piece.at) }));
}

/** Parses `cost more than 100` and `earn between 3000 and 4000`. */
function readVerbFirst(q: LinkedQuestion, from: number): Piece<Condition>[] {
  // `with room for more than 15 guests` measures capacity.
  const isRoom = ['room', 'space'].includes(wordAt(q, from)) && wordAt(q, from + 1) === 'for';
  const measure = isRoom ? ROOM_MEASURE : readVerbMeasure(wordAt(q, from));
  const measured = measure === null ? null : toMeasured(q, measure, from);
  if (measured === null) return [];
  const column = { ...measured.ref, links: measured.ref.links.filter(isNumeric) };
  return column.links.length === 0 ? [] : readComparison(q, isRoom ? from + 2 : from + 1, column, false, 0.1).map((piece) => ({ ...piece, at: skipMeasured(q, from, skipUnit(q, piece.at), column) }));
}

/**
 * Skips words that repeat the measure, as in
 * `earn more than 3000 in salary` and `accommodate more than 300 guests`.
 */
function skipMeasured(q: LinkedQuestion, verbAt: number, at: number, { links }: ColumnRef): number {
  const again = wordAt(q, at) !== 'in' ? [] : readColumns(q, at + 1).filter((column) => column.value.links.some((link) => links.some((own) => own.column === link.column)));
  const token = q.tokens[at];
  if (again.length > 0 || token?.kind !== 'word' || token.lemma === token.lower || !takesGuests(wordAt(q, verbAt))) return again[0]?.at ?? at;
  return at + 1;
}

const HIGHER: ReadonlyMap<string, Comparison> = new Map([['higher', '>'], ['larger', '>'], ['greater', '>'], ['bigger', '>'], ['more', '>'], ['longer', '>'], ['lower', '<'], ['smaller', '<'], ['less', '<'], ['shorter', '<']]);

/** Parses `a higher price than 100` and `a lower salary than the average`. */
function readHigherColumn(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const op = HIGHER.get(wordAt(q, from));
  if (op === undefined) return [];
  return readColumns(q, from + 1).flatMap((column) => {
    const links = column.value.links.filter(isNumeric);
    return links.length === 0 || wordAt(q, column.at) !== 'than' ? [] : readAgainst(q, column.at + 1, { column: { ...toRef(column.value), links }, op, cost: column.cost, readConditions });
  });
}

/** Parses `under age 30`, `above the price of 100` and `over the average salary`. */
function readComparedColumn(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const comparator = readComparator(q, from) ?? readTimeComparator(q, from);
  if (comparator === null || ['from', 'by'].includes(wordAt(q, comparator.at - 1))) return [];
  const average = matchPhrase(q, comparator.at, phraseSet('average|the average|mean|the mean|average number of|the average number of|average amount of|the average amount of'));
  if (average > 0) return readColumns(q, average).flatMap((column) => {
    const links = column.value.links.filter(isNumeric);
    return links.length === 0 ? [] : [{ at: column.at, cost: column.cost + 0.15, value: { kind: 'toAggregate' as const, column: { ...toRef(column.value), links }, op: comparator.op, fn: 'avg' as const, where: [] } }];
  });
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

/** Parses a second bound of the same column, as in `above 10 and below 20` and `over 65 or under 18`. */
function readSecondBound(q: LinkedQuestion, first: Piece<Condition>): Piece<Condition>[] {
  const base = first.value;
  const link = wordAt(q, first.at);
  if ((base.kind !== 'compare' && base.kind !== 'toAggregate' && base.kind !== 'aggregate') || base.op === '=' || (link !== 'and' && link !== 'or' && link !== 'but')) return [];
  const start = skipWords(q, first.at + 1, new Set(['is', 'are', 'also']));
  const isTime = base.kind === 'compare' && (base.value.kind === 'text' ? /^\d{4}-/.test(base.value.text) : base.value.kind === 'number' && isYear(base.value.value));
  const comparator = readComparator(q, start) ?? (isTime ? readTimeComparator(q, start) : null);
  const token = comparator === null ? undefined : q.tokens[comparator.at];
  if (comparator === null || (token?.kind !== 'number' && !(isTime && token?.kind === 'date'))) return [];
  const end = comparator.at + 1;
  if ((q.columns[end] ?? []).length > 0 || (q.tables[end] ?? []).length > 0) return [];
  const number = { kind: 'number' as const, value: token.value };
  const second: Condition = base.kind === 'aggregate' ? { ...base, op: comparator.op, value: number } : { kind: 'compare', column: base.column, op: comparator.op, value: token.kind === 'date' ? { kind: 'text', text: token.text } : number };
  return [{ at: end, cost: first.cost, value: { kind: link === 'or' ? 'any' : 'all', parts: [base, second] } }];
}

/** Parses further values of the same column, as in `is A or B` and `is A, B or C`. */
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
