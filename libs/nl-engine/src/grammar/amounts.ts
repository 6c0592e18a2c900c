import type { Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/linked-question.js';
import { isNumeric } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import type { ColumnLink } from '../types.js';
import type { ColumnPhrase } from './nouns/column-phrases.js';
import { type Parsed, wordAt } from './reader.js';
import { wordSet } from '../words/word-set.js';

/**
 * Returns the amount columns for `the stock of the lamp`, when the rows of
 * `stock` state an amount for each location. The total is the sum of all of them.
 */
export function listAmountLinks(
  q: LinkedQuestion,
  { position: to, value }: Parsed<ColumnPhrase>,
): readonly ColumnLink[] {
  return value.links.filter(
    (link) =>
      q.lexicon.amounts.get(link.table) === link.column && namesTable(q, value.position, to, link.table),
  );
}

function namesTable(q: LinkedQuestion, from: number, to: number, table: Table): boolean {
  return (q.tables[from] ?? []).some(
    (span) => span.to === to && span.links.some((link) => link.table === table),
  );
}

/** Last words of number columns that can be summed. */
const ADDING = wordSet('quantity amount unit total revenue sale cost stock hour day minute');

/** Returns the columns to sum in `qty per order`. */
export function listSummedPer(
  q: LinkedQuestion,
  { position, value }: Parsed<ColumnPhrase>,
): readonly ColumnLink[] {
  if (wordAt(q, position) !== 'per') return [];
  return value.links.filter(
    ({ table, column, isPart }) =>
      isPart !== true &&
      isNumeric(column) &&
      !isKey(table, column) &&
      adds(q.lexicon.columnWords.get(column) ?? []),
  );
}

function adds(words: readonly string[]): boolean {
  return ADDING.has(words.at(-1) ?? '') || words[0] === 'total';
}
