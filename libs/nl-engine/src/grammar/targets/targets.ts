import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Interpretation } from '../../types.js';
import { wordSet } from '../../words/word-set.js';
import { addTarget, advance, placeEntity } from '../draft.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { readColumns } from '../nouns/column-phrases.js';
import { readPossessives } from './possessives.js';
import { matchPhrase, phraseSet, skipWords, wordAt } from '../reader.js';
import { DETERMINERS } from '../word-classes.js';
import { readCountsPerRow } from './row-averages.js';
import { readAggregate } from './aggregate-targets.js';
import { readColumnTarget, readHowMuch, readOwnedColumn } from './column-targets.js';
import { readCount, readShare } from './count-targets.js';
import { readTops } from '../orders/most-common.js';
import { readTotalOf, readValueOf, listAmountLinks } from './totals.js';

const EVERYTHING = phraseSet(`
  information|details|data|info|everything|detail|records|all information|all details|all fields|
  all columns|all data
`);

/**
 * Phrases that may follow a request for all columns, such as `is there` in `what information is there on
 * stores`.
 */
const AVAILABILITY_PHRASES = phraseSet(
  'is there|are there|do we have|do you have|have we|is available|is known|is recorded|is stored',
);

const LIST_CONJUNCTIONS = phraseSet(`
  , and also|, and the|, and|, as well as|as well as|, along with|along with|together with|and also|and|,|
  , together with|, with their|with their|with its|, also|&|, followed by|, plus
`);

/**
 * Parses a list of up to seven returned values, as in `the names and ages` and `the average age and the
 * number of students`.
 */
export function readTargets(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  let unfinished = readTarget(q, interpretation);
  const found = [...unfinished];
  for (let step = 0; step < 6 && unfinished.length > 0; step += 1) {
    unfinished = unfinished.flatMap((item) => {
      const next = matchPhrase(q, item.position, LIST_CONJUNCTIONS);
      return next < 0 ? [] : readTarget(q, { ...item, position: next });
    });
    found.push(...unfinished);
  }
  return found;
}

/** Returns all interpretations of a single returned value. */
export function readTarget(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const position = skipWords(q, interpretation.position, DETERMINERS);
  return [
    ...readCountsPerRow(q, interpretation, position),
    ...readShare(q, interpretation, position),
    ...readTops(q, interpretation, interpretation.position),
    ...readTotalOf(q, interpretation, position),
    ...readValueOf(q, interpretation, position),
    ...readCount(q, interpretation, position),
    ...readAggregate(q, interpretation, position),
    ...readEverything(q, interpretation, position),
    ...readEverythingAfter(q, interpretation, position),
    ...readColumnTarget(q, interpretation, interpretation.position),
    ...readOwnedColumn(q, interpretation, interpretation.position),
    ...readRows(q, interpretation, interpretation.position),
    ...readHowMuch(q, interpretation, interpretation.position),
    ...readPossessives(q, interpretation, position),
  ];
}

function readEverything(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const position = matchPhrase(q, from, EVERYTHING);
  if (position < 0) return [];
  const availabilityEnd = matchPhrase(q, position, AVAILABILITY_PHRASES);
  const asksForAll =
    interpretation.position < from ||
    ['all', 'the', 'me'].includes(wordAt(q, from - 1)) ||
    wordAt(q, from) === 'everything' ||
    availabilityEnd > 0;
  const end = Math.max(position, availabilityEnd);
  const of = skipWords(q, end, wordSet('about of on for regarding the all'));
  if (!asksForAll || of === end) return [];
  return readEntities(q, of).map((entity) => {
    const draft = placeEntity(interpretation.draft, entity.value, -1);
    const isColumn = entity.value.links.some(
      (link) =>
        link.cost < 0.5 &&
        link.table.columns.some(
          (column) => q.lexicon.columnWords.get(column)?.at(-1) === q.tokens[position - 1]?.lemma,
        ),
    );
    return advance(
      interpretation,
      entity.position,
      entity.cost + (isColumn ? 0.7 : 0),
      addTarget(draft, { kind: 'everything', mention: draft.focus }),
    );
  });
}

/** Parses a table before `information` as all of its columns, as in `all customer information`. */
function readEverythingAfter(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
): Interpretation[] {
  return readEntities(q, from).flatMap((entity) => {
    const position =
      entity.value.orders.length > 0 || entity.value.isEach
        ? -1
        : matchPhrase(q, entity.position, phraseSet('information|info|data|details'));
    if (
      position < 0 ||
      (q.columns[entity.position] ?? []).length + (q.tables[entity.position] ?? []).length > 0
    )
      return [];
    const draft = placeEntity(interpretation.draft, entity.value, -1);
    return [
      advance(
        interpretation,
        position,
        entity.cost + 0.1,
        addTarget(draft, { kind: 'everything', mention: draft.focus }),
      ),
    ];
  });
}

/** The additional cost of interpreting a noun as rows if it also names their column with an amount. */
const AMOUNT_ROWS_COST = 0.6;

/** Parses a table whose rows are returned. The statement returns the label of each row. */
function readRows(q: LinkedQuestion, interpretation: Interpretation, position: number): Interpretation[] {
  return readEntities(q, position).map((entity) => {
    const draft = placeEntity(
      interpretation.draft,
      entity.value,
      interpretation.draft.mentions.length > 0 ? 0 : -1,
    );
    const amountCost = readColumns(q, position).some(
      (column) => column.position === entity.position && listAmountLinks(q, column).length > 0,
    )
      ? AMOUNT_ROWS_COST
      : 0;
    if (wordAt(q, entity.position) === 'per' && entity.value.conditions.length === 0)
      return advance(
        interpretation,
        entity.position,
        entity.cost + 0.3 + amountCost,
        addTarget(draft, { kind: 'count', mention: draft.focus, distinct: false }),
      );
    const placed = addTarget(draft, { kind: 'rows', mention: draft.focus });
    return advance(interpretation, entity.position, entity.cost + 0.2 + amountCost, {
      ...placed,
      distinct: placed.distinct || entity.value.distinct,
    });
  });
}
