import type { Token } from '../types.js';
import { wordSet } from '../words/word-set.js';

const BEFORE_TIME = wordSet('in during since after before between from until on');
const LEADING_WORDS_MAX = 7;

/**
 * Moves a time, an order or `on average` from the start of a question to its end, where the grammar expects
 * it. `In 2014, how many matches were played?` becomes `how many matches were played in 2014`.
 */
export function putTimeLast(tokens: readonly Token[]): readonly Token[] {
  if (tokens[0]?.lower === 'on' && tokens[1]?.lower === 'average')
    return moveLast(tokens, 2, tokens[2]?.lower === ',' ? 3 : 2);
  const order = findLeadingOrder(tokens);
  if (order > 0)
    return [
      ...tokens.slice(0, 1),
      ...moveLast(tokens.slice(1), order - 1, order - 1 + (tokens[order]?.lower === ',' ? 1 : 0)),
    ];
  const comma = tokens.findIndex((token) => token.kind === 'mark' && token.lower === ',');
  const [first] = tokens;
  if (first === undefined || !BEFORE_TIME.has(first.lower) || comma < 2 || comma > LEADING_WORDS_MAX)
    return tokens;
  const leading = tokens.slice(0, comma);
  if (
    !leading.some((token) => token.kind === 'number' || token.kind === 'date') ||
    leading.some((token) => token.kind === 'quoted')
  )
    return tokens;
  return moveLast(tokens, comma, comma + 1);
}

const ALPHABETIC = wordSet('alphabetical alphabetic lexicographic lexicographical');

/**
 * Returns the index after an order at the start, as in `List in alphabetical order all names`. Returns 0 if
 * the question has no such order, or if the sort column follows, as in `in alphabetical order of name`.
 */
function findLeadingOrder(tokens: readonly Token[]): number {
  const [, into, ...rest] = tokens.map(({ lower }) => lower);
  const skipped = rest[0] === 'the' ? 1 : 0;
  if (into !== 'in' || !ALPHABETIC.has(rest[skipped] ?? '') || rest[skipped + 1] !== 'order') return 0;
  return rest[skipped + 2] === 'of' ? 0 : skipped + 4;
}

/**
 * Moves the tokens before `end` to the end of the question. The remaining question begins at the token
 * `start`.
 */
function moveLast(tokens: readonly Token[], end: number, start: number): readonly Token[] {
  const rest = tokens.slice(start);
  const isEnded = rest.at(-1)?.kind === 'mark';
  // If there are two sentences, the moved words would be added to the wrong one.
  if (rest.slice(0, -1).some((token) => token.kind === 'mark' && ['?', '.'].includes(token.lower)))
    return tokens;
  return [
    ...(isEnded ? rest.slice(0, -1) : rest),
    ...tokens.slice(0, end),
    ...(isEnded ? rest.slice(-1) : []),
  ];
}
