import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Literal, ValueLink } from '../../types.js';
import { isFunctionWord } from '../../words/function-words.js';
import { readPeriod } from '../../dates/read-period.js';
import { type Parsed, remember, wordAt } from '../reader.js';
import { toNumberLiteral } from '../../words/number-literal.js';

/**
 * A literal with the stored values that equal it. `links` is empty if the value index contains no such value.
 */
export interface ReadValue {
  readonly literal: Literal;
  readonly links: readonly ValueLink[];
}

/** Words that are not a value by themselves, even if they are capitalized. */
const NO_VALUE = /^(i|and|or|the|of|in|with|by|to)$/;
/** The cost of an unquoted text that is not a stored value. */
const RAW_COST = 0.6;

/**
 * Parses anything that may be a value: a quoted text, a number, a date, a stored value, an email address or a
 * sequence of capitalized words.
 */
export const readValues = remember(findValues);

function findValues(q: LinkedQuestion, position: number): Parsed<ReadValue>[] {
  const token = q.tokens[position];
  if (token === undefined) return [];
  const links = q.values[position] ?? [];
  if (token.kind === 'quoted')
    return [
      {
        position: position + 1,
        cost: 0,
        value: { literal: { kind: 'text', text: token.text }, links: links[0]?.links ?? [] },
      },
    ];
  const parts: Parsed<ReadValue>[] = links.map((span) => ({
    position: span.to,
    cost: 0,
    value: { literal: { kind: 'text', text: span.links[0]?.value ?? '' }, links: span.links },
  }));
  if (token.kind === 'number')
    parts.push({
      position: position + 1,
      cost: 0,
      value: {
        literal: toNumberLiteral(token),
        links: q.lexicon.values.get(token.lower) ?? [],
      },
    });
  if (token.kind === 'date')
    parts.push({
      position: position + 1,
      cost: 0,
      value: { literal: { kind: 'text', text: token.text }, links: [] },
    });
  if (parts.length === 0 && token.kind === 'word' && /^[^@]+@[^@]+\.[^@]+$/.test(token.text))
    parts.push({
      position: position + 1,
      cost: 0,
      value: { literal: { kind: 'text', text: token.text }, links: [] },
    });
  if (parts.length === 0) parts.push(...readCapitals(q, position), ...readShortWord(q, position));
  return parts;
}

/** Parses a name such as `John Smith` that the value index does not contain. */
function readCapitals(q: LinkedQuestion, position: number): Parsed<ReadValue>[] {
  let to = position;
  while (q.tokens[to]?.isCapital === true && q.tokens[to]?.kind === 'word' && !NO_VALUE.test(wordAt(q, to)))
    to += 1;
  if (to === position || position === 0 || isFunctionWord(wordAt(q, position))) return [];
  const text = q.tokens
    .slice(position, to)
    .map((token) => token.text)
    .join(' ');
  return [{ position: to, cost: RAW_COST, value: { literal: { kind: 'text', text }, links: [] } }];
}

/** Parses a code of one to five capital letters or digits, such as `CA`. */
function readShortWord(q: LinkedQuestion, position: number): Parsed<ReadValue>[] {
  const token = q.tokens[position];
  if (
    token?.kind !== 'word' ||
    !/^[A-Z0-9]{1,5}$/.test(token.text) ||
    token.lower === 'a' ||
    token.lower === 'i'
  )
    return [];
  return [
    {
      position: position + 1,
      cost: RAW_COST,
      value: { literal: { kind: 'text', text: token.text }, links: [] },
    },
  ];
}

/** Parses a period with its preposition, such as `last month`, `since March` or `in 2009`. */
export const readPeriods = remember(findPeriods);

function findPeriods(q: LinkedQuestion, position: number): Parsed<Literal>[] {
  const found = readPeriod(q.tokens, position, q.today);
  return found === null ? [] : [{ position: found.position, cost: 0, value: found.period }];
}
