import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric, isKey } from '../../resolve/column-kinds.js';
import type { Interpretation, Target } from '../../types.js';
import { addTarget, advance, placeEntity } from '../draft.js';
import { type EntityPhrase, readEntities } from '../nouns/entity-phrases.js';
import { type ColumnPhrase, readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, type Parsed, phraseSet, skipWords, wordAt } from '../reader.js';
import { DETERMINERS } from '../word-classes.js';
import { wordSet } from '../../words/word-set.js';

const SHARE = phraseSet(`
  percentage of|percent of|the percentage of|the percent of|share of|the share of|proportion of|
  the proportion of|fraction of|the fraction of|% of|percentage of all|percent of all
`);

const COUNT_OF = phraseSet(`
  count the number of|count the total number of|count the|count all|count how many|number of|numbers of|
  total number of|total numbers of|count of|total count of|amount of|quantity of|total amount of|how many|
  count|counts of|how many total
`);

/** Parses a row count that does not begin with words such as `number of`. */
function readTotal(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  return [...readCountAfterNoun(q, interpretation, from), ...readTotalRows(q, interpretation, from)];
}

/** Parses a row count that begins with its noun, as in `the task count`. */
function readCountAfterNoun(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
): Interpretation[] {
  return readEntities(q, from)
    .filter(
      (entity) =>
        entity.value.orders.length === 0 && ['count', 'counts'].includes(wordAt(q, entity.position)),
    )
    .map((entity) => {
      const draft = placeEntity(
        interpretation.draft,
        entity.value,
        interpretation.draft.mentions.length > 0 ? 0 : -1,
      );
      const isCounted = draft.targets.some(
        (target) => target.kind === 'count' && target.mention === draft.focus,
      );
      return advance(
        interpretation,
        entity.position + 1,
        entity.cost + 0.1,
        isCounted ? draft : addTarget(draft, { kind: 'count', mention: draft.focus, distinct: false }),
      );
    });
}

/**
 * Parses `total` with a plural as a row count, as in `total posts`. It is one only if no column with this
 * name can be summed.
 */
function readTotalRows(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  if (wordAt(q, from) !== 'total' || q.tokens[from + 1]?.lemma === q.tokens[from + 1]?.lower) return [];
  const isSummed = readColumns(q, from + 1).some((column) =>
    column.value.links.some((link) => isNumeric(link.column) && link.isPart !== true),
  );
  return isSummed
    ? []
    : readEntities(q, from + 1)
        .filter((entity) => entity.value.orders.length === 0)
        .map((entity) => {
          const draft = placeEntity(
            interpretation.draft,
            entity.value,
            interpretation.draft.mentions.length > 0 ? 0 : -1,
          );
          return advance(
            interpretation,
            entity.position,
            entity.cost + 0.2,
            addTarget(draft, { kind: 'count', mention: draft.focus, distinct: false }),
          );
        });
}

/**
 * Parses a count of rows or values, such as `how many students`, `number of different cities` or `how many of
 * them`.
 */
export function readCount(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const position = matchPhrase(q, from, COUNT_OF);
  if (position < 0) return readTotal(q, interpretation, from);
  const them = matchPhrase(q, position, phraseSet('of them|of these|of those'));
  if (them < 0)
    return [
      ...readCountedRows(q, interpretation, from, position),
      ...readOwnedCount(q, interpretation, position),
      ...readCountedColumn(q, interpretation, position),
    ];
  // A pronoun refers to the grouped rows, as in `for each type of store, how many of them are there?`.
  if (interpretation.draft.groups.length === 0) return [];
  const target: Target = { kind: 'count', mention: 0, distinct: false };
  return [advance(interpretation, them, 0.1, addTarget(interpretation.draft, target))];
}

function readCountedRows(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  position: number,
): Interpretation[] {
  return readEntities(q, position)
    .filter(({ value }) => !value.isEach)
    .map((entity) => {
      const parent = interpretation.draft.mentions.length > 0 ? 0 : -1;
      const draft = placeEntity(interpretation.draft, entity.value, parent);
      const hasNoSimpleKey =
        draft.mentions[draft.focus]?.links.every((link) => link.table.primaryKey?.length !== 1) === true;
      const isColumn = hasNumberColumn(q, from, entity.position) || (entity.value.distinct && hasNoSimpleKey);
      const rivalCost = hasNamedAmount(q, from, position, entity.value) ? 1.2 : isColumn ? 0.6 : 0;
      return advance(
        interpretation,
        entity.position,
        entity.cost + rivalCost,
        addTarget(draft, { kind: 'count', mention: draft.focus, distinct: entity.value.distinct }),
      );
    });
}

/**
 * Parses a column after `number of`. Its distinct values are counted, or its numbers are summed or returned.
 */
function readCountedColumn(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
): Interpretation[] {
  const { draft } = interpretation;
  return readColumns(q, position).flatMap((column) => {
    const ref = toRef(column.value);
    const isDistinct = column.value.distinct;
    // Without `distinct`, `number of cities` may also mean a row count instead of distinct values, so it has
    // a higher cost.
    if (isDistinct || !column.value.links.every((link) => isNumeric(link.column))) {
      const target: Target = { kind: 'column', column: ref, fn: 'count', distinct: true };
      const cost = column.cost + (isDistinct ? 0 : 0.7);
      return [advance(interpretation, column.position, cost, addTarget(draft, target))];
    }
    const sum: Target = {
      kind: 'column',
      column: { ...ref, isChildColumn: true },
      fn: 'sum',
      distinct: false,
    };
    return [
      ...(wordAt(q, position - 1) === 'total'
        ? [advance(interpretation, column.position, column.cost + 0.1, addTarget(draft, sum))]
        : []),
      ...(wordAt(q, position - 2) === 'number' ? readStoredNumber(q, interpretation, column) : []),
    ];
  });
}

/**
 * Parses a count of the distinct values of a column with its table before it, as in `the number of different
 * captain ranks`.
 */
function readOwnedCount(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  return readEntities(q, from)
    .filter(
      (entity) =>
        !entity.value.isEach &&
        entity.value.conditions.length + entity.value.orders.length === 0 &&
        !DETERMINERS.has(wordAt(q, entity.position)),
    )
    .flatMap((entity) =>
      readColumns(q, entity.position).flatMap((column) => {
        const links = column.value.links.filter(
          (link) => !isNumeric(link.column) && entity.value.links.some(({ table }) => table === link.table),
        );
        if (
          links.length === 0 ||
          q.tokens[column.position - 1]?.lemma === q.tokens[column.position - 1]?.lower
        )
          return [];
        const owner = placeEntity(
          interpretation.draft,
          entity.value,
          interpretation.draft.mentions.length > 0 ? 0 : -1,
        );
        const isDistinct = entity.value.distinct || column.value.distinct;
        return [
          advance(
            interpretation,
            column.position,
            entity.cost + column.cost + (isDistinct ? 0.05 : 0.3),
            addTarget(owner, {
              kind: 'column',
              column: { ...toRef(column.value, owner.focus), links },
              fn: 'count',
              distinct: true,
            }),
          ),
        ];
      }),
    );
}

/** Returns a column that stores the named number, such as a column `floors` for `the number of floors`. */
function readStoredNumber(
  q: LinkedQuestion,
  interpretation: Interpretation,
  column: Parsed<ColumnPhrase>,
): Interpretation[] {
  const links = column.value.links.filter(
    (link) => link.isPart !== true && link.column.valueKind !== 'boolean' && !isKey(link.table, link.column),
  );
  if (
    links.length === 0 ||
    (q.tables[column.value.position] ?? []).some((span) => span.links.some((link) => link.cost < 0.5))
  )
    return [];
  return [
    advance(
      interpretation,
      column.position,
      column.cost + 0.15,
      addTarget(interpretation.draft, {
        kind: 'column',
        column: { ...toRef(column.value), links },
        fn: null,
        distinct: false,
      }),
    ),
  ];
}

/** Reports whether the phrase names a column with amounts in the table, as in `total amount of payments`. */
function hasNamedAmount(q: LinkedQuestion, from: number, to: number, entity: EntityPhrase): boolean {
  const word = q.tokens
    .slice(from, to)
    .find((token) => token.lower === 'amount' || token.lower === 'quantity')?.lower;
  return (
    word !== undefined &&
    entity.links.some((link) => link.table.columns.some((column) => column.name.toLowerCase().includes(word)))
  );
}

/** Reports whether the phrase names a column that contains the count, such as `number_of_hosts`. */
function hasNumberColumn(q: LinkedQuestion, from: number, to: number): boolean {
  return (q.columns[from] ?? []).some((span) => span.to === to && span.links.some((link) => link.cost < 0.4));
}

/**
 * Parses a percentage of rows, as in `what percentage of posts are published`. Conditions before the noun
 * select the rows that are 100 %. Conditions after it select the counted part of them.
 */
export function readShare(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const position = matchPhrase(q, from, SHARE);
  if (position < 0 || interpretation.draft.mentions.length > 0) return [];
  return readEntities(q, skipWords(q, position, wordSet('the all our')))
    .filter((entity) => entity.value.orders.length === 0 && !entity.value.isEach)
    .map((entity) => {
      const draft = placeEntity(interpretation.draft, entity.value, -1);
      return advance(interpretation, entity.position, entity.cost, {
        ...draft,
        targets: [{ kind: 'share', mention: draft.focus, wholeConditions: entity.value.conditions.length }],
      });
    });
}
