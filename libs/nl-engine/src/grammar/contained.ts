import type { LinkedQuestion } from '../link/link-question.js';
import type { Condition } from '../types.js';
import { readColumns, toRef } from './noun-phrase.js';
import { matchPhrase, phraseSet, type Piece, skipWords } from './reader.js';

const HAVING = phraseSet('have|has|had|with|having|contain|contains|containing|include|includes|including|without|do not have|does not have|that have|that has|who have|who has');
const KINDS = new Set(['the', 'a', 'an', 'word', 'words', 'letter', 'letters', 'substring', 'string', 'phrase', 'character', 'characters']);
const WITHIN = phraseSet('in|in the|in their|in its|in part of|in part of the|in part of their|as part of|as part of their|as a substring in|as a substring of|as a substring in the|as a substring of the|as a substring in their|as a substring of their|as a substring in its|somewhere in|within|within the|within their|in his or her|anywhere in their');

/** `have "Diana" in part of their names`, `without the letter M in the title`: a piece of a column's text. */
export function readContained(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const having = matchPhrase(q, from, HAVING);
  const start = Math.max(having, from);
  const at = skipWords(q, start, KINDS);
  const token = q.tokens[at];
  const isText = token !== undefined && (token.kind === 'quoted' || (token.kind === 'word' && (token.isCapital || (at > start && token.text.length === 1))));
  const within = isText ? matchPhrase(q, at + 1, WITHIN) : -1;
  if (token === undefined || within < 0) return [];
  const negated = q.tokens.slice(from, start).some(({ lower }) => lower === 'without' || lower === 'not');
  return readColumns(q, within).flatMap((column) => {
    const links = column.value.links.filter((link) => link.column.valueKind === 'string');
    return links.length === 0 ? [] : [{ at: column.at, cost: column.cost + 0.1, value: { kind: 'like' as const, column: { ...toRef(column.value), links }, place: 'inside' as const, text: token.text.replaceAll('%', ''), negated } }];
  });
}
