import { memoizeByObject } from '@rowhouse/schema-model';
import { compareColumns } from '../conditions/comparators.js';
import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Lexicon } from '../../lexicon/lexicon.js';
import { isKey } from '../../resolve/column-kinds.js';
import type { ColumnLink, Condition } from '../../types.js';
import { toRoot } from '../../words/inflect.js';
import { isVerb } from '../../words/verbs.js';
import { type Parsed, remember, skipWords, wordAt } from '../reader.js';
import { readValues } from '../conditions/values.js';
import { wordSet } from '../../words/word-set.js';

const BEFORE_VERB = wordSet('that which who are is was were been have has had and but or be being also');
const AFTER_VERB = wordSet('in at as for to on with the a an');

/**
 * Parses a verb that names a column by its root, and a value after it. Examples are `students majoring in
 * 600` for the column `major`, and `companies headquartered in Tokyo` for `headquarters`.
 */
export const readVerbColumns = remember(findVerbColumns);

function findVerbColumns(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const start = skipWords(q, from, BEFORE_VERB);
  const isNegated = wordAt(q, start) === 'not';
  const position = isNegated ? start + 1 : start;
  const links = listColumns(q, position);
  if (links.length === 0) return [];
  return readValues(q, skipWords(q, position + 1, AFTER_VERB))
    .filter((value) => value.value.literal.kind !== 'period')
    .map((value) => ({
      position: value.position,
      cost: value.cost + 0.1,
      value: compareColumns(links, position, isNegated ? '!=' : '=', value.value.literal),
    }));
}

function listColumns(q: LinkedQuestion, position: number): readonly ColumnLink[] {
  const verb = wordAt(q, position);
  if (!isVerb(verb) || !/(?:ed|ing)$/.test(verb) || q.tokens[position]?.isCapital === true) return [];
  return columnsByRootOf(q.lexicon).get(toRoot(verb)) ?? [];
}

/**
 * Maps the root of each column's name to the column. The name must consist of a single word, apart from the
 * words of its table. Date columns are omitted, because `readBareConditions` parses a verb before a time.
 */
const columnsByRootOf = memoizeByObject(
  ({
    snapshot,
    columnWords,
    tableWords,
    dateColumns,
  }: Lexicon): ReadonlyMap<string, readonly ColumnLink[]> => {
    const roots = new Map<string, ColumnLink[]>();
    const days = new Set(dateColumns.map((link) => link.column));
    for (const table of snapshot.tables) {
      for (const column of table.columns) {
        const [only, ...more] = (columnWords.get(column) ?? []).filter(
          (word) => tableWords.get(table)?.includes(word) !== true,
        );
        if (
          only === undefined ||
          more.length > 0 ||
          only.length < 4 ||
          isKey(table, column) ||
          days.has(column)
        )
          continue;
        for (const root of new Set([only, toRoot(only)]))
          roots.set(root, [...(roots.get(root) ?? []), { table, column, cost: 0.1 }]);
      }
    }
    return roots;
  },
);
