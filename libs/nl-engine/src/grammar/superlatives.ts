import type { Column, Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/link-question.js';
import { isCalendar, isNumeric } from '../resolve/fits-literal.js';
import { findLabel } from '../resolve/find-label.js';
import { isKey } from '../resolve/is-key.js';
import type { ColumnLink, Order, Reading } from '../types.js';
import { DONE_COST, listDone } from './done.js';
import { listHappenedOn } from './happened-on.js';
import { readColumns, readEntities, readSuperlative, toMeasured, toRef } from './noun-phrase.js';
import { readNested } from './nested.js';
import { readRated, readVerbMeasure } from '../words/adjectives.js';
import { placeEntity, readOwnedColumns } from './targets.js';
import { findBehind } from './tops.js';
import { isVerb } from '../words/verbs.js';
import { addMention, advance, findSame, matchPhrase, phraseSet, type Piece, skipBack, skipWords, wordAt } from './reader.js';

const INTRO = new Set(['can', 'could', 'ever', 'charge', 'part', 'responsible', 'with', 'has', 'have', 'had', 'having', 'that', 'which', 'who', 'whose', 'by', 'in', 'of', 'is', 'are', 'was', 'were', 'the', 'a', 'on', 'at', 'for', 'and', 'contain', 'contains', 'where', ',', 'from', 'hold', 'holds', 'received', 'got', 'receives', 'offers', 'offer', 'produced', 'scored', 'uses', 'use', 'belongs', 'belong', 'to', 'their', 'its', 'owns', 'own', 'does', 'do', 'did', 'most', 'also', 'taken', 'takes', 'took', 'made', 'published', 'written', 'wrote', 'been', 'be', 'used', 'played', 'won', 'taught', 'attended', 'enrolled', 'participated', 'ordered', 'bought', 'placed', 'hosted', 'held', 'directed', 'treated', 'assigned', 'serves', 'serve', 'runs', 'run', 'hosts', 'performed', 'appeared', 'shown', 'served', 'employs', 'employ', 'ranked']);
/** Combines any word for the most with any word for a number, as in `the greatest total number of`. */
const listAmounts = (words: string): string[] => words.split(' ').flatMap((word) => ['number', 'amount', 'quantity', 'count', 'total number', 'total amount', 'total count', 'overall number'].map((amount) => `${word} ${amount} of`));
const MOST_OF = phraseSet(['most', 'most of', 'most of the', 'the most of', ...listAmounts('most largest highest greatest biggest maximum max top')].join('|'));
const LEAST_OF = phraseSet(['least', 'fewest', ...listAmounts('least smallest lowest fewest minimum min minimal')].join('|'));
const HIGH = phraseSet('highest|largest|greatest|maximum|max|biggest|most|best|longest|latest|oldest|top|most recent|newest|tallest|heaviest|richest');
const LOW = phraseSet('lowest|smallest|least|minimum|min|worst|shortest|earliest|fewest|cheapest|youngest|lightest|slowest');
/** Superlatives that cannot refer to a date. */
const SIZES = new Set(['highest', 'largest', 'greatest', 'biggest', 'lowest', 'smallest', 'longest', 'shortest']);
const AVERAGES = phraseSet('average|mean|total|combined');

/** Parses `with the highest salary`, `that has the most students` and `with the 3 largest areas`. */
export function readSuperlatives(q: LinkedQuestion, reading: Reading): Reading[] {
  const { draft } = reading;
  if (draft.orders.length > 0 || (draft.mentions.length === 0 && draft.targets.length === 0)) return [];
  const ends = listStarts(q, reading.at);
  return ends.flatMap((start) => {
    const limit = readLimit(q, start);
    const found = [...readByColumn(q, reading, limit.at, limit.value), ...readByCount(q, reading, limit.at, limit.value), ...readByAdjective(q, reading, limit.at, limit.value), ...readByVerb(q, reading, limit.at, limit.value), ...readByTime(q, reading, limit.at)];
    return found.flatMap((one) => readNested(q, one, draft.focus));
  });
}

const SORTED = new Set(['order', 'ordered', 'sort', 'sorted', 'sorting', 'ascending', 'descending', 'increasing', 'decreasing', 'listed', 'arranged', 'starting', 'beginning']);

const STARTS_MAX = 6;
const CHARGES = new Set(['charge', 'responsible', 'part']);

function listStarts(q: LinkedQuestion, from: number): number[] {
  const starts: number[] = [];
  // `who is in charge of the most` has five words before the superlative.
  const far = q.tokens.slice(from, from + STARTS_MAX).some(({ lower }) => CHARGES.has(lower)) ? STARTS_MAX + 2 : STARTS_MAX;
  for (let at = from; at < from + far; at += 1) {
    starts.push(at);
    // In `the product that was ordered most often`, the verb is an event rather than an order.
    const isDone = wordAt(q, at) === 'ordered' && ['was', 'were', 'been'].includes(wordAt(q, at - 1));
    if ((SORTED.has(wordAt(q, at)) && !isDone) || (!INTRO.has(wordAt(q, at)) && !isVerb(wordAt(q, at)))) break;
  }
  return starts;
}

function readLimit(q: LinkedQuestion, from: number): { readonly at: number; readonly value: number } {
  const isTop = wordAt(q, from) === 'top';
  const token = q.tokens[isTop ? from + 1 : from];
  if (token?.kind !== 'number' || !Number.isInteger(token.value) || token.value > 1_000) return { at: from, value: 1 };
  return { at: (isTop ? from + 2 : from + 1) - (isTop ? 2 : 0), value: token.value };
}

function readByColumn(q: LinkedQuestion, reading: Reading, from: number, limit: number): Reading[] {
  const found: Reading[] = [];
  for (const [phrases, phrasesDirection] of [[HIGH, 'desc'], [LOW, 'asc']] as const) {
    let at = matchPhrase(q, from, phrases);
    if (at < 0 || ['at', 'to'].includes(wordAt(q, from - 1))) continue;
    let count = limit;
    const token = q.tokens[at];
    if (token?.kind === 'number' && Number.isInteger(token.value)) {
      count = token.value;
      at += 1;
    }
    // In `top 3 lowest`, the second word gives the direction.
    const [low, high] = wordAt(q, at - 1) === 'top' || wordAt(q, at - 2) === 'top' ? [matchPhrase(q, at, LOW), matchPhrase(q, at, HIGH)] : [-1, -1];
    const direction = low > 0 ? 'asc' as const : phrasesDirection;
    at = Math.max(at, low, high);
    const averaged = matchPhrase(q, at, AVERAGES);
    const fn = averaged < 0 ? null : wordAt(q, averaged - 1) === 'total' || wordAt(q, averaged - 1) === 'combined' ? 'sum' as const : 'avg' as const;
    const start = averaged < 0 ? at : averaged;
    const columnAt = skipWords(q, start, new Set(['of', 'the', 'value', 'for', 'amount', 'overall', 'number']));
    // `the highest total amount` may refer to the amount of something or to an amount column.
    const places = columnAt > start && wordAt(q, columnAt - 1) === 'amount' ? [columnAt - 1, columnAt] : [columnAt];
    for (const { phrase, owner: owned, to, cost } of places.flatMap((place) => readOwnedColumns(q, place, reading.draft))) {
      const links = phrase.links.filter((link) => (isNumeric(link.column) || isCalendar(link.column)) && !(link.isPart === true && isKey(link.table, link.column)) && !(isCalendar(link.column) && SIZES.has(wordAt(q, columnAt - 1))));
      if (links.length === 0) continue;
      const owner = owned !== reading.draft ? owned.focus : reading.draft.mentions.length === 0 ? null : reading.draft.focus;
      const order: Order = { key: { kind: 'column', column: { ...toRef(phrase, owner), links, ...(fn === null ? {} : { isBehind: true }) }, fn }, direction };
      found.push(advance(reading, to, cost, { ...owned, focus: reading.draft.focus, orders: [order], limit: reading.draft.limit ?? count }));
    }
  }
  return found;
}

function readByCount(q: LinkedQuestion, reading: Reading, from: number, limit: number): Reading[] {
  const found: Reading[] = [];
  for (const [phrases, direction] of [[MOST_OF, 'desc'], [LEAST_OF, 'asc']] as const) {
    const at = Math.max(matchPhrase(q, from, phrases), direction === 'desc' ? matchTopNumber(q, from) : -1);
    if (at < 0 || ['at', 'to'].includes(wordAt(q, from - 1))) continue;
    found.push(...readByNumberColumn(q, reading, at, direction, limit), ...readByHeldNumber(q, reading, at, direction, limit));
    for (const entity of readEntities(q, at)) {
      if (entity.value.isEach || entity.value.orders.length > 0) continue;
      const parent = reading.draft.mentions.length === 0 ? -1 : reading.draft.focus;
      const placed = addMention(reading.draft, { links: entity.value.links, conditions: entity.value.conditions }, parent);
      const order: Order = { key: { kind: 'count', mention: placed.focus }, direction };
      found.push(advance(reading, entity.at, entity.cost + (findNumberColumns(q, at).some((one) => one.to === entity.at) ? 0.6 : 0), { ...placed, orders: [order], limit: reading.draft.limit ?? limit }));
      const doing = skipDoing(q, entity.at);
      if (doing > entity.at) found.push(advance(reading, doing, entity.cost + 0.15, { ...placed, orders: [order], limit: reading.draft.limit ?? limit }));
    }
    found.push(...readByColumnRows(q, reading, at, { direction, limit }), ...readByOwnRows(q, reading, at, { direction, limit }));
    const times = matchPhrase(q, at, phraseSet('number of times|common|commonly|frequent|frequently|popular|often|times|frequently used|used|commonly used|rows|records|occurrences|prevalent|numerous'));
    const alone = isAlone(q, at) ? at : -1;
    const related = reading.draft.mentions.length > 1 ? reading.draft.focus : -1;
    const last = reading.draft.mentions[related];
    const end = times > 0 ? times : alone;
    if (end > 0 && last !== undefined && last.conditions.length === 0 && !last.negated && last.quantity === null) found.push(advance(reading, end, 0.05, { orders: [{ key: { kind: 'count', mention: related }, direction }], limit: reading.draft.limit ?? limit }));
    // `the instrument that is used the most` refers to the most frequent value.
    const verb = wordAt(q, skipBack(q, from - 1, THE));
    if (times < 0 && alone > 0 && related < 0 && isVerb(verb) && readRated(verb) === null && showsValues(reading.draft)) found.push(advance(reading, alone, 0.15, { orders: [{ key: { kind: 'size' }, direction }], limit: reading.draft.limit ?? limit }));
    if (times > 0 && related < 0 && reading.draft.targets.length > 0) found.push(...listDone(q, reading.draft, verb).map((table) => {
      const placed = addMention(reading.draft, { links: [{ table, cost: DONE_COST }] }, reading.draft.focus);
      return advance(reading, times, 0.1, { ...placed, orders: [{ key: { kind: 'count', mention: placed.focus }, direction }], limit: reading.draft.limit ?? limit });
    }));
    if (times > 0) found.push(advance(reading, skipWords(q, times, new Set(['used', 'listed', 'owned'])), 0.1, { orders: [{ key: { kind: 'size' }, direction }], limit: reading.draft.limit ?? limit }));
  }
  return found;
}

/** Parses `with the top 3 number of transactions`. */
function matchTopNumber(q: LinkedQuestion, from: number): number {
  const count = q.tokens[from + 1];
  return wordAt(q, from) === 'top' && count?.kind === 'number' && Number.isInteger(count.value) ? matchPhrase(q, from + 2, phraseSet('number of|numbers of|most|highest number of|largest number of')) : -1;
}

const BE = new Set(['do', 'does', 'did', 'are', 'is', 'were', 'was', 'have', 'has', 'had', 'been']);
const WHERE = new Set(['in', 'from', 'for', 'to', 'on', 'at', 'there', 'by', 'with']);

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

interface Best { readonly direction: 'asc' | 'desc'; readonly limit: number }

const COLUMN_ROWS_COST = 0.4;

/**
 * Counts the rows that have a column set, as in
 * `the party with the most delegates` when `delegate` is a column.
 */
function readByColumnRows(q: LinkedQuestion, reading: Reading, at: number, { direction, limit }: Best): Reading[] {
  if (reading.draft.mentions.length === 0 || (q.tables[at] ?? []).some((span) => span.links.some((link) => link.cost < 0.5))) return [];
  return readColumns(q, at).filter((column) => q.tokens[column.at - 1]?.lemma !== q.tokens[column.at - 1]?.lower).flatMap((column) => {
    const links = column.value.links.filter((link) => link.column.valueKind === 'string' && link.isPart !== true && link.cost < 0.3 && !isKey(link.table, link.column)).map((link) => ({ table: link.table, cost: link.cost }));
    if (links.length === 0) return [];
    const placed = addMention(reading.draft, { links }, reading.draft.focus);
    return [advance(reading, column.at, column.cost + COLUMN_ROWS_COST, { ...placed, orders: [{ key: { kind: 'count', mention: placed.focus }, direction }], limit: reading.draft.limit ?? limit })];
  });
}

/** Counts the rows with each shown value, as in `the ship type with the most ships`. */
function readByOwnRows(q: LinkedQuestion, reading: Reading, at: number, { direction, limit }: Best): Reading[] {
  const { draft } = reading;
  const [rows, ...others] = draft.mentions;
  if (rows === undefined || others.length > 0 || rows.negated || rows.quantity !== null || !showsValues(draft)) return [];
  return readEntities(q, at).filter(({ value }) => !value.isEach && value.conditions.length + value.orders.length === 0 && findSame(draft, value.links) === 0)
    .map((entity) => advance(reading, entity.at, entity.cost + OWN_ROWS_COST, { orders: [{ key: { kind: 'size' }, direction }], limit: draft.limit ?? limit }));
}

const OWN_ROWS_COST = 0.1;

/** Returns whether the targets are values that several rows may share, rather than labels. */
function showsValues({ targets, mentions }: Reading['draft']): boolean {
  const isCalled = (table: Table, column: Column): boolean => findLabel(table).includes(column) && (mentions.length > 0 || /(?:name|title)$/i.test(column.name));
  if (targets.some((target) => target.kind === 'column' && target.column.links.some(({ table, column }) => isCalled(table, column)))) return false;
  return targets.length > 0 && targets.every((target) => target.kind === 'column' && target.fn === null && target.column.links.every(({ table, column }) => !isKey(table, column) || (table.primaryKey?.length ?? 0) > 1));
}

/** Returns columns that hold the number of the noun at `at`, such as `number_of_hosts` for `hosts`. */
export function findNumberColumns(q: LinkedQuestion, at: number): { readonly to: number; readonly links: readonly ColumnLink[] }[] {
  const found: { to: number; links: readonly ColumnLink[] }[] = [];
  const words: string[] = [];
  for (let to = at; to < Math.min(at + 3, q.tokens.length); to += 1) {
    words.push(q.tokens[to]?.lemma ?? '');
    const links = ['number', 'total', 'count'].flatMap((word) => q.lexicon.columns.get([word, ...words].sort().join(' ')) ?? []).filter((link) => link.cost < 0.5 && isNumeric(link.column));
    if (links.length > 0) found.push({ to: to + 1, links });
  }
  return found;
}

function readByNumberColumn(q: LinkedQuestion, reading: Reading, at: number, direction: 'asc' | 'desc', limit: number): Reading[] {
  const owner = reading.draft.mentions.length === 0 ? null : reading.draft.focus;
  return findNumberColumns(q, at).map(({ to, links }) => advance(reading, to, 0.1, { orders: [{ key: { kind: 'column', column: { links, owner, at }, fn: null }, direction }], limit: reading.draft.limit ?? limit }));
}

/** Parses `the largest number of international passengers` when a column holds that number. */
function readByHeldNumber(q: LinkedQuestion, reading: Reading, at: number, direction: 'asc' | 'desc', limit: number): Reading[] {
  if (wordAt(q, at - 1) !== 'of') return [];
  const owner = reading.draft.mentions.length === 0 ? null : reading.draft.focus;
  return readColumns(q, at).flatMap((column) => {
    const links = column.value.links.filter((link) => isNumeric(link.column) && link.isPart !== true && !isKey(link.table, link.column));
    return links.length === 0 ? [] : [advance(reading, column.at, column.cost + 0.15, { orders: [{ key: { kind: 'column', column: { ...toRef(column.value, owner), links }, fn: null }, direction }], limit: reading.draft.limit ?? limit })];
  });
}

/** Returns whether the superlative has no noun, as in `who commented most last month`. */
function isAlone(q: LinkedQuestion, at: number): boolean {
  const token = q.tokens[at];
  return token === undefined || token.kind === 'mark' || ['last', 'this', 'in', 'since', 'during', 'of', 'on', 'ever', 'yesterday', 'today', 'between'].includes(token.lower);
}

/** Parses `who is the oldest` and `that are the most expensive`. */
function readByAdjective(q: LinkedQuestion, reading: Reading, from: number, limit: number): Reading[] {
  const found = readSuperlative(q, from);
  if (found === null || reading.draft.mentions.length === 0) return [];
  const order = own(found, reading.draft.focus);
  return [advance(reading, skipWords(q, found.at, new Set(['one', 'ones', 'value'])), found.cost, { orders: [order], limit: reading.draft.limit ?? limit })];
}

/** Parses `that was released most recently` as an order by the date of the verb. */
function readByTime(q: LinkedQuestion, reading: Reading, from: number): Reading[] {
  const late = matchPhrase(q, from, phraseSet('most recently|the most recently|latest|the latest|last|most lately'));
  const early = matchPhrase(q, from, phraseSet('earliest|the earliest|first|least recently'));
  const at = Math.max(late, early);
  if (at < 0 || reading.draft.mentions.length === 0) return [];
  // In `who most recently stayed in room 111`, the words after the verb name the rows with the date.
  const isAhead = isVerb(wordAt(q, at)) && ['recently', 'lately'].includes(wordAt(q, at - 1));
  const verbal = listHappenedOn(q, wordAt(q, isAhead ? at : from - 1));
  // `who made an order most recently` refers to the creation time of the orders.
  const focus = reading.draft.mentions[reading.draft.focus];
  const isThing = verbal.length === 0 && RECENTLY.has(wordAt(q, at - 1)) && reading.draft.focus > 0 && (q.tables.slice(0, from).flat().some((span) => span.to === from));
  const links = isThing ? q.lexicon.beginnings.filter((link) => focus?.links.some(({ table }) => table === link.table) === true) : verbal;
  if (links.length === 0) return [];
  return [advance(reading, at, 0.15, { orders: [{ key: { kind: 'column', column: { links, owner: isAhead ? null : reading.draft.focus, at: from }, fn: null }, direction: late > 0 ? 'desc' : 'asc' }], limit: reading.draft.limit ?? 1 })];
}

const RECENTLY = new Set(['recently', 'lately']);
const THE = new Set(['the']);
const GETTING = new Set(['get', 'gets', 'got', 'is', 'are', 'was', 'were', 'being']);

/** Parses `that costs the most`, `who earns least` and `who get paid the least`. */
function readByVerb(q: LinkedQuestion, reading: Reading, from: number, limit: number): Reading[] {
  const paid = GETTING.has(wordAt(q, from - 1)) ? readRated(wordAt(q, from)) : null;
  const measure = paid === null ? readVerbMeasure(wordAt(q, from)) : { columns: paid, direction: 'up' as const };
  const end = wordAt(q, from + 1) === 'the' ? from + 2 : from + 1;
  const way = wordAt(q, end);
  if (measure === null || reading.draft.mentions.length === 0 || (way !== 'most' && way !== 'least')) return [];
  const column = toMeasured(q, measure, from);
  if (column === null || (paid !== null && column.isReversed)) return [];
  const order: Order = { key: { kind: 'column', column: { ...column.ref, owner: reading.draft.focus }, fn: null }, direction: way === 'most' ? 'desc' : 'asc' };
  return [advance(reading, end + 1, 0.1, { orders: [order], limit: reading.draft.limit ?? limit })];
}

function own(piece: Piece<Order>, owner: number): Order {
  return piece.value.key.kind === 'column' ? { ...piece.value, key: { ...piece.value.key, column: { ...piece.value.key.column, owner } } } : piece.value;
}

/** Skips `the top 3 most common`. Returns the next index and the limit. */
function skipTop(q: LinkedQuestion, from: number): readonly [at: number, limit: number] {
  const at = wordAt(q, from) === 'the' ? from + 1 : from;
  const start = wordAt(q, at) === 'top' ? at + 1 : at;
  const token = q.tokens[start];
  return token?.kind === 'number' && Number.isInteger(token.value) && ['most', 'least'].includes(wordAt(q, start + 1)) ? [start + 1, token.value] : [from, 1];
}

const MOST_DONE = phraseSet('the most frequently|most frequently|the most often|most often|the most commonly|most commonly|the most|most');
const LEAST_DONE = phraseSet('the least frequently|least frequently|the least often|least often|the least commonly|least commonly|the least|least');

const OFTEN = new Set(['frequently', 'often', 'commonly']);
const AMOUNTS = new Set(['quantity', 'amount', 'unit', 'number', 'count']);

/** Parses `the most frequently ordered product`, which counts the child rows that the verb names. */
function readMostDone(q: LinkedQuestion, reading: Reading): Reading[] {
  const { draft } = reading;
  const [most, least] = [matchPhrase(q, reading.at, MOST_DONE), matchPhrase(q, reading.at, LEAST_DONE)];
  const at = Math.max(most, least);
  if (at < 0 || draft.mentions.length + draft.orders.length > 0 || !isVerb(wordAt(q, at))) return [];
  return readEntities(q, at + 1).filter(({ value }) => value.conditions.length + value.orders.length === 0 && !value.isEach).flatMap((entity) => {
    const own = placeEntity(draft, entity.value, -1);
    // `the most ordered product` is ambiguous between the number of rows and their quantities.
    const isOften = OFTEN.has(wordAt(q, at - 1));
    return listDone(q, own, wordAt(q, at)).filter((table) => isOften || !table.columns.some((column) => AMOUNTS.has(q.lexicon.columnWords.get(column)?.at(-1) ?? ''))).map((table) => {
      const placed = addMention(own, { links: [{ table, cost: DONE_COST }] }, own.focus);
      return advance(reading, entity.at, entity.cost + 0.2, { ...placed, focus: own.focus, targets: [...draft.targets, { kind: 'rows', mention: own.focus }], orders: [{ key: { kind: 'count', mention: placed.focus }, direction: most > 0 ? 'desc' : 'asc' }], limit: own.limit ?? 1 });
    });
  });
}

/** Parses `the most common nationality of people`, which sorts the values of a column by frequency. */
export function readMostCommon(q: LinkedQuestion, reading: Reading): Reading[] {
  const [start0, top] = skipTop(q, reading.at);
  const most = matchPhrase(q, start0, phraseSet('the most common|most common|the most popular|most popular|the most frequent|most frequent|the most frequently used|the most commonly used|most commonly used|most frequently used|the most prevalent|the most used|most used'));
  const least = matchPhrase(q, start0, phraseSet('the least common|least common|the least popular|least popular|the least frequent|least frequent|the rarest|rarest|the least used|the least commonly used'));
  const at = most > 0 ? most : least;
  if (at < 0 || reading.draft.orders.length > 0) return readMostDone(q, reading);
  const token = q.tokens[at];
  const limit = token?.kind === 'number' ? token.value : top;
  const start = token?.kind === 'number' ? at + 1 : at;
  const direction = most > 0 ? 'desc' as const : 'asc' as const;
  const rows = readEntities(q, start).flatMap((entity) => {
    const behind = reading.draft.mentions.length === 0 && entity.value.orders.length === 0 ? findBehind(q, entity.value.links) : null;
    if (behind === null) return [];
    const own = placeEntity(reading.draft, entity.value, -1);
    const placed = addMention(own, { links: [behind] }, own.focus);
    return [advance(reading, entity.at, entity.cost + 0.3, { ...placed, targets: [{ kind: 'rows', mention: own.focus }], orders: [{ key: { kind: 'count', mention: placed.focus }, direction }], limit })];
  });
  // In `the most common company type`, the column belongs to companies.
  const owned = reading.draft.mentions.length > 0 ? [] : readOwnedColumns(q, start, reading.draft).filter((one) => one.owner !== reading.draft && one.owner.orders.length === 0).map((one) => advance(reading, one.to, one.cost, {
    ...one.owner, targets: [...reading.draft.targets, { kind: 'column', column: toRef(one.phrase, one.owner.focus), fn: null, distinct: false }],
    orders: [{ key: { kind: 'size' }, direction }], limit,
  }));
  return [...rows, ...owned, ...readColumns(q, start).map((column) => advance(reading, column.at, column.cost, {
    targets: [...reading.draft.targets, { kind: 'column', column: toRef(column.value), fn: null, distinct: false }],
    orders: [{ key: { kind: 'size' }, direction }],
    limit,
  }))];
}
