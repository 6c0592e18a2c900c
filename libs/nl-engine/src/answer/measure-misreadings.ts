import type { Column, Table } from '@rowhouse/schema-model';
import { wordAt } from '../grammar/reader.js';
import type { LinkedQuestion } from '../link/link-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment, Bound } from '../resolve/assign.js';
import { findLabel } from '../resolve/find-label.js';
import { isNumeric } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import type { Aggregate, ColumnRef } from '../types.js';
import { findWords } from './measure-links.js';

interface Shown {
  readonly ref: ColumnRef;
  readonly fn: Aggregate | null;
  readonly bound: Bound;
}

/** What gives away that a statement, though it says every word of the question, says something that nobody asks for in these words. */
export function measureMisreadings({ assignment }: Candidate, q: LinkedQuestion): Readonly<Record<string, number>> {
  const { draft, columns, tables } = assignment;
  const shown: readonly Shown[] = draft.targets.flatMap((target) => {
    const bound = target.kind === 'column' ? columns.get(target.column) : undefined;
    return target.kind === 'column' && bound !== undefined ? [{ ref: target.column, fn: target.fn, bound }] : [];
  });
  const plain = shown.filter(({ fn }) => fn === null);
  const counted = new Set(draft.targets.flatMap((target) => (target.kind === 'count' ? [target.mention] : [])));
  return {
    wholeBeside: draft.targets.filter((target) => target.kind === 'everything' && plain.some(({ bound }) => bound.mention === target.mention && bound.path.length === 0)).length,
    groupsSummed: countGroupsSummed(assignment, shown),
    ownCounts: plain.filter(({ bound }) => counted.has(bound.mention) && isOwnName(bound, tables[bound.mention])).length,
    rankEnds: countRankEnds(assignment, shown, q),
    titles: [...columns].filter(([ref, bound]) => isPersonTitle(ref, bound, q)).length,
    heldTotals: saysTotalNumber(q) ? draft.targets.filter(({ kind }) => kind === 'count').length * countHolding(assignment, q) : 0,
    codeShown: draft.targets.filter((target) => target.kind === 'rows' && goesByCode(tables[target.mention], q)).length,
    partKinds: shown.filter(({ ref, fn, bound }) => fn === 'count' && (ref.links.find((link) => link.column === bound.column)?.cost ?? 0) > 0).length,
    cutOff: ENDS_OPEN.test(q.tokens.map(({ lower }) => lower).join(' ')) ? 1 : 0,
  };
}

/** `the enrollment for each enrollment type`, and what is summed up is what the groups are made of. */
function countGroupsSummed({ draft, columns }: Assignment, shown: readonly Shown[]): number {
  const grouped = new Set(draft.groups.flatMap((group) => (group.kind === 'column' ? columns.get(group.column)?.column ?? [] : [])));
  return shown.filter(({ fn, bound }) => fn !== null && fn !== 'count' && grouped.has(bound.column)).length;
}

/** `the name and the number of students of each department`: one student of each name is no number; keys that tie to others are. */
function isOwnName({ column, table, path }: Bound, counted: Table | undefined): boolean {
  return path.length === 0 && table === counted && table.primaryKey !== null && findLabel(table).includes(column) && !table.foreignKeys.some((key) => key.columns.includes(column.name));
}

/** What is highest when it is first. */
const RANKS = new Set(['rank', 'ranking', 'position', 'place', 'standing']);
const ENDS = new Set(['highest', 'lowest', 'top', 'best', 'worst', 'bottom']);

/** `the highest rank`: the first or the last, nobody knows. */
function countRankEnds({ draft, columns }: Assignment, shown: readonly Shown[], q: LinkedQuestion): number {
  if (!q.tokens.some(({ lower }) => ENDS.has(lower))) return 0;
  const sorted = draft.limit === null ? [] : draft.orders.flatMap(({ key }) => (key.kind === 'column' && key.fn === null ? columns.get(key.column) ?? [] : []));
  const ends = shown.flatMap(({ fn, bound }) => (fn === 'max' || fn === 'min' ? [bound] : []));
  return [...sorted, ...ends].filter(({ column }) => RANKS.has(wordsOf(column, q).at(-1) ?? '')).length;
}

/** The title of people is what they are, and not what they are called. */
function isPersonTitle(ref: ColumnRef, bound: Bound, q: LinkedQuestion): boolean {
  return q.lexicon.people.some(({ table }) => table === bound.table) && findWords(ref, bound, q).said.join(' ') === 'title' && !wordsOf(bound.column, q).includes('title');
}

function saysTotalNumber(q: LinkedQuestion): boolean {
  return q.tokens.some(({ lower }, at) => lower === 'total' && TOTALS.has(wordAt(q, at + 1)));
}

const TOTALS = new Set(['number', 'amount', 'quantity', 'count']);
const AMOUNTS = new Set(['quantity', 'qty', 'amount', 'number', 'count', 'units']);

/** `the total number of products in orders`, where each line of an order has a quantity: that may be what is to be summed up. */
function countHolding({ paths }: Assignment, q: LinkedQuestion): number {
  const between = paths.flatMap((path) => path.slice(0, -1).map(({ to }) => to));
  return between.filter((table) => table.columns.some((column) => isNumeric(column) && !isKey(table, column) && AMOUNTS.has(wordsOf(column, q).at(-1) ?? ''))).length;
}

const CODES = new Set(['code', 'id', 'number', 'no', 'abbreviation', 'symbol']);
const TEXTS = new Set(['description', 'title', 'text']);

/** `the role of Ada`, where a role has a code and a description: either may be meant. */
function goesByCode(table: Table | undefined, q: LinkedQuestion): boolean {
  return table !== undefined && findLabel(table).every((column) => CODES.has(wordsOf(column, q).at(-1) ?? '')) && table.columns.some((column) => TEXTS.has(wordsOf(column, q).at(-1) ?? ''));
}

/** `the organizations which are involved in`: what is said of them is missing. */
const ENDS_OPEN = /\b(?:that|which|who) (?:is|are|was|were|has been|have been) \w+ (?:in|of|with|to|for|by)[\s.?]*$/;

function wordsOf(column: Column, { lexicon }: LinkedQuestion): readonly string[] {
  return lexicon.columnWords.get(column) ?? [];
}
