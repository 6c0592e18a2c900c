import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Condition } from '../../types.js';
import { readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, phraseSet, type Parsed, skipWords } from '../reader.js';
import { wordSet } from '../../words/word-set.js';

const HAVING = phraseSet(`
  have|has|had|with|having|contain|contains|containing|include|includes|including|without|do not have|
  does not have|that have|that has|who have|who has
`);
const KINDS = wordSet('the a an word words letter letters substring string phrase character characters');
const WITHIN = phraseSet(`
  in|in the|in their|in its|in part of|in part of the|in part of their|as part of|as part of their|
  as a substring in|as a substring of|as a substring in the|as a substring of the|as a substring in their|
  as a substring of their|as a substring in its|somewhere in|within|within the|within their|in his or her|
  anywhere in their|in the name of their
`);

/**
 * Parses a text that a column must contain, followed by the column, as in `have "Diana" in part of their
 * names` and `without the letter M in the title`.
 */
export function readTextInColumn(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const having = matchPhrase(q, from, HAVING);
  const start = Math.max(having, from);
  // In `the letter a`, the last word is the letter to search for, not an article.
  const letter = matchPhrase(q, start, phraseSet('the letter|letter|a letter|the character|character'));
  const position = letter > 0 && q.tokens[letter]?.text.length === 1 ? letter : skipWords(q, start, KINDS);
  const token = q.tokens[position];
  const isText =
    token !== undefined &&
    (token.kind === 'quoted' ||
      (token.kind === 'word' && (token.isCapital || (position > start && token.text.length === 1))));
  const within = isText ? matchPhrase(q, position + 1, WITHIN) : -1;
  if (token === undefined || within < 0) return [];
  const negated = q.tokens.slice(from, start).some(({ lower }) => lower === 'without' || lower === 'not');
  return readColumns(q, within).flatMap((column) => {
    const links = column.value.links.filter((link) => link.column.valueKind === 'string');
    return links.length === 0
      ? []
      : [
          {
            position: column.position,
            cost: column.cost + 0.1,
            value: {
              kind: 'like' as const,
              column: { ...toRef(column.value), links },
              place: 'inside' as const,
              text: token.text.replaceAll('%', ''),
              negated,
            },
          },
        ];
  });
}

/** Parses a quoted text that the previously named column must contain, as in `has "an" in it`. */
export function readTextInIt(q: LinkedQuestion, from: number): Parsed<string> | null {
  const having = matchPhrase(q, from, phraseSet('has|have|having|with|contains|contain|containing'));
  const position =
    having < 0 ? -1 : skipWords(q, having, wordSet('the word words letter letters substring string phrase'));
  const token = q.tokens[position];
  const to =
    token?.kind === 'quoted'
      ? matchPhrase(
          q,
          position + 1,
          phraseSet('in it|in them|inside it|within it|somewhere in it|anywhere in it'),
        )
      : -1;
  return token === undefined || to < 0
    ? null
    : { position: to, cost: 0, value: token.text.replaceAll('%', '') };
}
