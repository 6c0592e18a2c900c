import { memoizeByObject } from '@rowhouse/schema-model';
import { compareColumns } from '../conditions/comparators.js';
import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Lexicon } from '../../lexicon/lexicon.js';
import { pushTo } from '../../lexicon/multimap.js';
import { listSynonyms } from '../../lexicon/synonyms.js';
import { isKey } from '../../resolve/column-kinds.js';
import type { ColumnLink, Condition } from '../../types.js';
import { toRoot } from '../../words/inflect.js';
import { isVerb } from '../../words/verbs.js';
import { type Parsed, remember, skipWords, wordAt } from '../reader.js';
import { readValues } from '../conditions/values.js';
import { wordSet } from '../../words/word-set.js';

const BEFORE = wordSet('that which who are is was were been have has had and but or be being also');
const CLAUSE = wordSet('that which whom who');
const DETERMINERS = wordSet('the a an either both');
const AUXILIARY_VERBS = wordSet('has have had is was are were ever');

/**
 * Parses the person who did something, as in `directed by Ada Birch` and `that Ada Birch directed`. The verb
 * implies a column whose name is the noun for that person, such as `director`.
 */
export const readAgents = remember(findAgentConditions);

function findAgentConditions(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const start = skipWords(q, from, BEFORE);
  const isNegated = wordAt(q, start) === 'not';
  const verbAt = isNegated ? start + 1 : start;
  const passive = wordAt(q, verbAt + 1) === 'by' ? listAgentColumns(q, verbAt) : [];
  if (passive.length > 0)
    return readAgentNames(q, skipWords(q, verbAt + 2, DETERMINERS), {
      links: passive,
      position: verbAt,
      isNegated,
    });
  if (!CLAUSE.has(wordAt(q, from))) return [];
  return readValues(q, skipWords(q, from + 1, DETERMINERS)).flatMap((value) => {
    const position = skipWords(q, value.position, AUXILIARY_VERBS);
    const links = listAgentColumns(q, position);
    return links.length === 0 || value.value.literal.kind !== 'text'
      ? []
      : [
          {
            position: position + 1,
            cost: value.cost + 0.1,
            value: compareColumns(links, position, '=', value.value.literal),
          },
        ];
  });
}

/** The columns for the acting person that a verb implies. */
interface VerbReference {
  readonly links: readonly ColumnLink[];
  readonly position: number;
  readonly isNegated: boolean;
}

/** Parses the value that names the acting person. */
function readAgentNames(
  q: LinkedQuestion,
  from: number,
  { links, position, isNegated }: VerbReference,
): Parsed<Condition>[] {
  return readValues(q, from)
    .filter((value) => value.value.literal.kind === 'text')
    .map((value) => ({
      position: value.position,
      cost: value.cost + 0.1,
      value: compareColumns(links, position, isNegated ? '!=' : '=', value.value.literal),
    }));
}

/**
 * Returns the text columns for the person who acts according to a verb. The column's name consists of a
 * single noun with the root of the verb, apart from `name` and the words of its table.
 */
function listAgentColumns(q: LinkedQuestion, position: number): readonly ColumnLink[] {
  const verb = wordAt(q, position);
  if (!isVerb(verb) || !/(ed|en|wn|lt|ght|ld|de|ung)$/.test(verb)) return [];
  return agentColumnsOf(q.lexicon).get(toRoot(verb)) ?? [];
}

/** Maps the root of each noun for an acting person, such as `director`, to the columns with this name. */
const agentColumnsOf = memoizeByObject(
  ({ snapshot, columnWords, tableWords }: Lexicon): ReadonlyMap<string, readonly ColumnLink[]> => {
    const byRoot = new Map<string, ColumnLink[]>();
    for (const table of snapshot.tables) {
      for (const column of table.columns) {
        const words = (columnWords.get(column) ?? []).filter(
          (word) => word !== 'name' && tableWords.get(table)?.includes(word) !== true,
        );
        const [only] = words;
        if (words.length !== 1 || only === undefined || column.valueKind !== 'string' || isKey(table, column))
          continue;
        const costs = new Map<string, number>();
        for (const word of [only, ...listSynonyms(only)])
          if (/(er|or|ian)$/.test(word) && !costs.has(toRoot(word)))
            costs.set(toRoot(word), word === only ? 0.1 : 0.4);
        for (const [root, cost] of costs) pushTo(byRoot, root, { table, column, cost });
      }
    }
    return byRoot;
  },
);
