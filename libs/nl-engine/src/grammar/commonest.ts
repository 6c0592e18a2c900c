import type { LinkedQuestion } from '../link/link-question.js';
import { isNumeric } from '../resolve/fits-literal.js';
import type { Condition } from '../types.js';
import { readColumns, toRef } from './noun-phrase.js';
import { matchPhrase, phraseSet, type Piece, remember, skipWords } from './reader.js';

const KINDS = 'common|popular|frequent|frequently used|commonly used|often used|used|prevalent';
const say = (ends: readonly string[]): string => ends.flatMap((end) => KINDS.split('|').flatMap((kind) => [`the ${end} ${kind}`, `${end} ${kind}`])).join('|');
const ENDS = [[phraseSet(say(['most'])), 'desc'], [phraseSet(say(['least'])), 'asc']] as const;
const BEFORE = new Set(['with', 'in', 'of', 'from', 'under', 'for', 'that', 'have', 'has', 'had', 'use', 'uses', 'using', 'which', 'by', 'at', 'on', 'belong', 'belongs', 'to', 'who', 'having']);

/** `customers with the most common status`: those with the value that the most rows have. */
export const readCommonest = remember(findCommonest);

function findCommonest(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const start = skipWords(q, from, BEFORE);
  if (start === from) return [];
  return ENDS.flatMap(([phrases, direction]) => {
    const at = matchPhrase(q, start, phrases);
    return at < 0 ? [] : readColumns(q, at).flatMap((column) => {
      const links = column.value.links.filter((link) => !isNumeric(link.column));
      return links.length === 0 ? [] : [{ at: column.at, cost: column.cost + 0.15, value: { kind: 'topValue' as const, column: { ...toRef(column.value), links }, direction } }];
    });
  });
}
