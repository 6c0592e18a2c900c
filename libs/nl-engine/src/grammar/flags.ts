import type { LinkedQuestion } from '../link/link-question.js';
import { isCalendar } from '../resolve/fits-literal.js';
import type { ColumnLink, ColumnRef, Condition } from '../types.js';
import { isVerb } from '../words/verbs.js';
import { remember, skipWords, wordAt, type Piece } from './reader.js';

/** Words after which a participle is not an adjective, as in `delivered in May` and `paid by Ada`. */
const BEHIND_VERB = new Set(['in', 'on', 'at', 'by', 'to', 'from', 'for', 'of', 'with', 'since', 'before', 'after', 'between', 'during', 'until', 'within', 'over', 'the', 'a', 'an', 'more', 'less', 'most', 'least', 'last', 'this', 'than', 'as', 'under']);
/** Words that the name of a time column may have in addition to its verb. */
const AROUND_TIME = new Set(['on', 'at', 'date', 'day', 'time', 'timestamp']);
const YET = new Set(['yet', 'already', 'so', 'far']);

/**
 * Parses adjectives for boolean columns, as in `published` and `unpublished`. Also parses `returned` and
 * `unreturned` when a nullable time column records the event: NULL means that it has not happened yet.
 */
export const readFlags = remember(findFlags);

function findFlags(q: LinkedQuestion, at: number): Piece<Condition>[] {
  const found: Piece<Condition>[] = [];
  const add = (to: number, links: readonly ColumnLink[], make: (column: ColumnRef) => Condition): void => {
    if (links.length > 0) found.push({ at: to, cost: 0.05, value: make({ links, owner: null, at }) });
  };
  const isValue = (value: number) => (column: ColumnRef): Condition => ({ kind: 'compare', column, op: '=', value: { kind: 'number', value } });
  const isFilled = (negated: boolean) => (column: ColumnRef): Condition => ({ kind: 'null', column, negated });
  for (const span of q.columns[at] ?? []) add(span.to, span.links.filter(isFlag), isValue(1));
  const positive = /^(un|in|non)(.{4,})$/.exec(wordAt(q, at))?.[2];
  if (positive !== undefined) add(at + 1, (q.lexicon.columns.get(positive) ?? []).filter(isFlag), isValue(0));
  if (!isAdjective(q, at)) return found;
  add(at + 1, listDoneOn(q, wordAt(q, at)), isFilled(true));
  if (positive !== undefined) add(at + 1, listDoneOn(q, positive), isFilled(false));
  return found;
}

function isFlag({ column, cost, isPart }: ColumnLink): boolean {
  return column.valueKind === 'boolean' && cost < 0.5 && isPart !== true;
}

function isAdjective(q: LinkedQuestion, at: number): boolean {
  const next = q.tokens[skipWords(q, at + 1, YET)];
  return next === undefined || next.kind === 'mark' || (next.kind === 'word' && !BEHIND_VERB.has(next.lower));
}

/**
 * Returns nullable time columns that are named by exactly this participle, as `returned_on` by `returned`.
 */
function listDoneOn({ lexicon }: LinkedQuestion, participle: string): readonly ColumnLink[] {
  if (!isVerb(participle)) return [];
  return (lexicon.columns.get(participle) ?? []).filter(({ column, cost, isPart }) => {
    const words = lexicon.columnWords.get(column) ?? [];
    return isCalendar(column) && column.nullable && cost < 0.5 && isPart !== true && words.includes(participle) && words.every((word) => word === participle || AROUND_TIME.has(word));
  });
}

const LEADS = new Set(['has', 'have']);
const OWNING = new Set(['with', 'has', 'have', 'having', 'had']);
const LACKING = new Set(['without', 'no']);
const LACKED = new Set([...LACKING, 'a', 'an', 'any', 'the']);

/**
 * Parses `rooms with a balcony` and `rooms without a balcony` for boolean columns that start with `has`.
 * The words from `from` to `at` are those before the noun or before the word that negates it.
 */
export function readOwnedFlags(q: LinkedQuestion, from: number, at: number): readonly Piece<Condition>[] {
  const start = skipWords(q, at, LACKED);
  const before = q.tokens.slice(from, start).map(({ lower }) => lower);
  const isLacking = before.some((word) => LACKING.has(word));
  if (!isLacking && !before.some((word) => OWNING.has(word))) return [];
  return (q.columns[start] ?? []).flatMap((span) => {
    const links = span.links.filter((link) => isFlag(link) && LEADS.has(q.lexicon.columnWords.get(link.column)?.[0] ?? ''));
    return links.length === 0 ? [] : [{ at: span.to, cost: 0.05, value: { kind: 'compare' as const, column: { links, owner: null, at: start }, op: '=' as const, value: { kind: 'number' as const, value: isLacking ? 0 : 1 } } }];
  });
}

const BEEN = new Set(['been', 'be', 'yet', 'being', 'currently', 'still']);
const NOT = new Set(['not', 'never', "n't"]);

/**
 * Parses flags after `that are`, `that are not` and `that have not been`.
 * `at` is the index after these words, and `isBe` is set when the last of them is a form of `be`.
 */
export function readToldFlags(q: LinkedQuestion, from: number, at: number, isBe: boolean): readonly Piece<Condition>[] {
  const isNot = NOT.has(wordAt(q, at));
  if (!isNot && (at === from || !isBe)) return [];
  const pieces = readFlags(q, isNot ? skipWords(q, at + 1, BEEN) : at);
  return pieces.flatMap((piece) => {
    const value = isNot ? turnFlag(piece.value) : piece.value;
    return value === null ? [] : [{ ...piece, at: skipWords(q, piece.at, YET), value }];
  });
}

function turnFlag(condition: Condition): Condition | null {
  if (condition.kind === 'null') return { ...condition, negated: !condition.negated };
  return condition.kind === 'compare' && condition.op === '=' ? { ...condition, op: '!=' } : null;
}
