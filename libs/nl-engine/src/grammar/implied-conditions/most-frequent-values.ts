import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric } from '../../resolve/column-kinds.js';
import { listKeyColumns } from '../../resolve/shown-labels.js';
import type { ColumnLink, ColumnRef, Condition } from '../../types.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, phraseSet, type Parsed, remember, skipWords } from '../reader.js';
import { wordSet } from '../../words/word-set.js';

const FREQUENCY_WORDS = [
  'common',
  'popular',
  'frequent',
  'frequently used',
  'commonly used',
  'often used',
  'used',
  'prevalent',
];
const listSuperlatives = (end: string): string =>
  FREQUENCY_WORDS.flatMap((kind) => [`the ${end} ${kind}`, `${end} ${kind}`]).join('|');
const SUPERLATIVES = [
  [phraseSet(listSuperlatives('most')), 'desc'],
  [phraseSet(listSuperlatives('least')), 'asc'],
] as const;
const BEFORE_SUPERLATIVE = wordSet(`
  with in of from under for that have has had use uses using which by at on belong belongs to who having are
`);

/** Parses a condition on the most or least frequent value, as in `customers with the most common status`. */
export const readMostFrequentValue = remember(findMostFrequentValue);

function findMostFrequentValue(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const start = skipWords(q, from, BEFORE_SUPERLATIVE);
  if (start === from) return [];
  return SUPERLATIVES.flatMap(([phrases, direction]) => {
    const position = matchPhrase(q, start, phrases);
    return position < 0
      ? []
      : [...readValueColumns(q, position), ...readForeignKeys(q, position)].map((column) => ({
          position: column.position,
          cost: column.cost + 0.15,
          value: { kind: 'topValue' as const, column: column.value, direction },
        }));
  });
}

function readValueColumns(q: LinkedQuestion, position: number): Parsed<ColumnRef>[] {
  return readColumns(q, position).flatMap((column) => {
    const links = column.value.links.filter((link) => !isNumeric(link.column));
    return links.length === 0
      ? []
      : [{ position: column.position, cost: column.cost, value: { ...toRef(column.value), links } }];
  });
}

/** Returns the foreign key to a named table. In `users with the most popular role`, roles may be a table. */
function readForeignKeys(q: LinkedQuestion, position: number): Parsed<ColumnRef>[] {
  return readEntities(q, position).flatMap((entity) => {
    const links =
      entity.value.conditions.length + entity.value.orders.length > 0
        ? []
        : entity.value.links.flatMap((named) =>
            q.lexicon.snapshot.tables.flatMap((table) =>
              listKeyColumns(table, named.table).map((column): ColumnLink => ({
                table,
                column,
                cost: named.cost,
              })),
            ),
          );
    return links.length === 0
      ? []
      : [{ position: entity.position, cost: entity.cost, value: { links, owner: null, position } }];
  });
}
