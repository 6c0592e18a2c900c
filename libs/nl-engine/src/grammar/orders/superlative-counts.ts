import type { Column, Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../../link/linked-question.js';
import { findLabel } from '../../resolve/find-label.js';
import { isNumeric, isKey } from '../../resolve/column-kinds.js';
import type { Draft, Interpretation, OrderKey } from '../../types.js';
import { readRated } from '../../words/adjectives.js';
import { isVerb } from '../../words/verbs.js';
import { wordSet } from '../../words/word-set.js';
import { VERB_TABLE_COST, listTablesOfVerb } from '../relations/verb-references.js';
import { addMention, advance, findMentionOfTable } from '../draft.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { findNumberColumns, readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, phraseSet, skipBack, skipWords, wordAt } from '../reader.js';

/** Combines each superlative with each noun for a number, as in `greatest total number of`. */
const listAmounts = (words: string): string[] =>
  words
    .split(' ')
    .flatMap((word) =>
      [
        'number',
        'amount',
        'quantity',
        'count',
        'total number',
        'total amount',
        'total count',
        'overall number',
      ].map((amount) => `${word} ${amount} of`),
    );

const MOST_ROWS = phraseSet(
  [
    'most',
    'most of',
    'most of the',
    'the most of',
    ...listAmounts('most largest highest greatest biggest maximum max top'),
  ].join('|'),
);

const LEAST_ROWS = phraseSet(
  ['least', 'fewest', ...listAmounts('least smallest lowest fewest minimum min minimal')].join('|'),
);

/**
 * Parses a ranking by a number of rows, such as `with the most students`, `with the fewest orders` or `who
 * commented most`.
 */
export function readByCount(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  limit: number,
): Interpretation[] {
  return (['desc', 'asc'] as const).flatMap((direction) => {
    const position =
      direction === 'desc'
        ? Math.max(matchPhrase(q, from, MOST_ROWS), matchTopNumber(q, from))
        : matchPhrase(q, from, LEAST_ROWS);
    if (position < 0) return [];
    const superlative = { direction, limit };
    return [
      ...readByNumberColumn(q, interpretation, position, superlative),
      ...readByStoredNumber(q, interpretation, position, superlative),
      ...readByRelatedRows(q, interpretation, position, superlative),
      ...readByColumnRows(q, interpretation, position, superlative),
      ...readByOwnRows(q, interpretation, position, superlative),
      ...readByFrequency(q, interpretation, { from, position }, superlative),
    ];
  });
}

function advanceOrdered(
  interpretation: Interpretation,
  position: number,
  cost: number,
  key: OrderKey,
  { direction, limit }: Superlative,
  draft: Draft = interpretation.draft,
): Interpretation {
  return advance(interpretation, position, cost, {
    ...draft,
    orders: [{ key, direction }],
    limit: interpretation.draft.limit ?? limit,
  });
}

/**
 * Parses a ranking by the number of related rows, as in `the most students` and `the most employees live`.
 */
function readByRelatedRows(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
  superlative: Superlative,
): Interpretation[] {
  return readEntities(q, position).flatMap((entity) => {
    if (entity.value.isEach || entity.value.orders.length > 0) return [];
    const parent = interpretation.draft.mentions.length === 0 ? -1 : interpretation.draft.focus;
    const placed = addMention(
      interpretation.draft,
      { links: entity.value.links, conditions: entity.value.conditions },
      parent,
    );
    const key: OrderKey = { kind: 'count', mention: placed.focus };
    const isColumn = findNumberColumns(q, position).some((item) => item.to === entity.position);
    const cost = entity.cost + (isColumn ? 0.6 : 0);
    const verbEnd = skipVerb(q, entity.position);
    const plain = advanceOrdered(interpretation, entity.position, cost, key, superlative, placed);
    return verbEnd > entity.position
      ? [plain, advanceOrdered(interpretation, verbEnd, entity.cost + 0.15, key, superlative, placed)]
      : [plain];
  });
}

const FREQUENCY_PHRASES = phraseSet(`
  number of times|common|commonly|frequent|frequently|popular|often|times|frequently used|used|
  commonly used|rows|records|occurrences|prevalent|numerous
`);

/**
 * Parses a ranking by a number of rows that no noun names, as in `who commented most` and `the instrument
 * that is used the most`.
 */
function readByFrequency(
  q: LinkedQuestion,
  interpretation: Interpretation,
  { from, position }: { readonly from: number; readonly position: number },
  superlative: Superlative,
): Interpretation[] {
  const { draft } = interpretation;
  const found: Interpretation[] = [];
  const times = matchPhrase(q, position, FREQUENCY_PHRASES);
  const withoutNoun = hasNoNoun(q, position) ? position : -1;
  const related = draft.mentions.length > 1 ? draft.focus : -1;
  const last = draft.mentions[related];
  const end = times > 0 ? times : withoutNoun;
  if (
    end > 0 &&
    last !== undefined &&
    last.conditions.length === 0 &&
    !last.negated &&
    last.quantity === null
  )
    found.push(advanceOrdered(interpretation, end, 0.05, { kind: 'count', mention: related }, superlative));
  // If the statement returns only values, it returns the most frequent value, as in `the instrument that is
  // used the most`.
  const verb = wordAt(q, skipBack(q, from - 1, THE));
  const isVerbWithoutNoun = times < 0 && withoutNoun > 0 && related < 0 && isVerb(verb);
  if (isVerbWithoutNoun && readRated(verb) === null && showsValues(draft))
    found.push(advanceOrdered(interpretation, withoutNoun, 0.15, { kind: 'size' }, superlative));
  if (times > 0 && related < 0 && draft.targets.length > 0)
    for (const table of listTablesOfVerb(q, draft, verb)) {
      const placed = addMention(draft, { links: [{ table, cost: VERB_TABLE_COST }] }, draft.focus);
      const key: OrderKey = { kind: 'count', mention: placed.focus };
      found.push(advanceOrdered(interpretation, times, 0.1, key, superlative, placed));
    }
  if (times > 0) {
    const end = skipWords(q, times, wordSet('used listed owned'));
    found.push(advanceOrdered(interpretation, end, 0.1, { kind: 'size' }, superlative));
  }
  return found;
}

/** Matches `top` with a number before the counted rows, as in `the top 3 number of transactions`. */
function matchTopNumber(q: LinkedQuestion, from: number): number {
  const count = q.tokens[from + 1];
  return wordAt(q, from) === 'top' && count?.kind === 'number' && Number.isInteger(count.value)
    ? matchPhrase(q, from + 2, phraseSet('number of|numbers of|most|highest number of|largest number of'))
    : -1;
}

const AUXILIARY_VERBS = wordSet('do does did are is were was have has had been');

const AFTER_VERB = wordSet('in from for to on at there by with');

/**
 * Skips a verb or preposition after the counted rows at the end of a clause, as in `the city where the most
 * employees live` and `that the most players are from`.
 */
function skipVerb(q: LinkedQuestion, from: number): number {
  const start = skipWords(q, from, AUXILIARY_VERBS);
  const verbs = isVerb(wordAt(q, start)) ? start + 1 : start;
  const end = skipWords(q, verbs, AFTER_VERB);
  const next = q.tokens[end];
  return next === undefined || next.kind === 'mark' || next.lower === 'and' ? end : from;
}

interface Superlative {
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
}

const COLUMN_ROWS_COST = 0.4;

/**
 * Parses a ranking by the number of rows with a value in a named text column, as in `the party with the most
 * delegates` if `delegate` is a column.
 */
function readByColumnRows(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
  superlative: Superlative,
): Interpretation[] {
  if (
    interpretation.draft.mentions.length === 0 ||
    (q.tables[position] ?? []).some((span) => span.links.some((link) => link.cost < 0.5))
  )
    return [];
  return readColumns(q, position)
    .filter((column) => q.tokens[column.position - 1]?.lemma !== q.tokens[column.position - 1]?.lower)
    .flatMap((column) => {
      const links = column.value.links
        .filter(
          (link) =>
            link.column.valueKind === 'string' &&
            link.isPart !== true &&
            link.cost < 0.3 &&
            !isKey(link.table, link.column),
        )
        .map((link) => ({ table: link.table, cost: link.cost }));
      if (links.length === 0) return [];
      const placed = addMention(interpretation.draft, { links }, interpretation.draft.focus);
      const key: OrderKey = { kind: 'count', mention: placed.focus };
      const cost = column.cost + COLUMN_ROWS_COST;
      return [advanceOrdered(interpretation, column.position, cost, key, superlative, placed)];
    });
}

/**
 * Parses a ranking of returned values by the number of rows that have them, as in `the ship type with the
 * most ships`.
 */
function readByOwnRows(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
  superlative: Superlative,
): Interpretation[] {
  const { draft } = interpretation;
  const [rows, ...others] = draft.mentions;
  if (
    rows === undefined ||
    others.length > 0 ||
    rows.negated ||
    rows.quantity !== null ||
    !showsValues(draft)
  )
    return [];
  return readEntities(q, position)
    .filter(
      ({ value }) =>
        !value.isEach &&
        value.conditions.length + value.orders.length === 0 &&
        findMentionOfTable(draft, value.links) === 0,
    )
    .map((entity) =>
      advanceOrdered(
        interpretation,
        entity.position,
        entity.cost + OWN_ROWS_COST,
        { kind: 'size' },
        superlative,
      ),
    );
}

const OWN_ROWS_COST = 0.1;

/**
 * Reports whether the statement returns values that several rows may have in common, instead of labels or
 * keys.
 */
function showsValues({ targets, mentions }: Interpretation['draft']): boolean {
  const isLabel = (table: Table, column: Column): boolean =>
    findLabel(table).includes(column) && (mentions.length > 0 || /(?:name|title)$/i.test(column.name));
  if (
    targets.some(
      (target) =>
        target.kind === 'column' && target.column.links.some(({ table, column }) => isLabel(table, column)),
    )
  )
    return false;
  return (
    targets.length > 0 &&
    targets.every(
      (target) =>
        target.kind === 'column' &&
        target.fn === null &&
        target.column.links.every(
          ({ table, column }) => !isKey(table, column) || (table.primaryKey?.length ?? 0) > 1,
        ),
    )
  );
}

function readByNumberColumn(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
  superlative: Superlative,
): Interpretation[] {
  const owner = interpretation.draft.mentions.length === 0 ? null : interpretation.draft.focus;
  return findNumberColumns(q, position).map(({ to, links }) => {
    const key: OrderKey = { kind: 'column', column: { links, owner, position }, fn: null };
    return advanceOrdered(interpretation, to, 0.1, key, superlative);
  });
}

/**
 * Parses a ranking by a column that stores the named number, as in `the largest number of international
 * passengers`.
 */
function readByStoredNumber(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
  superlative: Superlative,
): Interpretation[] {
  if (wordAt(q, position - 1) !== 'of') return [];
  const owner = interpretation.draft.mentions.length === 0 ? null : interpretation.draft.focus;
  return readColumns(q, position).flatMap((column) => {
    const links = column.value.links.filter(
      (link) => isNumeric(link.column) && link.isPart !== true && !isKey(link.table, link.column),
    );
    if (links.length === 0) return [];
    const key: OrderKey = { kind: 'column', column: { ...toRef(column.value, owner), links }, fn: null };
    return [advanceOrdered(interpretation, column.position, column.cost + 0.15, key, superlative)];
  });
}

/** Reports whether no noun follows the superlative, as in `who commented most last month`. */
function hasNoNoun(q: LinkedQuestion, position: number): boolean {
  const token = q.tokens[position];
  return (
    token === undefined ||
    token.kind === 'mark' ||
    ['last', 'this', 'in', 'since', 'during', 'of', 'on', 'ever', 'yesterday', 'today', 'between'].includes(
      token.lower,
    )
  );
}

const THE = wordSet('the');
