import type { LinkedQuestion } from '../link/link-question.js';
import { isNumeric } from '../resolve/fits-literal.js';
import type { ColumnRef, Condition } from '../types.js';
import { readAdjective } from '../words/adjectives.js';
import { readBetween } from './between.js';
import { readComparator, readComparatorBehind } from './comparators.js';
import { toMeasured } from './noun-phrase.js';
import { matchPhrase, phraseSet, type Piece, wordAt } from './reader.js';

const YEARS = phraseSet('years old|year old|years of age|years in age');
const AGED = phraseSet('aged|of age|at the age of|at age');

const BEING = new Set(['is', 'are', 'was', 'were', 'who', 'aged']);

/** Returns whether no noun follows the number, as in `who are under 40`. */
function endsHere(q: LinkedQuestion, at: number): boolean {
  const token = q.tokens[at];
  return token === undefined || token.kind === 'mark' || ['for', 'and', 'or', 'but', 'in', 'by', 'of', 'ordered', 'sorted'].includes(token.lower);
}

/**
 * Returns the index after an age such as `30 years old`, starting at its number, or -1 if none exists.
 */
export function skipAge(q: LinkedQuestion, at: number): number {
  return q.tokens[at]?.kind === 'number' ? matchPhrase(q, at + 1, YEARS) : -1;
}

/** Parses `at least 25 years old`, `30 years old or younger` and `aged between 20 and 30`. */
export function readAges(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const column = findAge(q, from);
  if (column === null) return [];
  const aged = matchPhrase(q, from, AGED);
  const start = aged > 0 ? aged : from;
  const between = aged > 0 ? readBetween(q, start) : null;
  if (between !== null) return [{ at: between.at, cost: 0.1, value: { kind: 'between', column, low: between.value[0], high: between.value[1] } }];
  const either = aged > 0 ? readEither(q, start, column) : null;
  if (either !== null) return [either];
  const comparator = readComparator(q, start);
  const at = comparator?.at ?? start;
  const token = q.tokens[at];
  const age = skipAge(q, at);
  const isBare = comparator !== null && aged < 0 && age < 0 && BEING.has(wordAt(q, from - 1)) && endsHere(q, at + 1);
  if (token?.kind !== 'number' || (aged < 0 && age < 0 && !isBare)) return [];
  const end = age > 0 ? age : at + 1;
  const behind = comparator === null ? readComparatorBehind(q, end) : null;
  return [{ at: behind?.at ?? end, cost: 0.1, value: { kind: 'compare', column: isBare ? { ...column, links: column.links.filter((link) => /age$/i.test(link.column.name)) } : column, op: comparator?.op ?? behind?.op ?? '=', value: { kind: 'number', value: token.value } } }];
}

/** Parses `aged either 36 or 37`. */
function readEither(q: LinkedQuestion, from: number, column: ColumnRef): Piece<Condition> | null {
  const at = wordAt(q, from) === 'either' ? from + 1 : from;
  const [first, second] = [q.tokens[at], q.tokens[at + 2]];
  if (first?.kind !== 'number' || second?.kind !== 'number' || wordAt(q, at + 1) !== 'or') return null;
  const parts = [first, second].map(({ value }): Condition => ({ kind: 'compare', column, op: '=', value: { kind: 'number', value } }));
  return { at: at + 3, cost: 0.1, value: { kind: 'any', parts } };
}

function findAge(q: LinkedQuestion, at: number): ColumnRef | null {
  const first = wordAt(q, at);
  if (q.tokens[at]?.kind !== 'number' && readComparator(q, at) === null && !['aged', 'of', 'at'].includes(first)) return null;
  const old = readAdjective('old');
  const measured = old === null ? null : toMeasured(q, old.measure, at);
  const links = measured === null || measured.isReversed ? [] : measured.ref.links.filter((link) => isNumeric(link.column));
  return measured === null || links.length === 0 ? null : { ...measured.ref, links };
}
