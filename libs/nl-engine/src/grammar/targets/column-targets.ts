import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Draft, Interpretation } from '../../types.js';
import { readAdjective, readVerbMeasure } from '../../words/adjectives.js';
import { isVerb, listDateWords } from '../../words/verbs.js';
import { readComparator } from '../conditions/comparators.js';
import { addTarget, advance, placeEntity } from '../draft.js';
import { readFlags } from '../implied-conditions/flags.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { type ColumnPhrase, readColumns, toRef } from '../nouns/column-phrases.js';
import { toMeasured } from '../nouns/measures.js';
import { matchPhrase, type Parsed, phraseSet, remember, skipWords, wordAt } from '../reader.js';
import { DETERMINERS } from '../word-classes.js';
import { isSumOverRows, countsTotalRows, listAmountLinks, listSummablePer } from './totals.js';
import { isNumeric } from '../../resolve/column-kinds.js';

/** The additional cost of a foreign key column if the words name the referenced table. */
const KEY_FOR_ROWS_COST = 0.5;

/** The additional cost of interpreting `names of` before a text column as this column. */
const NAMES_OF_COST = 0.25;

/**
 * Parses a column, with or without its table before it, such as `ages`, `student ages` or `each student's
 * age`.
 */
export function readOwnedColumns(
  q: LinkedQuestion,
  position: number,
  draft: Draft,
): { phrase: ColumnPhrase; owner: Draft; to: number; cost: number }[] {
  const plain = readColumns(q, position).map((column) => ({
    phrase: column.value,
    owner: draft,
    to: column.position,
    cost: column.cost,
  }));
  return [
    ...plain,
    ...readEntities(q, position).flatMap((entity) => {
      const owner = placeEntity(draft, entity.value, draft.mentions.length > 0 ? 0 : -1);
      const following = ["'s", "'"].includes(wordAt(q, entity.position))
        ? entity.position + 1
        : entity.position;
      return readColumns(q, following)
        .filter((column) => !column.value.isEach)
        .map((column) => ({
          phrase: column.value,
          owner,
          to: column.position,
          cost: entity.cost + column.cost,
        }));
    }),
  ];
}

/** Reports whether a boolean column qualifies the table that follows it, as in `the published posts`. */
function isAdjective(q: LinkedQuestion, position: number, column: Parsed<ColumnPhrase>): boolean {
  return (
    column.value.links.every((link) => link.column.valueKind === 'boolean' || link.isPart === true) &&
    (q.tables[column.position] ?? []).length > 0 &&
    readFlags(q, skipWords(q, position, DETERMINERS)).length > 0
  );
}

/** Parses `names of` before a text column as this column, such as `college` for `names of colleges`. */
const readNamesOf = remember(findNamesOf);

function findNamesOf(q: LinkedQuestion, position: number): Parsed<ColumnPhrase>[] {
  return readColumns(q, position)
    .filter((column) => column.value.isName)
    .flatMap((column) => {
      const of = matchPhrase(q, column.position, phraseSet('of the|of all the|of all|of each|of every|of'));
      const named =
        of < 0
          ? []
          : readColumns(q, of).map((other) => ({
              ...other,
              value: {
                ...other.value,
                links: other.value.links.filter(
                  (link) => link.column.valueKind === 'string' && link.isPart !== true,
                ),
              },
            }));
      return named
        .filter((other) => other.value.links.length > 0)
        .map((other) => ({
          ...other,
          cost: other.cost + NAMES_OF_COST,
          value: { ...other.value, distinct: other.value.distinct || column.value.distinct },
        }));
    });
}

const NUMBER_OF_COST = 0.5;

/**
 * Reports whether `number of` with a plural asks for a row count instead of a number column, as in `the
 * number of apartments`. `the number of the apartment` may mean the column `apartment_number`.
 */
function isRowCount(q: LinkedQuestion, { position, value }: Parsed<ColumnPhrase>): boolean {
  const noun = q.tokens[skipWords(q, position + 1, DETERMINERS)];
  return (
    position === value.position + 1 &&
    wordAt(q, value.position) === 'number' &&
    wordAt(q, position) === 'of' &&
    noun?.lemma !== noun?.lower
  );
}

/**
 * The additional cost of returning a total for each row instead of a sum, as for `total amount of bookings`.
 */
const PLAIN_TOTAL_COST = 0.6;

/** Parses a returned column. A column with an amount for each row is summed. */
export function readColumnTarget(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
): Interpretation[] {
  return [
    ...readColumns(q, position).filter((column) => !isAdjective(q, position, column)),
    ...readNamesOf(q, position),
  ].flatMap((column) => {
    const [isStoredAmount, summed] = [listAmountLinks(q, column).length > 0, listSummablePer(q, column)];
    const isSummed =
      isStoredAmount ||
      summed.length > 0 ||
      (wordAt(q, column.position - 1) === 'total' &&
        column.position - skipWords(q, position, DETERMINERS) === 1 &&
        wordAt(q, column.position) === 'of');
    const ref = isStoredAmount
      ? { ...toRef(column.value), isChildColumn: true }
      : summed.length > 0
        ? { ...toRef(column.value), links: summed, isChildColumn: true }
        : toRef(column.value);
    const draft = addTarget(interpretation.draft, {
      kind: 'column',
      column: ref,
      fn: isSummed ? 'sum' : null,
      distinct: false,
    });
    const isOfMany = !isSummed && isSumOverRows(q, column);
    const cost =
      column.cost +
      costOfTableKey(q, column) +
      (isRowCount(q, column) ? NUMBER_OF_COST : 0) +
      (countsTotalRows(q, column) ? PLAIN_TOTAL_COST : 0);
    const plain = advance(interpretation, column.position, cost + (isOfMany ? PLAIN_TOTAL_COST : 0), {
      ...draft,
      distinct: draft.distinct || column.value.distinct,
    });
    return isOfMany
      ? [
          plain,
          advance(
            interpretation,
            column.position,
            cost,
            addTarget(interpretation.draft, {
              kind: 'column',
              column: { ...ref, isChildColumn: true },
              fn: 'sum',
              distinct: false,
            }),
          ),
        ]
      : [plain];
  });
}

/** Parses a returned column with its table before it, such as `student names` or `each student's name`. */
export function readOwnedColumn(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
): Interpretation[] {
  return readEntities(q, position).flatMap((entity) => {
    const owner = placeEntity(
      interpretation.draft,
      entity.value,
      interpretation.draft.mentions.length > 0 ? 0 : -1,
    );
    const isPossessive = ["'s", "'"].includes(wordAt(q, entity.position));
    return readColumns(q, isPossessive ? entity.position + 1 : entity.position)
      .filter((column) => !column.value.isEach)
      .map((column) => {
        const draft = addTarget(owner, {
          kind: 'column',
          column: toRef(column.value, owner.focus),
          fn: null,
          distinct: false,
        });
        const isDistinct = entity.value.distinct || column.value.distinct;
        return advance(
          interpretation,
          column.position,
          entity.cost +
            column.cost +
            (isPossessive ? 0 : 0.05) +
            (!isPossessive && startsPredicate(q, entity.position, column.position) ? 0.6 : 0),
          { ...draft, distinct: draft.distinct || isDistinct },
        );
      });
  });
}

/**
 * Reports whether the word after a noun is a verb that begins a predicate instead of a column, as in `posts
 * created`, `customers born` and `products cost more than`.
 */
function startsPredicate(q: LinkedQuestion, from: number, to: number): boolean {
  const verb = wordAt(q, from);
  if (to !== from + 1) return false;
  if (readVerbMeasure(verb) !== null && readComparator(q, to) !== null) return true;
  return isVerb(verb) && (/(ed|en|ing|wn|lt|de|ld)$/.test(verb) || listDateWords(verb) !== null);
}

/** Parses `how` with an adjective as the column that the adjective measures, as in `how old is …`. */
export function readHowMuch(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
): Interpretation[] {
  const adjective = wordAt(q, position) === 'how' ? readAdjective(wordAt(q, position + 1)) : null;
  const measured = adjective?.degree === 'plain' ? toMeasured(q, adjective.measure, position + 1) : null;
  return measured === null || measured.isReversed
    ? []
    : [
        advance(
          interpretation,
          position + 2,
          0.1,
          addTarget(interpretation.draft, {
            kind: 'column',
            column: measured.ref,
            fn: null,
            distinct: false,
          }),
        ),
      ];
}

/**
 * Returns the additional cost of interpreting the name of a table as a foreign key to it, such as
 * `musical_id` for `the musicals`.
 */
export function costOfTableKey(
  q: LinkedQuestion,
  { value: column, position: to }: Parsed<ColumnPhrase>,
): number {
  const tables = (q.tables[column.position] ?? [])
    .filter((span) => span.to === to)
    .flatMap((span) => span.links.filter((link) => link.cost < 0.3).map((link) => link.table.name));
  const isKey =
    tables.length > 0 &&
    column.links.every(
      (link) =>
        isNumeric(link.column) &&
        link.table.foreignKeys.some(
          (key) => key.columns.includes(link.column.name) && tables.includes(key.referencedTable),
        ),
    );
  return isKey ? KEY_FOR_ROWS_COST : 0;
}
