import type { LinkedQuestion } from '../link/link-question.js';
import { isNumeric } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import type { Aggregate, Order, OrderKey, Reading } from '../types.js';
import { readAdjective } from '../words/adjectives.js';
import { readColumns, readEntities, readSuperlative, toRef } from './noun-phrase.js';
import { findNumberColumns } from './superlatives.js';
import { addMention, advance, matchPhrase, phraseSet, type Piece, skipWords, wordAt } from './reader.js';

const BY = phraseSet('ordered alphabetically by|sorted alphabetically by|listed alphabetically by|alphabetically by|ordered descending by|ordered ascending by|sorted descending by|sorted ascending by|ordering by|in order by|ordered by|sorted by|order by|sort by|listed by|arranged by|ranked by|sorted in order of|in order of|in the order of|according to|based on|organized by|sorted according to|ordered according to|by|sorted in|ordered in|in|sorted|ordered|listed in|arranged in|sort them by|order them by|sort the results by|order the results by|sort by the|sorting by|sort the list by|order the list by|sort them in|order them in|sort the result by|sort results by|put them in|sort in|order in|arranged|list them in|list them by|and sort them by|and order them by|and sort by|and order by|and sort the results by|in terms of|sort the list in|sort the names in|sort the names by|ranked in|in a|displayed in|displayed by');
const WAY_UP = phraseSet('ascending order of|ascending alphabetical order of|ascending lexicographical order of|alphabetical ascending order of|chronological order of|the chronological order of|an increasing order of|increasing order of|the ascending order of|alphabetical order of|lexicographical order of|lexicographic order of|an ascending order of|alphabetic order of|the alphabetical order of|alphabetical order by|alphabetical ordering of|increasing|ascending|ascending order by|the order of ascending|lexicographical ordering of|the lexicographic order of|order of ascending|the lexicographical order of|an alphabetical order of|alphabetic order by');
const WAY_DOWN = phraseSet('descending order of|the decreasing order of|a decreasing order of|reverse chronological order of|decreasing order of|the descending order of|a descending order of|descending|decreasing|reverse alphabetical order of|reverse order of|descending alphabetical order of|reversed alphabetical order of|descending order by|reverse lexicographical order of|the order of descending|order of descending|descending alphabetical order by');
const AFTER_UP = phraseSet('in ascending|in ascending order|in the alphabetical order|in the alphabetic order|in the lexicographical order|in alphabetical ordering|in ascending manner|in an ascending manner|in the increasing order|in an increasing order|in ascending lexicographical order|in ascending alphabetic order|in alphabetical ascending order|from fewest to most|from low to higher|by ascending order|in a alphabetical order|from least to greatest|from the least to the greatest|in ascending numerical order|in increasing order|in alphabetical order|ascending|from low to high|from lowest to highest|from the lowest to the highest|in an ascending order|in the ascending order|from smallest to largest|from small to large|in ascending alphabetical order|alphabetically|in alphabetic order|in lexicographical order|in lexicographic order|ascendingly|in order|from least to most|from earliest to latest|from the earliest to the latest|from youngest to oldest|from the youngest to the oldest|from youngest to the oldest|in lexicographical ordering|in order from lowest to highest|in an alphabetical order|from a to z|from the smallest to the largest|in chronological order|chronologically|from oldest to newest|increasingly|starting with the smallest|starting with the lowest|low to high|from short to long|from shortest to longest|from cheapest to most expensive|from first to last|from the oldest to the newest|from old to new|from the shortest to the longest|in the order of ascending');
const AFTER_DOWN = phraseSet('in descending|in descending order|in descending manner|in a descending manner|in a decreasing order|in the decreasing order|from most to fewest|in descending lexicographical order|by descending order|in reverse lexicographic order|in descending alphabetic order|in decreasing order|descending|from high to low|from highest to lowest|from the highest to the lowest|in a descending order|in the descending order|from largest to smallest|from large to small|in reverse alphabetical order|in reverse order|in descending alphabetical order|descendingly|from most to least|from latest to earliest|from oldest to youngest|from the oldest to the youngest|from oldest to the youngest|in reversed alphabetical order|in reverse lexicographical order|in order from highest to lowest|from the largest to the smallest|from newest to oldest|from z to a|from most recent to least recent|starting with the largest|starting with the highest|high to low|from greatest to least|from the greatest to the least|from longest to shortest|from the most to the least|from most expensive to cheapest|from the most recent to the oldest|from the longest to the shortest|from long to short|decreasingly|from the newest to the oldest|from most recent to oldest|in reverse chronological order|from the most expensive to the cheapest|from tallest to shortest|with the largest first|with the highest first|with the most recent first|from heaviest to lightest|from most expensive to least expensive');

/** `ordered by name`, `in descending order of age`, `alphabetically`. */
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
  const up = matchPhrase(q, start, WAY_UP);
  const down = matchPhrase(q, start, WAY_DOWN);
  const at = Math.max(up, down, start);
  const before = wordAt(q, by - 2);
  const isPlain = ['in', 'sorted', 'ordered', 'arranged', 'a'].includes(wordAt(q, by - 1));
  if (isPlain && up < 0 && down < 0) return [];
  const given = down > 0 || /^(descending|decreasing)$/.test(before) ? 'desc' as const : up > 0 || /^(ascending|increasing)$/.test(before) ? 'asc' as const : null;
  const keys = readKeys(q, reading, skipWords(q, at, new Set(['the', 'their', 'its', 'of', 'by', 'a', 'order', 'each', 'your'])), given);
  const isLoose = wordAt(q, by - 1) === 'by' && by - from === 1;
  return keys.map((key) => ({ ...key, cost: key.cost + (isLoose && given === null ? 0.5 : 0) }));
}

/** `ascending by frequency`: which way stands in front. */
function matchWayBy(q: LinkedQuestion, from: number): number {
  return matchPhrase(q, from, phraseSet('ascending by|descending by|increasing by|decreasing by'));
}

/** The keys behind `by`, each with a direction of its own where one is said. */
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
    // `by number of sales`, where a column holds it.
    for (const column of readColumns(q, count)) {
      const links = column.value.links.filter((link) => isNumeric(link.column) && link.isPart !== true && !isKey(link.table, link.column));
      if (links.length > 0) found.push({ piece: { at: column.at, cost: column.cost + 0.15, value: { kind: 'column', column: { ...toRef(column.value), links }, fn: null } }, draft });
    }
  }
  for (const entity of readEntities(q, reading.at)) {
    const known = draft.targets.find((target) => target.kind === 'count' && draft.mentions[target.mention]?.links.some((link) => entity.value.links.some((other) => other.table === link.table)) === true);
    if (known?.kind === 'count' && ['count', 'counts'].includes(wordAt(q, entity.at))) found.push({ piece: { at: entity.at + 1, cost: entity.cost, value: { kind: 'count', mention: known.mention } }, draft });
  }
  const size = matchPhrase(q, reading.at, phraseSet('frequency|count|counts|the count|their count|the frequency|their frequency|the number|number of records|the number of records|occurrences|number of occurrences'));
  const counted = draft.targets.find((target) => target.kind === 'count');
  if (size > 0) found.push({ piece: { at: size, cost: 0.15, value: counted?.kind === 'count' ? { kind: 'count', mention: counted.mention } : { kind: 'size' } }, draft });
  const aggregate = matchPhrase(q, reading.at, phraseSet('average|mean|total|sum of|maximum|minimum'));
  const fn: Aggregate | null = aggregate < 0 ? null : ({ average: 'avg', mean: 'avg', total: 'sum', sum: 'sum', maximum: 'max', minimum: 'min' } as const)[wordAt(q, reading.at)] ?? null;
  for (const column of readColumns(q, aggregate < 0 ? reading.at : aggregate)) found.push({ piece: { at: column.at, cost: column.cost, value: { kind: 'column', column: toRef(column.value), fn } }, draft });
  const entityOwned = readEntities(q, reading.at).flatMap((entity) => readColumns(q, wordAt(q, entity.at) === "'s" ? entity.at + 1 : entity.at).map((column) => ({ entity, column })));
  for (const { entity, column } of entityOwned) {
    const owner = draft.mentions.findIndex((mention) => mention.links.some((link) => entity.value.links.some((other) => other.table === link.table)));
    if (owner >= 0) found.push({ piece: { at: column.at, cost: entity.cost + column.cost, value: { kind: 'column', column: toRef(column.value, owner), fn: null } }, draft });
  }
  return found;
}

function readDirection(q: LinkedQuestion, from: number): { readonly at: number; readonly direction: 'asc' | 'desc' } | null {
  const at = wordAt(q, from) === ',' ? from + 1 : from;
  const down = matchPhrase(q, at, AFTER_DOWN);
  const up = matchPhrase(q, at, AFTER_UP);
  if (down < 0 && up < 0) return null;
  return down > up ? { at: down, direction: 'desc' } : { at: up, direction: 'asc' };
}

/** `by price, cheapest first`: which end of the key comes first. */
function readEndFirst(q: LinkedQuestion, from: number): { readonly at: number; readonly direction: 'asc' | 'desc' } | null {
  const measured = readMeasured(q, wordAt(q, from) === ',' ? from + 1 : from);
  return measured === null ? null : { at: measured.at, direction: measured.value.direction };
}

/** `in alphabetical order`: by what is shown first; `from oldest to youngest`: by what the adjective measures. */
function readDirectionAlone(q: LinkedQuestion, reading: Reading, from: number): Reading[] {
  const start = matchPhrase(q, from, phraseSet('sorted|ordered|listed|arranged|sort them|order them|and sort them|sort|ranked|displayed'));
  const at = start > 0 ? start : from;
  if (reading.draft.orders.length > 0) return [];
  const measured = readMeasured(q, at);
  if (measured !== null) return [advance(reading, measured.at, 0.1, { orders: [measured.value] })];
  const direction = readDirection(q, at);
  // `descending by age`: the key follows.
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

/** `newest first` speaks of a time, `cheapest first` of a price: never of what happens to be shown first. */
function namesMeasure(q: LinkedQuestion, from: number, to: number): boolean {
  return q.tokens.slice(from, to).some((token) => token.lower !== 'last' && readAdjective(token.lower) !== null && !GENERAL.has(token.lower)) || q.tokens.slice(from, to).some((token) => ['expensive', 'recent', 'chronological', 'chronologically'].includes(token.lower));
}

const GENERAL = new Set(['high', 'higher', 'highest', 'low', 'lower', 'lowest', 'large', 'largest', 'larger', 'small', 'smallest', 'big', 'biggest', 'short', 'shortest', 'long', 'longest']);

/** `newest first`, `from the oldest to the youngest`, `starting with the oldest`: by what the adjective measures. */
function readMeasured(q: LinkedQuestion, from: number): Piece<Order> | null {
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
