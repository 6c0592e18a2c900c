import type { LinkedQuestion } from '../../link/linked-question.js';
import { isKey } from '../../resolve/column-kinds.js';
import type { Draft, Quantity, Interpretation } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { readComparator, readComparatorAfter } from '../conditions/comparators.js';
import { VERB_TABLE_COST, listTablesOfVerb } from './verb-references.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { readQuantity } from './quantities.js';
import { matchPhrase, phraseSet, type Parsed, skipBack, skipWords, wordAt } from '../reader.js';
import { addMention, advance } from '../draft.js';
import { wordSet } from '../../words/word-set.js';

const BEFORE_COUNT = wordSet('that which who are is was were been have has had for be do occur appear');
const ADVERBS_OF_COUNT: ReadonlyMap<string, number> = new Map([
  ['once', 1],
  ['twice', 2],
]);
const COUNT_NOUNS = phraseSet(
  'times|different times|time|separate times|records|entries|rows|occurrences|instances',
);

const COUNT_PHRASES = phraseSet(`
  with count|with a count|with a count of|with frequency|with a frequency|with a frequency of|
  whose count is|having a count of
`);

/**
 * Parses a condition on the number of rows that have each returned value, as in `categories with a count
 * above 2`.
 */
function readValueCount(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const position = matchPhrase(q, interpretation.position, COUNT_PHRASES);
  const comparator = position < 0 ? null : readComparator(q, position);
  const token = q.tokens[comparator?.position ?? position];
  if (
    position < 0 ||
    token?.kind !== 'number' ||
    !Number.isInteger(token.value) ||
    !returnsSharedValues(interpretation.draft)
  )
    return [];
  return [
    advance(
      interpretation,
      (comparator?.position ?? position) + 1,
      0.15,
      requireRowCount(interpretation.draft, { op: comparator?.op ?? '=', count: token.value }),
    ),
  ];
}

/**
 * Parses a condition on a number of rows whose table the question does not name, as in `codes that were used
 * less than 5 times` and `products booked at least twice`.
 */
export function readRowCountCondition(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  return [
    ...readValueCount(q, interpretation),
    ...readFrequency(q, interpretation),
    ...readValuesWithRows(q, interpretation),
  ];
}

const BEFORE_WHICH = wordSet('in on from at to for of by during');
const RELATIVE_WORDS = wordSet('which where when');
const AUXILIARY_VERBS = wordSet('have has had been are is was were there exist');

/**
 * Parses the number of rows that must have each returned value, as in `years in which at least two shops
 * opened`.
 */
function readValuesWithRows(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  const which = skipWords(q, interpretation.position, BEFORE_WHICH);
  const position = skipWords(q, which + 1, AUXILIARY_VERBS);
  const quantity =
    RELATIVE_WORDS.has(wordAt(q, which)) && returnsSharedValues(draft) && readComparator(q, position) !== null
      ? readQuantity(q, position)
      : null;
  if (quantity === null) return [];
  const tables = new Set(
    draft.mentions.length > 0
      ? draft.mentions[0]?.links.map(({ table }) => table)
      : draft.targets.flatMap((target) =>
          target.kind === 'column' ? target.column.links.map(({ table }) => table) : [],
        ),
  );
  return readEntities(q, quantity.position)
    .filter(
      ({ value }) =>
        value.conditions.length + value.orders.length === 0 &&
        value.links.some(({ table, cost }) => cost < 0.5 && tables.has(table)),
    )
    .flatMap((entity) => {
      let end = entity.position;
      while (end < entity.position + 4 && (AUXILIARY_VERBS.has(wordAt(q, end)) || isVerb(wordAt(q, end))))
        end += 1;
      const placed =
        draft.mentions.length > 0
          ? requireRowCount(draft, quantity.value)
          : {
              mentions: addMention(draft, { links: entity.value.links, quantity: quantity.value }, -1)
                .mentions,
              focus: 0,
            };
      return q.tokens[end] === undefined || q.tokens[end]?.kind === 'mark'
        ? [advance(interpretation, end, entity.cost + 0.15, placed)]
        : [];
    });
}

function readFrequency(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  let position = skipWords(q, interpretation.position, BEFORE_COUNT);
  if (isVerb(wordAt(q, position)) && (q.tables[position] ?? []).length === 0)
    position = skipWords(q, position + 1, BEFORE_COUNT);
  const times = readNumber(q, position);
  if (times === null) return [];
  const { draft } = interpretation;
  const last = draft.mentions[draft.focus];
  if (draft.focus > 0 && last !== undefined && last.quantity === null && !last.negated)
    return [times, ...listWithoutEmptySets(times)].map(({ cost, value }) =>
      advance(interpretation, times.position, 0.1 + cost, {
        mentions: draft.mentions.map((mention, index) =>
          index === draft.focus ? { ...mention, quantity: value } : mention,
        ),
      }),
    );
  const verbTables = listTablesOfVerb(q, draft, wordAt(q, skipBack(q, position - 1, BEFORE_COUNT)));
  if (verbTables.length > 0)
    return [times, ...listWithoutEmptySets(times)].flatMap(({ cost, value }) =>
      verbTables.map((table) => {
        const placed = addMention(
          draft,
          { links: [{ table, cost: VERB_TABLE_COST }], quantity: value },
          draft.focus,
        );
        return advance(interpretation, times.position, 0.1 + cost, { mentions: placed.mentions });
      }),
    );
  return returnsSharedValues(draft)
    ? [advance(interpretation, times.position, 0.2, requireRowCount(draft, times.value))]
    : [];
}

function readNumber(q: LinkedQuestion, from: number): Parsed<Quantity> | null {
  const comparator = readComparator(q, from);
  const position = comparator?.position ?? from;
  const once = ADVERBS_OF_COUNT.get(wordAt(q, position));
  const token = q.tokens[position];
  const count = once ?? (token?.kind === 'number' && Number.isInteger(token.value) ? token.value : undefined);
  if (count === undefined || (once !== undefined && comparator === null && once === 1)) return null;
  const comparatorAfter = comparator === null ? readComparatorAfter(q, position + 1) : null;
  const end =
    once === undefined
      ? matchPhrase(q, comparatorAfter?.position ?? position + 1, COUNT_NOUNS)
      : (comparatorAfter?.position ?? position + 1);
  return end < 0
    ? null
    : { position: end, cost: 0, value: { op: comparator?.op ?? comparatorAfter?.op ?? '=', count } };
}

/**
 * The cost of interpreting a quantity without empty sets. It is low, so that `at most two` remains ambiguous.
 */
const WITH_EMPTY_COST = 0.1;

/** Returns the range from one to two for `at most two`. Returns an empty list for other quantities. */
export function listWithoutEmptySets(found: Parsed<Quantity> | null): Parsed<Quantity>[] {
  if (found === null || found.value.upTo !== undefined || !found.value.op.startsWith('<')) return [];
  const upTo = found.value.op === '<' ? found.value.count - 1 : found.value.count;
  return upTo < 1
    ? []
    : [{ ...found, cost: found.cost + WITH_EMPTY_COST, value: { op: '>=', count: 1, upTo } }];
}

/**
 * Reports whether the statement returns only values that several rows may have in common, and the question
 * mentions at most the table of these values.
 */
export function returnsSharedValues({ targets, mentions }: Draft): boolean {
  const isPlain =
    targets.length > 0 &&
    targets.every(
      (target) =>
        target.kind === 'column' &&
        target.fn === null &&
        target.column.links.some(
          ({ table, column }) => table.primaryKey?.length !== 1 || table.primaryKey[0] !== column.name,
        ),
    );
  return isPlain && (mentions.length === 0 || (mentions.length === 1 && mentions[0]?.quantity === null));
}

/** Requires that each returned value occurs in a number of rows. */
export function requireRowCount(draft: Draft, quantity: Quantity): Partial<Draft> {
  if (draft.mentions.length > 0)
    return {
      mentions: draft.mentions.map((mention, position) =>
        position === 0 ? { ...mention, quantity } : mention,
      ),
    };
  const links = draft.targets
    .flatMap((target) => (target.kind === 'column' ? target.column.links : []))
    .map(({ table, column, cost }) => ({
      table,
      cost: cost + (isKey(table, column) && table.primaryKey?.includes(column.name) === true ? 0.4 : 0.2),
    }));
  const unique = links.filter(
    (link, position) => links.findIndex((other) => other.table === link.table) === position,
  );
  const placed = addMention(draft, { links: unique, quantity }, -1);
  return { mentions: placed.mentions, focus: 0 };
}
