import type { Token } from '../types.js';
import { wordSet } from '../words/word-set.js';

const BEFORE_TIME = wordSet('in during since after before between from until on');
const PREAMBLE_MAX = 7;

/**
 * Moves a leading time after the question: `In 2014, how many matches were played?` becomes
 * `how many matches were played in 2014`. Does the same with `On average, …`.
 */
export function putTimeLast(tokens: readonly Token[]): readonly Token[] {
  if (tokens[0]?.lower === 'on' && tokens[1]?.lower === 'average')
    return putLast(tokens, 2, tokens[2]?.lower === ',' ? 3 : 2);
  const order = findEarlyOrder(tokens);
  if (order > 0)
    return [
      ...tokens.slice(0, 1),
      ...putLast(tokens.slice(1), order - 1, order - 1 + (tokens[order]?.lower === ',' ? 1 : 0)),
    ];
  const comma = tokens.findIndex((token) => token.kind === 'mark' && token.lower === ',');
  const [first] = tokens;
  if (first === undefined || !BEFORE_TIME.has(first.lower) || comma < 2 || comma > PREAMBLE_MAX)
    return tokens;
  const preamble = tokens.slice(0, comma);
  if (
    !preamble.some((token) => token.kind === 'number' || token.kind === 'date') ||
    preamble.some((token) => token.kind === 'quoted')
  )
    return tokens;
  return putLast(tokens, comma, comma + 1);
}

const ALPHABETIC = wordSet('alphabetical alphabetic lexicographic lexicographical');

/**
 * Returns the index after a leading order, as in `List in alphabetical order all names`.
 * Returns 0 if none exists, or when the order names what is sorted.
 */
function findEarlyOrder(tokens: readonly Token[]): number {
  const [, into, ...rest] = tokens.map(({ lower }) => lower);
  const skipped = rest[0] === 'the' ? 1 : 0;
  if (into !== 'in' || !ALPHABETIC.has(rest[skipped] ?? '') || rest[skipped + 1] !== 'order') return 0;
  return rest[skipped + 2] === 'of' ? 0 : skipped + 4;
}

/** Moves the tokens before `end` after the question, which then begins at `start`. */
function putLast(tokens: readonly Token[], end: number, start: number): readonly Token[] {
  const rest = tokens.slice(start);
  const isEnded = rest.at(-1)?.kind === 'mark';
  // After a second sentence, the words would belong to that sentence.
  if (rest.slice(0, -1).some((token) => token.kind === 'mark' && ['?', '.'].includes(token.lower)))
    return tokens;
  return [
    ...(isEnded ? rest.slice(0, -1) : rest),
    ...tokens.slice(0, end),
    ...(isEnded ? rest.slice(-1) : []),
  ];
}
