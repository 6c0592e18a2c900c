import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric } from '../../resolve/column-kinds.js';
import type { ColumnLink, Comparison, Condition, NumberLiteral } from '../../types.js';
import { wordSet } from '../../words/word-set.js';
import { compareColumns, readComparedNumber } from '../conditions/comparators.js';
import { matchPhrase, type Parsed, phraseSet, remember, skipWords } from '../reader.js';

const OUT_OF_STOCK = phraseSet(
  'out of stock|sold out|not in stock|no longer in stock|not available in stock',
);
const IN_STOCK = phraseSet('in stock|still in stock|available in stock|currently in stock|on stock');
const BEFORE_NUMBER = wordSet('with having of there or either');
const BEFORE_STOCK = wordSet('that which who are is were was and but currently still have has run gone');

/**
 * Parses a condition on the column with the stock of the rows, such as `out of stock`, `in stock` or `fewer
 * than 5 in stock`.
 */
export const readStock = remember(findStock);

function findStock(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const position = skipWords(q, from, BEFORE_STOCK);
  const counted = readCounted(q, skipWords(q, position, BEFORE_NUMBER));
  // After a number, `in stock` does not mean "more than 0", as in `less than 5 in stock`.
  if (counted.length > 0 || q.tokens[position - 1]?.kind === 'number') return counted;
  const [none, some] = [matchPhrase(q, position, OUT_OF_STOCK), matchPhrase(q, position, IN_STOCK)];
  const to = Math.max(none, some);
  if (to < 0) return [];
  return compareStock(q, to, none > 0 ? '<=' : '>', { kind: 'number', value: 0 });
}

/**
 * Parses a comparison with the amount in stock, such as `fewer than 5 in stock` or `10 or more left in
 * stock`.
 */
function readCounted(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const compared = readComparedNumber(q, from);
  if (compared === null) return [];
  const start = skipWords(q, compared.position, wordSet('items pieces units left of them'));
  const to = matchPhrase(q, start, IN_STOCK);
  return to < 0 ? [] : compareStock(q, to, compared.op ?? '=', compared.value);
}

/**
 * Compares a column for the stock with a number. Returns nothing if there is no such column. `to` is the end
 * of the phrase.
 */
function compareStock(
  q: LinkedQuestion,
  to: number,
  op: Comparison,
  value: NumberLiteral,
): Parsed<Condition>[] {
  const links = listStockColumns(q);
  if (links.length === 0) return [];
  return [{ position: to, cost: 0.1, value: compareColumns(links, to - 1, op, value) }];
}

function listStockColumns(q: LinkedQuestion): ColumnLink[] {
  const found = ['stock', 'inventory', 'stock unit', 'quantity stock', 'hand on quantity', 'hand quantity']
    .flatMap((key) => q.lexicon.columns.get(key) ?? [])
    .filter(({ column }) => isNumeric(column));
  return found
    .filter((link, position) => found.findIndex((other) => other.column === link.column) === position)
    .map((link) => ({ table: link.table, column: link.column, cost: Math.min(link.cost, 0.3) }));
}
