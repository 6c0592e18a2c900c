import type { LinkedQuestion } from '../link/link-question.js';
import { isCalendar } from '../resolve/fits-literal.js';
import type { Draft, Reading, TimeUnit } from '../types.js';
import { isVerb } from '../words/verbs.js';
import { readColumns, readEntities, toRef } from './noun-phrase.js';
import { addConditions, addMention, advance, EACH, findSame, matchPhrase, phraseSet, putTies, remember, skipWords, wordAt } from './reader.js';
import { costOfTableKey } from './table-key.js';

const BEFORE_EACH = phraseSet('for the different|in the different|across the different|across different|for all the different|for|in|of|by|at|from|on|within|under|does|do|did|with|to|has|have|across|belonging to|associated with|corresponding to|that|are there in|offered by|grouped by|there in|are in|are there for|for all|for different|in different|by different|of different|from different|at different|and for|live in|are|held by|owned by|made by|published by|are held by|located in|placed by|played by|provided by|offered in|are offered by|taught by|are from|there are in|there are for|there for|are there at|that belong to|working in|work in|working for|work for|used by|assigned to|produced by|is in|there at|are there on|written by|directed by|performed by|received by|taken by|registered in|enrolled in|had by|among|amongst|throughout|inside|over|between|during');

const BEFORE_KEY = new Set([...EACH, 'of', 'the', 'different', 'distinct', 'unique', 'possible', 'available', 'single', 'individual']);

const BACK = phraseSet('with that|of that|in that|at that|for that|having that|from that|by that|with this|of this|in this|for this|for each|of each|in each|with each|at each|of the same|with the same|in the same|for the corresponding|from each|by each|on each|on that|who got the|that got the|who have the|that have the|who has the|that has the|who had the|that had the|having the|having each|having this|who received the|that received the|who are in the|that are in the|who belong to the|that belong to the|who are in that|that are in that|that belong to that|who belong to that|with such|with said');

/**
 * Parses a repetition of the group or of a shown column,
 * as in `the number of schools with that denomination`.
 */
export function readBackReference(q: LinkedQuestion, reading: Reading): Reading[] {
  const at = matchPhrase(q, reading.at, BACK);
  const { draft } = reading;
  if (at < 0 || draft.targets.length === 0) return [];
  const plain = draft.targets.flatMap((target) => (target.kind === 'column' && target.fn === null ? [target.column] : []));
  const known = [...plain, ...draft.groups.flatMap((group) => (group.kind === 'column' ? [group.column] : []))];
  const isCounted = draft.targets.some((target) => target.kind === 'count' || (target.kind === 'column' && target.fn !== null));
  if (known.length === 0 || !isCounted) return [];
  return readColumns(q, at).filter((column) => column.value.links.some((link) => known.some((ref) => ref.links.some((other) => other.column === link.column)))).map((column) => advance(reading, column.at, 0.1));
}

/** The extra cost of `by` as a group, since it can also introduce an agent. */
const BY_COST = 0.15;

/** The extra cost of `all` as a group, since `the average price for all products` is a single number. */
const FOR_ALL_COST = 0.4;

/** Parses `for each department`, `per year`, `grouped by country` and `does each user have`. */
export function readGroups(q: LinkedQuestion, reading: Reading): Reading[] {
  const { draft } = reading;
  const at = findGroupStart(q, reading.at);
  if (at < 0) return [];
  const groupBy = matchPhrase(q, reading.at, phraseSet('grouped by|group by|broken down by|per|by'));
  const from = groupBy > 0 ? groupBy : at;
  const keys = matchSorted(q, reading.at) > 0 ? readSortedGroups(q, reading) : readGroupKeys(q, { ...reading, at: from }, draft);
  const all = wordAt(q, at) === 'all' || (wordAt(q, at - 1) === 'all' && !EACH.has(wordAt(q, at))) ? FOR_ALL_COST : 0;
  return keys.map((key) => ({ ...key, cost: key.cost + all + (groupBy > 0 && wordAt(q, groupBy - 1) === 'by' && groupBy - reading.at === 1 ? BY_COST : 0) }));
}

const GROUPED_AND_SORTED = phraseSet(['grouped by and', 'grouped and'].flatMap((first) => ['', 'alphabetically '].flatMap((way) => ['ordered', 'sorted', 'listed'].map((verb) => `${first} ${way}${verb} by`))).join('|'));

function matchSorted(q: LinkedQuestion, from: number): number {
  return matchPhrase(q, wordAt(q, from) === ',' ? from + 1 : from, GROUPED_AND_SORTED);
}

/** Parses `grouped and ordered by language`, where one key serves both purposes. */
function readSortedGroups(q: LinkedQuestion, reading: Reading): Reading[] {
  const at = matchSorted(q, reading.at);
  if (at < 0 || reading.draft.orders.length > 0) return [];
  return readGroupKey(q, { ...reading, at }).flatMap((one) => {
    const group = one.draft.groups.at(-1);
    return group?.kind === 'column' ? [{ ...one, draft: { ...one.draft, orders: [{ key: { kind: 'column' as const, column: group.column, fn: null }, direction: 'asc' as const }] } }] : [];
  });
}

const findGroupStart = remember(lookForGroupStart);

function lookForGroupStart(q: LinkedQuestion, from: number): number {
  const start = wordAt(q, from) === ',' ? from + 1 : from;
  const sorted = matchSorted(q, from);
  if (sorted > 0) return sorted;
  const grouped = matchPhrase(q, start, phraseSet('grouped by|group by|broken down by|per'));
  if (grouped > 0) return grouped;
  const by = matchPhrase(q, start, phraseSet('by'));
  if (by > 0) return by;
  const before = Math.max(matchPhrase(q, start, BEFORE_EACH), skipToEach(q, start));
  const at = before > 0 ? before : start;
  return EACH.has(wordAt(q, at)) || (before > 0 && ['all', 'different'].includes(wordAt(q, before - 1))) ? at : -1;
}

/**
 * Skips function words and verbs before `each` or `every`, as in `that correspond to each` and
 * `are held in every`. Returns -1 when neither follows.
 */
function skipToEach(q: LinkedQuestion, from: number): number {
  let at = from;
  while (at < from + 5 && (BETWEEN.has(wordAt(q, at)) || isVerb(wordAt(q, at)))) at += 1;
  return at > from && EACH.has(wordAt(q, at)) ? at : -1;
}

const BETWEEN = new Set(['that', 'which', 'who', 'there', 'are', 'is', 'were', 'was', 'do', 'does', 'did', 'been', 'have', 'has', 'to', 'with', 'in', 'for', 'by', 'at', 'from', 'on', 'of', 'correspond', 'along', 'having', 'using', 'within']);

/** Parses `the average price of each supplier's products`, which groups by the owner of the rows. */
export function readEachOnes(q: LinkedQuestion, reading: Reading): Reading[] {
  const { draft } = reading;
  const start = skipWords(q, reading.at, new Set(['of', 'for', 'in', 'across', 'among']));
  if (start === reading.at || !EACH.has(wordAt(q, start)) || draft.mentions.length > 0 || draft.targets.length === 0 || draft.targets.some((target) => target.kind !== 'column' || target.fn === null)) return [];
  return readEntities(q, start).filter((one) => ["'s", "'"].includes(wordAt(q, one.at)) && one.value.orders.length === 0).flatMap((one) => readEntities(q, one.at + 1).filter((rows) => rows.value.conditions.length + rows.value.orders.length === 0).map((rows) => {
    const rooted = addMention(draft, { links: rows.value.links }, -1);
    const placed = addMention(rooted, { links: one.value.links }, 0);
    const targets = draft.targets.map((target) => (target.kind === 'column' ? { ...target, column: { ...target.column, owner: target.column.owner ?? 0 } } : target));
    return advance(reading, rows.at, one.cost + rows.cost, { ...addConditions(placed, 1, one.value.conditions.map((condition) => putTies(condition, 1))), targets, groups: [{ kind: 'rows', mention: 1 }], focus: 0 });
  }));
}

/** Parses one or more group keys. */
function readGroupKeys(q: LinkedQuestion, reading: Reading, draft: Draft): Reading[] {
  const found: Reading[] = [];
  let front: Reading[] = [{ ...reading, draft }];
  for (let step = 0; step < 3; step += 1) {
    front = front.flatMap((one) => readGroupKey(q, one));
    found.push(...front);
    front = front.flatMap((one) => {
      const next = matchPhrase(q, one.at, phraseSet('and|, and|,'));
      return next < 0 ? [] : [{ ...one, at: next }];
    });
  }
  return found;
}

function readGroupKey(q: LinkedQuestion, reading: Reading): Reading[] {
  const { draft } = reading;
  const at = skipWords(q, reading.at, BEFORE_KEY);
  const columns = readColumns(q, at).map((column) => advance(reading, skipHave(q, column.at), column.cost + costOfTableKey(q, column), { groups: [...draft.groups, { kind: 'column', column: toRef(column.value) }] }));
  const rows = readEntities(q, at).flatMap((entity) => {
    const owned = readColumns(q, wordAt(q, entity.at) === "'s" ? entity.at + 1 : entity.at);
    const known = findSame(draft, entity.value.links);
    const placed = known >= 0 ? { ...draft, focus: known } : addMention(draft, { links: entity.value.links }, draft.mentions.length > 0 ? 0 : -1);
    const id = placed.focus;
    const bound = addConditions(placed, id, entity.value.conditions.map((condition) => putTies(condition, id)));
    const whole = advance(reading, skipHave(q, entity.at), entity.cost, { ...bound, groups: [...draft.groups, { kind: 'rows', mention: id }] });
    return [whole, ...owned.map((column) => advance(reading, skipHave(q, column.at), entity.cost + column.cost, { ...bound, groups: [...draft.groups, { kind: 'column', column: toRef(column.value, id) }] }))];
  });
  return [...columns, ...rows, ...(columns.length > 0 ? [] : readTimeUnit(q, { ...reading, at }))];
}

const UNITS: ReadonlyMap<string, TimeUnit> = new Map([['day', 'day'], ['date', 'day'], ['month', 'month'], ['year', 'year'], ['daily', 'day'], ['monthly', 'month'], ['yearly', 'year']]);

/** Parses `by month` and `per year` when no column has that name. The rows are grouped by their time. */
function readTimeUnit(q: LinkedQuestion, reading: Reading): Reading[] {
  const unit = UNITS.get(wordAt(q, reading.at));
  const links = q.lexicon.dateColumns.filter((link) => isCalendar(link.column));
  if (unit === undefined || links.length === 0) return [];
  return [advance(reading, reading.at + 1, 0.1, { groups: [...reading.draft.groups, { kind: 'column', column: { links, owner: null, at: reading.at }, unit }] })];
}

const HAVE = new Set(['have', 'has', 'had', 'do', 'does', 'take', 'make', 'use', 'offer', 'host', 'group', 'there', 'respectively', 'to', 'in', 'for', 'at', 'from', 'with']);

/** Skips verbs and function words that end a clause, as in `does each teacher advise`. */
function skipHave(q: LinkedQuestion, at: number): number {
  let next = at;
  while (HAVE.has(wordAt(q, next)) || (isVerb(wordAt(q, next)) && (q.tables[next] ?? []).length + (q.columns[next] ?? []).length === 0)) next += 1;
  const token = q.tokens[next];
  return token === undefined || token.kind === 'mark' ? next : at;
}
