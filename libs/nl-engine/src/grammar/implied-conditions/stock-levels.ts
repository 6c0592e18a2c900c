import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric } from '../../resolve/column-kinds.js';
import type { ColumnLink, Comparison, Condition, NumberLiteral } from '../../types.js';
import { wordSet } from '../../words/word-set.js';
import { compareColumns, readComparedNumber } from '../conditions/comparators.js';
import { matchPhrase, type Parsed, phraseSet, remember, skipWords } from '../reader.js';

const NONE = phraseSet('out of stock|sold out|not in stock|no longer in stock|not available in stock');
const SOME = phraseSet('in stock|still in stock|available in stock|currently in stock|on stock');
const HOLDING = wordSet('with having of there or either');
const BEFORE = wordSet('that which who are is were was and but currently still have has run gone');

/** Parses `out of stock` and `in stock` when a column holds the stock of each row. */
export const readStock = remember(findStock);

function findStock(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const position = skipWords(q, from, BEFORE);
  const counted = readCounted(q, skipWords(q, position, HOLDING));
  // `less than 5 in stock` states a number.
  if (counted.length > 0 || q.tokens[position - 1]?.kind === 'number') return counted;
  const [none, some] = [matchPhrase(q, position, NONE), matchPhrase(q, position, SOME)];
  const to = Math.max(none, some);
  if (to < 0) return [];
  return compareStock(q, to, none > 0 ? '<=' : '>', { kind: 'number', value: 0 });
}

/** Parses `fewer than 5 in stock` and `10 or more left in stock`. */
function readCounted(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const compared = readComparedNumber(q, from);
  if (compared === null) return [];
  const start = skipWords(q, compared.position, wordSet('items pieces units left of them'));
  const to = matchPhrase(q, start, SOME);
  return to < 0 ? [] : compareStock(q, to, compared.op ?? '=', compared.value);
}

/** Compares the stock columns, if any, with a number. `to` is the index after the words. */
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
