import type { LinkedQuestion } from '../../link/linked-question.js';
import { listKeyColumns } from '../../resolve/shown-labels.js';
import type { ColumnLink, ColumnRef, Condition, Interpretation, TableLink } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, phraseSet, type Parsed, skipWords, wordAt } from '../reader.js';
import { addConditions, addMention, advance, setOwner } from '../draft.js';
import { readValues } from '../conditions/values.js';
import { wordSet } from '../../words/word-set.js';

const BEFORE_SAME = wordSet(`
  who that which are is were was in with of from have has had having at on for to by and share
`);
const SAME = phraseSet('the same|same');
const AS_PHRASES = phraseSet('as|as the one of|as that of|as those of|as the one for');
const SKIPPED_MAX = 5;

/**
 * Parses rows that have a value in common with other rows of their table, as in `in the same department as
 * Ada Birch` and `with the same city as the customer with id 3`.
 */
export function readSharedValues(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  const focus = draft.mentions[draft.focus];
  const same = focus === undefined ? -1 : matchPhrase(q, skipToSame(q, interpretation.position), SAME);
  if (focus === undefined || same < 0) return [];
  return readShared(q, same, focus.links).flatMap((shared) => {
    const asPosition = matchPhrase(q, shared.position, AS_PHRASES);
    return asPosition < 0
      ? []
      : readOthers(q, asPosition, shared.value.links).map((others) => {
          const placed = addMention(draft, { links: focus.links, duplicateOf: shared.value }, draft.focus);
          const bound = addConditions(
            placed,
            placed.focus,
            others.value.map((condition) => setOwner(condition, placed.focus)),
          );
          return advance(interpretation, others.position, shared.cost + others.cost + 0.1, bound);
        });
  });
}

function skipToSame(q: LinkedQuestion, from: number): number {
  let position = from;
  while (
    position < from + SKIPPED_MAX &&
    (BEFORE_SAME.has(wordAt(q, position)) || isVerb(wordAt(q, position)))
  )
    position += 1;
  return position;
}

/** Parses the column of the common value. The phrase may name a related table instead of the foreign key. */
function readShared(q: LinkedQuestion, position: number, rows: readonly TableLink[]): Parsed<ColumnRef>[] {
  const columns = readColumns(q, position).flatMap((column) => {
    const links = column.value.links.filter((link) => rows.some((row) => row.table === link.table));
    return links.length === 0
      ? []
      : [{ position: column.position, cost: column.cost, value: { ...toRef(column.value), links } }];
  });
  return [
    ...columns,
    ...readEntities(q, position).flatMap((entity) => {
      const links =
        entity.value.conditions.length + entity.value.orders.length > 0
          ? []
          : rows.flatMap((row) =>
              entity.value.links.flatMap((named) =>
                listKeyColumns(row.table, named.table).map((column) => ({
                  table: row.table,
                  column,
                  cost: named.cost,
                })),
              ),
            );
      return links.length === 0
        ? []
        : [{ position: entity.position, cost: entity.cost, value: { links, owner: null, position } }];
    }),
  ];
}

/**
 * Parses the rows to compare with. They are named by a table with its conditions, or only by a value.
 * Conditions that follow in the question also apply to them.
 */
function readOthers(
  q: LinkedQuestion,
  position: number,
  shared: readonly ColumnLink[],
): Parsed<readonly Condition[]>[] {
  const tables = shared.map((link) => link.table);
  const named = readEntities(q, skipWords(q, position, wordSet('any some another')))
    .filter(
      (entity) =>
        entity.value.orders.length === 0 && entity.value.links.some((link) => tables.includes(link.table)),
    )
    .map((entity) => ({ position: entity.position, cost: entity.cost, value: entity.value.conditions }));
  const values = readValues(q, position).flatMap((value) => {
    const links = value.value.links.filter((link) => tables.includes(link.table));
    return links.length === 0
      ? []
      : [
          {
            position: value.position,
            cost: value.cost,
            value: [{ kind: 'value' as const, links, negated: false, owner: null }],
          },
        ];
  });
  return [...values, ...named];
}
