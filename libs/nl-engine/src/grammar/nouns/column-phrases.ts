import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric } from '../../resolve/column-kinds.js';
import type { ColumnLink, ColumnRef } from '../../types.js';
import { wordSet } from '../../words/word-set.js';
import { type Parsed, remember, wordAt } from '../reader.js';
import { DETERMINERS, DISTINCT, EACH } from '../word-classes.js';

/**
 * Returns columns that contain the number of things named at `position`, such as `number_of_hosts` for
 * `hosts`.
 */
export function findNumberColumns(
  q: LinkedQuestion,
  position: number,
): { readonly to: number; readonly links: readonly ColumnLink[] }[] {
  const found: { to: number; links: readonly ColumnLink[] }[] = [];
  const words: string[] = [];
  for (let to = position; to < Math.min(position + 3, q.tokens.length); to += 1) {
    words.push(q.tokens[to]?.lemma ?? '');
    const links = ['number', 'total', 'count']
      .flatMap((word) => q.lexicon.columns.get([word, ...words].sort().join(' ')) ?? [])
      .filter((link) => link.cost < 0.5 && isNumeric(link.column));
    if (links.length > 0) found.push({ to: to + 1, links });
  }
  return found;
}

/** The name of a column in the question, with the words before it. */
export interface ColumnPhrase {
  readonly links: readonly ColumnLink[];
  readonly distinct: boolean;
  readonly isEach: boolean;
  readonly isName: boolean;
  readonly position: number;
}

const RELATING_WORDS = wordSet('associated affiliated related');

/**
 * Reports whether a word before a noun has no meaning of its own, such as `the`. `affiliated` is such a word
 * unless a name in the schema contains it.
 */
export function isDeterminer(q: LinkedQuestion, position: number): boolean {
  const word = wordAt(q, position);
  return (
    DETERMINERS.has(word) ||
    (RELATING_WORDS.has(word) && (q.tables[position] ?? []).length + (q.columns[position] ?? []).length === 0)
  );
}

/**
 * Parses a column's name with the determiners before it, such as `the distinct first names` or `birth date`.
 */
export const readColumns = remember(findColumns);

function findColumns(q: LinkedQuestion, from: number): Parsed<ColumnPhrase>[] {
  let position = from;
  let [distinct, isEach] = [false, false];
  for (;;) {
    const word = wordAt(q, position);
    if (DISTINCT.has(word)) distinct = true;
    else if (EACH.has(word)) isEach = true;
    else if (!isDeterminer(q, position)) break;
    position += 1;
  }
  return (q.columns[position] ?? []).map((span) => ({
    position: span.to,
    cost: 0,
    value: {
      links: span.links,
      distinct,
      isEach,
      position: span.from,
      isName: isPlainName(q, span.from, span.to),
    },
  }));
}

function isPlainName(q: LinkedQuestion, from: number, to: number): boolean {
  const words = q.tokens
    .slice(from, to)
    .map((token) => token.lemma)
    .join(' ');
  return words === 'name' || words === 'full name';
}

/**
 * Returns a reference to the column of a phrase. Without an owner, the resolver chooses the mention to which
 * the column belongs.
 */
export function toRef(column: ColumnPhrase, owner: number | null = null): ColumnRef {
  return { links: column.links, owner, position: column.position, isName: column.isName };
}
