import type { LinkedQuestion } from '../../link/linked-question.js';
import { isCalendar, isKey, isNumeric } from '../../resolve/column-kinds.js';
import type { Interpretation, Order } from '../../types.js';
import { readRated, readVerbMeasure } from '../../words/adjectives.js';
import { isVerb } from '../../words/verbs.js';
import { wordSet } from '../../words/word-set.js';
import { advance } from '../draft.js';
import { toRef } from '../nouns/column-phrases.js';
import { readSuperlative, toMeasured } from '../nouns/measures.js';
import { matchPhrase, type Parsed, phraseSet, skipWords, wordAt } from '../reader.js';
import { listDatesOfEvent } from '../relations/verb-references.js';
import { readOwnedColumns } from '../targets/column-targets.js';

const HIGHEST = phraseSet(`
  highest|largest|greatest|maximum|max|biggest|most|best|longest|latest|oldest|top|most recent|newest|
  tallest|heaviest|richest
`);

const LOWEST = phraseSet(
  'lowest|smallest|least|minimum|min|worst|shortest|earliest|fewest|cheapest|youngest|lightest|slowest',
);

/** Superlatives that cannot refer to a date. */
const SIZES = wordSet('highest largest greatest biggest lowest smallest longest shortest');

const AGGREGATE_PHRASES = phraseSet('average|mean|total|combined');

/** Parses a superlative before its column, as in `the highest salary` and `the top 3 lowest prices`. */
export function readByColumn(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  limit: number,
): Interpretation[] {
  return (['desc', 'asc'] as const).flatMap((phrasesDirection) => {
    let position = matchPhrase(q, from, phrasesDirection === 'desc' ? HIGHEST : LOWEST);
    if (position < 0) return [];
    let count = limit;
    const token = q.tokens[position];
    if (token?.kind === 'number' && Number.isInteger(token.value)) {
      count = token.value;
      position += 1;
    }
    // After `top` and a number, a second superlative determines the direction, as in `top 3 lowest`.
    const [low, high] =
      wordAt(q, position - 1) === 'top' || wordAt(q, position - 2) === 'top'
        ? [matchPhrase(q, position, LOWEST), matchPhrase(q, position, HIGHEST)]
        : [-1, -1];
    const direction = low > 0 ? ('asc' as const) : phrasesDirection;
    return readOrderColumn(q, interpretation, Math.max(position, low, high), { direction, limit: count });
  });
}

/** Parses the column after a superlative, with an optional aggregate before it. */
function readOrderColumn(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  { direction, limit }: { readonly direction: 'asc' | 'desc'; readonly limit: number },
): Interpretation[] {
  const { draft } = interpretation;
  const aggregate = matchPhrase(q, from, AGGREGATE_PHRASES);
  const isSum = ['total', 'combined'].includes(wordAt(q, aggregate - 1));
  const fn = aggregate < 0 ? null : isSum ? ('sum' as const) : ('avg' as const);
  const start = aggregate < 0 ? from : aggregate;
  const columnAt = skipWords(q, start, wordSet('of the value for amount overall number'));
  // In `the highest total amount`, `amount` may be the column, or the beginning of the phrase `amount of`.
  const starts =
    columnAt > start && wordAt(q, columnAt - 1) === 'amount' ? [columnAt - 1, columnAt] : [columnAt];
  return starts
    .flatMap((index) => readOwnedColumns(q, index, draft))
    .flatMap(({ phrase, owner: ownerDraft, to, cost }) => {
      const links = phrase.links.filter(
        (link) =>
          (isNumeric(link.column) || isCalendar(link.column)) &&
          !(link.isPart === true && isKey(link.table, link.column)) &&
          !(isCalendar(link.column) && SIZES.has(wordAt(q, columnAt - 1))),
      );
      if (links.length === 0) return [];
      const focus = draft.mentions.length === 0 ? null : draft.focus;
      const ref = { ...toRef(phrase, ownerDraft === draft ? focus : ownerDraft.focus), links };
      const column = fn === null ? ref : { ...ref, isChildColumn: true };
      return [
        advance(interpretation, to, cost, {
          ...ownerDraft,
          focus: draft.focus,
          orders: [{ key: { kind: 'column', column, fn }, direction }],
          limit: draft.limit ?? limit,
        }),
      ];
    });
}

/**
 * Parses a superlative that implies its column, as in `who is the oldest` and `that are the most expensive`.
 */
export function readByAdjective(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  limit: number,
): Interpretation[] {
  const found = readSuperlative(q, from);
  if (found === null || interpretation.draft.mentions.length === 0) return [];
  const order = withOwner(found, interpretation.draft.focus);
  return [
    advance(interpretation, skipWords(q, found.position, wordSet('one ones value')), found.cost, {
      orders: [order],
      limit: interpretation.draft.limit ?? limit,
    }),
  ];
}

/** Parses an order by the date that a verb names, as in `that was released most recently`. */
export function readByDate(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
): Interpretation[] {
  const late = matchPhrase(
    q,
    from,
    phraseSet('most recently|the most recently|latest|the latest|last|most lately'),
  );
  const early = matchPhrase(q, from, phraseSet('earliest|the earliest|first|least recently'));
  const position = Math.max(late, early);
  if (position < 0 || interpretation.draft.mentions.length === 0) return [];
  // If the verb follows, the date may belong to any mention, as in `who most recently stayed in room 111`.
  const isBeforeVerb =
    isVerb(wordAt(q, position)) && ['recently', 'lately'].includes(wordAt(q, position - 1));
  const verbDates = listDatesOfEvent(q, wordAt(q, isBeforeVerb ? position : from - 1));
  // After a noun, the order is by the creation time of the noun's rows, as in `who made an order most
  // recently`.
  const focus = interpretation.draft.mentions[interpretation.draft.focus];
  const isNounFirst =
    verbDates.length === 0 &&
    RECENTLY.has(wordAt(q, position - 1)) &&
    interpretation.draft.focus > 0 &&
    q.tables
      .slice(0, from)
      .flat()
      .some((span) => span.to === from);
  const links = isNounFirst
    ? q.lexicon.creationTimes.filter(
        (link) => focus?.links.some(({ table }) => table === link.table) === true,
      )
    : verbDates;
  if (links.length === 0) return [];
  return [
    advance(interpretation, position, 0.15, {
      orders: [
        {
          key: {
            kind: 'column',
            column: { links, owner: isBeforeVerb ? null : interpretation.draft.focus, position: from },
            fn: null,
          },
          direction: late > 0 ? 'desc' : 'asc',
        },
      ],
      limit: interpretation.draft.limit ?? 1,
    }),
  ];
}

const RECENTLY = wordSet('recently lately');

const BEFORE_PAID = wordSet('get gets got is are was were being');

/**
 * Parses a verb that implies the column, before `most` or `least`, as in `that costs the most` and `who earns
 * least`.
 */
export function readByVerb(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  limit: number,
): Interpretation[] {
  const paid = BEFORE_PAID.has(wordAt(q, from - 1)) ? readRated(wordAt(q, from)) : null;
  const measure =
    paid === null ? readVerbMeasure(wordAt(q, from)) : { columns: paid, direction: 'up' as const };
  const end = wordAt(q, from + 1) === 'the' ? from + 2 : from + 1;
  const superlative = wordAt(q, end);
  if (
    measure === null ||
    interpretation.draft.mentions.length === 0 ||
    (superlative !== 'most' && superlative !== 'least')
  )
    return [];
  const column = toMeasured(q, measure, from);
  if (column === null || (paid !== null && column.isReversed)) return [];
  const order: Order = {
    key: { kind: 'column', column: { ...column.ref, owner: interpretation.draft.focus }, fn: null },
    direction: superlative === 'most' ? 'desc' : 'asc',
  };
  return [
    advance(interpretation, end + 1, 0.1, { orders: [order], limit: interpretation.draft.limit ?? limit }),
  ];
}

export function withOwner(parsed: Parsed<Order>, owner: number): Order {
  return parsed.value.key.kind === 'column'
    ? { ...parsed.value, key: { ...parsed.value.key, column: { ...parsed.value.key.column, owner } } }
    : parsed.value;
}
