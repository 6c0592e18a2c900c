import type { LinkedQuestion } from '../link/link-question.js';
import type { Literal, ValueLink } from '../types.js';
import { isFunctionWord } from '../words/function-words.js';
import { readPeriod } from '../dates/read-period.js';
import { type Piece, remember, wordAt } from './reader.js';

/** A literal with the known values that equal it, if any. */
export interface ReadValue {
  readonly literal: Literal;
  readonly links: readonly ValueLink[];
}

/** Words that are never values by themselves, even when capitalized. */
const NO_VALUE = /^(i|and|or|the|of|in|with|by|to)$/;
const RAW_COST = 0.6;

/**
 * Parses everything that may be a value: quoted text, a number,
 * a date, a known value or a sequence of capitalized words.
 */
export const readValues = remember(findValues);

function findValues(q: LinkedQuestion, at: number): Piece<ReadValue>[] {
  const token = q.tokens[at];
  if (token === undefined) return [];
  const links = q.values[at] ?? [];
  if (token.kind === 'quoted') return [{ at: at + 1, cost: 0, value: { literal: { kind: 'text', text: token.text }, links: links[0]?.links ?? [] } }];
  const pieces: Piece<ReadValue>[] = links.map((span) => ({ at: span.to, cost: 0, value: { literal: { kind: 'text', text: span.links[0]?.value ?? '' }, links: span.links } }));
  if (token.kind === 'number') pieces.push({ at: at + 1, cost: 0, value: { literal: { kind: 'number', value: token.value }, links: q.lexicon.values.get(token.lower) ?? [] } });
  if (token.kind === 'date') pieces.push({ at: at + 1, cost: 0, value: { literal: { kind: 'text', text: token.text }, links: [] } });
  if (pieces.length === 0 && token.kind === 'word' && /^[^@]+@[^@]+\.[^@]+$/.test(token.text)) pieces.push({ at: at + 1, cost: 0, value: { literal: { kind: 'text', text: token.text }, links: [] } });
  if (pieces.length === 0) pieces.push(...readCapitals(q, at), ...readShortWord(q, at));
  return pieces;
}

/** Parses a name such as `John Smith` that is not in the value index. */
function readCapitals(q: LinkedQuestion, at: number): Piece<ReadValue>[] {
  let to = at;
  while (q.tokens[to]?.isCapital === true && q.tokens[to]?.kind === 'word' && !NO_VALUE.test(wordAt(q, to))) to += 1;
  if (to === at || at === 0 || isFunctionWord(wordAt(q, at))) return [];
  const text = q.tokens.slice(at, to).map((token) => token.text).join(' ');
  return [{ at: to, cost: RAW_COST, value: { literal: { kind: 'text', text }, links: [] } }];
}

/** Parses a single letter or a code in capitals. */
function readShortWord(q: LinkedQuestion, at: number): Piece<ReadValue>[] {
  const token = q.tokens[at];
  if (token?.kind !== 'word' || !/^[A-Z0-9]{1,5}$/.test(token.text) || token.lower === 'a' || token.lower === 'i') return [];
  return [{ at: at + 1, cost: RAW_COST, value: { literal: { kind: 'text', text: token.text }, links: [] } }];
}

/** Parses `last month`, `since March` and `in 2009`, including the preposition. */
export const readPeriods = remember(findPeriods);

function findPeriods(q: LinkedQuestion, at: number): Piece<Literal>[] {
  const found = readPeriod(q.tokens, at, q.today);
  return found === null ? [] : [{ at: found.at, cost: 0, value: found.period }];
}
