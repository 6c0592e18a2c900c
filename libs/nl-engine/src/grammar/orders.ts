import type { LinkedQuestion } from '../link/link-question.js';
import { isNumeric } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import type { Aggregate, Order, OrderKey, Reading } from '../types.js';
import { readAdjective } from '../words/adjectives.js';
import { readColumns, readEntities, readSuperlative, toRef } from './noun-phrase.js';
import { findNumberColumns } from './superlatives.js';
import { addMention, advance, matchPhrase, phraseSet, type Piece, remember, skipWords, wordAt } from './reader.js';
import { readSpan, readWay, readWayOf, type Way } from './ways.js';

/** Phrases that introduce an order, such as `sort the results by` and `listed in order of`. */
const SORTING = ['sorted', 'ordered', 'listed', 'arranged', 'ranked', 'displayed', 'organized', 'sorting', 'ordering', 'sort first', 'sorted first', 'ordered first', ...['sort', 'order', 'list', 'arrange', 'rank', 'show', 'display', 'present', 'return', 'give', 'put', 'organize'].flatMap((verb) => ['', ' them', ' it', ' the results', ' the result', ' results', ' the list', ' the names'].map((object) => `${verb}${object}`))];
const BY = phraseSet([
  'alphabetically by|in order by|in order of|in the order of|according to|based on|by|in|sorted|ordered|put them in|arranged|in terms of|in a',
  ...SORTING.flatMap((word) => ['by', 'in', 'according to', 'based on', 'using', 'in order of', 'in the order of', 'in terms of', 'by the'].flatMap((link) => [`${word} ${link}`, `and ${word} ${link}`])),
].join('|'));
const WAY_UP = phraseSet('increasing|ascending|the order of ascending|order of ascending');
const WAY_DOWN = phraseSet('descending|decreasing|the order of descending|order of descending');

/** Parses `ordered by name`, `in descending order of age` and `alphabetically`. */
export function readOrders(q: LinkedQuestion, reading: Reading): Reading[] {
  if (reading.draft.targets.length === 0 || reading.draft.limit === 1) return [];
  const start = wordAt(q, reading.at) === ',' || wordAt(q, reading.at) === 'and' || wordAt(q, reading.at) === '.' ? reading.at + 1 : reading.at;
  const opening = matchPhrase(q, start, phraseSet('and|order|sort|show them|list them'));
  const starts = [start, ...(opening > 0 ? [opening] : [])];
  return starts.flatMap((at) => [...readBy(q, reading, at), ...readDirectionAlone(q, reading, at)]);
}

function readBy(q: LinkedQuestion, reading: Reading, from: number): Reading[] {
  const by = Math.max(matchPhrase(q, from, BY), matchWayBy(q, from));
  if (by < 0) return [];
  const start = skipWords(q, by, new Set(['the', 'their', 'its', 'a', 'an', 'each', "'s"]));
  const way = readWayOf(q, start);
  const up = Math.max(matchPhrase(q, start, WAY_UP), way?.direction === 'asc' ? way.at : -1);
  const down = Math.max(matchPhrase(q, start, WAY_DOWN), way?.direction === 'desc' ? way.at : -1);
  const at = Math.max(up, down, start);
  const before = wordAt(q, by - 2);
  const isPlain = ['in', 'sorted', 'ordered', 'arranged', 'a'].includes(wordAt(q, by - 1));
  if (isPlain && up < 0 && down < 0) return [];
  const given = down > 0 || /^(descending|decreasing)$/.test(before) ? 'desc' as const : up > 0 || /^(ascending|increasing)$/.test(before) ? 'asc' as const : null;
  const keys = readKeys(q, reading, skipWords(q, at, new Set(['the', 'their', 'its', 'of', 'by', 'a', 'order', 'each', 'your'])), given);
  // In `sort the names of products by price`, the verb is at the start.
  const isLoose = wordAt(q, by - 1) === 'by' && by - from === 1 && !['sort', 'order', 'rank', 'arrange'].includes(wordAt(q, 0));
  // `list the students by last name` also sorts.
  const isListed = reading.draft.targets.every((target) => target.kind === 'rows') && ['list', 'show', 'display', 'give'].includes(wordAt(q, 0));
  return keys.map((key) => ({ ...key, cost: key.cost + (isLoose && given === null ? (isListed ? 0.2 : 0.5) : 0) }));
}

/** Parses the direction before the key, as in `ascending by frequency`. */
function matchWayBy(q: LinkedQuestion, from: number): number {
  return matchPhrase(q, from, phraseSet('ascending by|descending by|increasing by|decreasing by'));
}

/** Parses the keys after `by`, each with an optional direction. */
function readKeys(q: LinkedQuestion, reading: Reading, from: number, given: 'asc' | 'desc' | null): Reading[] {
  const found: Reading[] = [];
  let front: Reading[] = [{ ...reading, at: from }];
  for (let step = 0; step < 3 && front.length > 0; step += 1) {
    front = front.flatMap((one) => readKey(q, one).flatMap(({ piece, draft }) => {
      const after = readDirection(q, piece.at) ?? readEndFirst(q, piece.at);
      const order: Order = { key: piece.value, direction: after?.direction ?? given ?? (one.draft.limit !== null && wordAt(q, 0) !== 'bottom' && q.tokens.some((token) => token.lower === 'top') ? 'desc' : 'asc') };
      return [{ at: after?.at ?? piece.at, cost: one.cost + piece.cost, draft: { ...draft, orders: [...draft.orders, order] } }];
    }));
    found.push(...front);
    front = front.flatMap((one) => {
      const next = matchPhrase(q, one.at, phraseSet(', and then by|and then by|then by|, then by|and by|, and|and|,|, then|then'));
      return next < 0 ? [] : [{ ...one, at: skipWords(q, next, new Set(['the', 'their', 'by', 'in'])) }];
    });
  }
  return found;
}

function readKey(q: LinkedQuestion, reading: Reading): { piece: Piece<OrderKey>; draft: Reading['draft'] }[] {
  const { draft } = reading;
  const found: { piece: Piece<OrderKey>; draft: Reading['draft'] }[] = [];
  const count = matchPhrase(q, reading.at, phraseSet('number of|the number of|total number of|count of|how many'));
  if (count > 0) {
    for (const entity of readEntities(q, count)) {
      const known = draft.mentions.findIndex((mention) => mention.links.some((link) => entity.value.links.some((other) => other.table === link.table)));
      const placed = known >= 0 ? draft : addMention(draft, { links: entity.value.links }, Math.min(0, draft.mentions.length - 1));
      const rival = findNumberColumns(q, count).some(({ to, links }) => to === entity.at && links.some((link) => draft.mentions.some((mention) => mention.links.some((own) => own.table === link.table)))) ? 0.6 : 0;
      found.push({ piece: { at: entity.at, cost: entity.cost + rival, value: { kind: 'count', mention: known >= 0 ? known : placed.focus } }, draft: { ...placed, focus: draft.focus } });
    }
    // `by number of sales` may refer to a column.
    for (const column of readColumns(q, count)) {
      const links = column.value.links.filter((link) => isNumeric(link.column) && link.isPart !== true && !isKey(link.table, link.column));
      if (links.length > 0) found.push({ piece: { at: column.at, cost: column.cost + 0.15, value: { kind: 'column', column: { ...toRef(column.value), links }, fn: null } }, draft });
    }
  }
  for (const entity of readEntities(q, reading.at)) {
    const known = draft.targets.find((target) => target.kind === 'count' && draft.mentions[target.mention]?.links.some((link) => entity.value.links.some((other) => other.table === link.table)) === true);
    if (known?.kind === 'count' && ['count', 'counts'].includes(wordAt(q, entity.at))) found.push({ piece: { at: entity.at + 1, cost: entity.cost, value: { kind: 'count', mention: known.mention } }, draft });
  }
  const size = matchPhrase(q, reading.at, phraseSet('frequency|number|count|counts|the count|their count|the frequency|their frequency|the number|number of records|the number of records|occurrences|number of occurrences'));
  const counted = draft.targets.find((target) => target.kind === 'count');
  if (size > 0) found.push({ piece: { at: size, cost: 0.15, value: counted?.kind === 'count' ? { kind: 'count', mention: counted.mention } : { kind: 'size' } }, draft });
  const aggregate = matchPhrase(q, reading.at, phraseSet('average|mean|total|sum of|maximum|minimum'));
  const fn: Aggregate | null = aggregate < 0 ? null : ({ average: 'avg', mean: 'avg', total: 'sum', sum: 'sum', maximum: 'max', minimum: 'min' } as const)[wordAt(q, reading.at)] ?? null;
  for (const column of readColumns(q, aggregate < 0 ? reading.at : aggregate)) found.push({ piece: { at: column.at, cost: column.cost, value: { kind: 'column', column: toRef(column.value), fn } }, draft });
  // In `the average rating of each product, sorted by rating`, the order refers to the shown average.
  if (aggregate < 0) found.push(...listShownNumbers(q, reading.at, draft).map((piece) => ({ piece, draft })));
  const entityOwned = readEntities(q, reading.at).flatMap((entity) => readColumns(q, wordAt(q, entity.at) === "'s" ? entity.at + 1 : entity.at).map((column) => ({ entity, column })));
  for (const { entity, column } of entityOwned) {
    const owner = draft.mentions.findIndex((mention) => mention.links.some((link) => entity.value.links.some((other) => other.table === link.table)));
    if (owner >= 0) found.push({ piece: { at: column.at, cost: entity.cost + column.cost, value: { kind: 'column', column: toRef(column.value, owner), fn: null } }, draft });
  }
  return found;
}

function listShownNumbers(q: LinkedQuestion, at: number, { targets }: Reading['draft']): Piece<OrderKey>[] {
  return readColumns(q, at).flatMap((column) => targets.flatMap((target) => {
    if (target.kind !== 'column' || target.fn === null) return [];
    const isSame = target.column.links.some((link) => column.value.links.some((other) => other.column === link.column));
    return isSame ? [{ at: column.at, cost: column.cost, value: { kind: 'column' as const, column: target.column, fn: target.fn } }] : [];
  }));
}

const readDirection = remember(findDirection);

function findDirection(q: LinkedQuestion, from: number): Way | null {
  const at = wordAt(q, from) === ',' ? from + 1 : from;
  const order = matchPhrase(q, at, phraseSet('in the order of ascending|in order'));
  const ways = [readWay(q, at), readSpan(q, at), order < 0 ? null : { at: order, direction: 'asc' as const }].flatMap((way) => way ?? []);
  return ways.sort((a, b) => b.at - a.at)[0] ?? null;
}

/** Parses the direction in `by price, cheapest first`. */
function readEndFirst(q: LinkedQuestion, from: number): Way | null {
  const measured = readMeasured(q, wordAt(q, from) === ',' ? from + 1 : from);
  return measured === null ? null : { at: measured.at, direction: measured.value.direction };
}

/**
 * Parses an order without a key. `in alphabetical order` sorts by the first shown column, and
 * `from oldest to youngest` by the column that the adjective measures.
 */
function readDirectionAlone(q: LinkedQuestion, reading: Reading, from: number): Reading[] {
  const start = matchPhrase(q, from, phraseSet('sorted|ordered|listed|arranged|sort them|order them|and sort them|sort|ranked|displayed'));
  const at = start > 0 ? start : from;
  if (reading.draft.orders.length > 0) return [];
  const measured = readMeasured(q, at);
  if (measured !== null) return [advance(reading, measured.at, 0.1, { orders: [measured.value] })];
  const direction = readDirection(q, at);
  // In `descending by age`, the key follows.
  if (direction === null || namesMeasure(q, at, direction.at) || ['by', 'of'].includes(wordAt(q, direction.at))) return [];
  const [first] = reading.draft.targets;
  const counted = reading.draft.targets.find((target) => target.kind === 'count' || (target.kind === 'column' && target.fn !== null));
  if (counted !== undefined && reading.draft.targets.length + reading.draft.groups.length > 1 && !isAlphabetical(q, at, direction.at)) {
    const key: OrderKey = counted.kind === 'column' ? { kind: 'column', column: counted.column, fn: counted.fn } : { kind: 'count', mention: counted.kind === 'count' ? counted.mention : 0 };
    return [advance(reading, direction.at, 0.15, { orders: [{ key, direction: direction.direction }] })];
  }
  if (first?.kind !== 'column' || first.fn !== null) return [];
  return [advance(reading, direction.at, 0.1, { orders: [{ key: { kind: 'column', column: first.column, fn: null }, direction: direction.direction }] })];
}

function isAlphabetical(q: LinkedQuestion, from: number, to: number): boolean {
  return q.tokens.slice(from, to).some((token) => /^(alphabet|lexicograph|chronolog|z$)/.test(token.lower));
}

/**
 * Returns whether the words imply their own key.
 * `newest first` refers to a time and `cheapest first` to a price, never to the first shown column.
 */
function namesMeasure(q: LinkedQuestion, from: number, to: number): boolean {
  return q.tokens.slice(from, to).some((token) => token.lower !== 'last' && readAdjective(token.lower) !== null && !GENERAL.has(token.lower)) || q.tokens.slice(from, to).some((token) => ['expensive', 'recent', 'chronological', 'chronologically'].includes(token.lower));
}

const GENERAL = new Set(['high', 'higher', 'highest', 'low', 'lower', 'lowest', 'large', 'largest', 'larger', 'small', 'smallest', 'big', 'biggest', 'short', 'shortest', 'long', 'longest']);

/**
 * Parses `newest first`, `from the oldest to the youngest` and
 * `starting with the oldest` as an order by the column that the adjective measures.
 */
const readMeasured = remember(findMeasured);

function findMeasured(q: LinkedQuestion, from: number): Piece<Order> | null {
  const first = matchPhrase(q, from, phraseSet('starting with the|beginning with the|starting from the|beginning from the'));
  if (first > 0) return readSuperlative(q, first);
  const isSpan = wordAt(q, from) === 'from';
  const found = readSuperlative(q, isSpan ? (wordAt(q, from + 1) === 'the' ? from + 2 : from + 1) : from);
  if (found === null) return null;
  if (!isSpan) return wordAt(q, found.at) === 'first' ? { ...found, at: found.at + 1 } : null;
  if (wordAt(q, found.at) !== 'to') return null;
  const other = skipWords(q, found.at + 1, new Set(['the', 'most', 'least']));
  return readAdjective(wordAt(q, other)) === null ? null : { ...found, at: other + 1 };
}
