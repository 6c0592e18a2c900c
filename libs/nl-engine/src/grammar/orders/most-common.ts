import type { LinkedQuestion } from '../../link/linked-question.js';
import type { ColumnRef, Draft, Interpretation, Order, TableLink } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { wordSet } from '../../words/word-set.js';
import { VERB_TABLE_COST, listTablesOfVerb } from '../relations/verb-references.js';
import { addMention, advance, placeEntity } from '../draft.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, phraseSet, wordAt } from '../reader.js';
import { readOwnedColumns } from '../targets/column-targets.js';

import type { Edge } from '../../resolve/table-graph.js';

const TOP_ROWS_COST = 0.35;

/** Phrases that begin an explicit order. */
const EXPLICIT_ORDER = phraseSet(`
  by|based on|according to|in terms of|ranked|sorted|ordered|with the|that have the|who have the|having the|
  in order of
`);
/**
 * Skips `top` and a limit before `most` or `least`, as in `the top 3 most common`. Returns the next index and
 * the limit.
 */
function skipTop(q: LinkedQuestion, from: number): readonly [at: number, limit: number] {
  const position = wordAt(q, from) === 'the' ? from + 1 : from;
  const start = wordAt(q, position) === 'top' ? position + 1 : position;
  const token = q.tokens[start];
  return token?.kind === 'number' &&
    Number.isInteger(token.value) &&
    ['most', 'least'].includes(wordAt(q, start + 1))
    ? [start + 1, token.value]
    : [from, 1];
}

const MOST_COMMON = phraseSet(`
  the most common|most common|the most popular|most popular|the most frequent|most frequent|
  the most frequently used|the most commonly used|most commonly used|most frequently used|
  the most prevalent|the most used|most used
`);

const LEAST_COMMON = phraseSet(`
  the least common|least common|the least popular|least popular|the least frequent|least frequent|
  the rarest|rarest|the least used|the least commonly used
`);

const MOST_OFTEN = phraseSet(`
  the most frequently|most frequently|the most often|most often|the most commonly|most commonly|the most|
  most
`);

const LEAST_OFTEN = phraseSet(`
  the least frequently|least frequently|the least often|least often|the least commonly|least commonly|
  the least|least
`);

const OFTEN = wordSet('frequently often commonly');

const AMOUNTS = wordSet('quantity amount unit number count');

/**
 * Parses a ranking by the number of child rows that a verb names, such as orders in `the most frequently
 * ordered product`.
 */
function readMostFrequentVerb(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  const [maximum, minimum] = [
    matchPhrase(q, interpretation.position, MOST_OFTEN),
    matchPhrase(q, interpretation.position, LEAST_OFTEN),
  ];
  const position = Math.max(maximum, minimum);
  if (position < 0 || draft.mentions.length + draft.orders.length > 0 || !isVerb(wordAt(q, position)))
    return [];
  return readEntities(q, position + 1)
    .filter(({ value }) => value.conditions.length + value.orders.length === 0 && !value.isEach)
    .flatMap((entity) => {
      const own = placeEntity(draft, entity.value, -1);
      // Without a word such as `often`, the ranking may mean the sum of quantities, as in `the most ordered
      // product`.
      const isOften = OFTEN.has(wordAt(q, position - 1));
      return listTablesOfVerb(q, own, wordAt(q, position))
        .filter(
          (table) =>
            isOften ||
            !table.columns.some((column) => AMOUNTS.has(q.lexicon.columnWords.get(column)?.at(-1) ?? '')),
        )
        .map((table) => {
          const placed = addMention(own, { links: [{ table, cost: VERB_TABLE_COST }] }, own.focus);
          return advance(interpretation, entity.position, entity.cost + 0.2, {
            ...placed,
            focus: own.focus,
            targets: [...draft.targets, { kind: 'rows', mention: own.focus }],
            orders: [
              { key: { kind: 'count', mention: placed.focus }, direction: maximum > 0 ? 'desc' : 'asc' },
            ],
            limit: own.limit ?? 1,
          });
        });
    });
}

/**
 * Parses a ranking of a column's values by their frequency, as in `the most common nationality of people`.
 */
export function readMostCommon(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  const [from, top] = skipTop(q, interpretation.position);
  const maximum = matchPhrase(q, from, MOST_COMMON);
  const position = maximum > 0 ? maximum : matchPhrase(q, from, LEAST_COMMON);
  if (position < 0 || draft.orders.length > 0) return readMostFrequentVerb(q, interpretation);
  const token = q.tokens[position];
  const limit = token?.kind === 'number' ? token.value : top;
  const start = token?.kind === 'number' ? position + 1 : position;
  const direction = maximum > 0 ? ('desc' as const) : ('asc' as const);
  const orders: readonly Order[] = [{ key: { kind: 'size' }, direction }];
  const showColumn = (column: ColumnRef): Pick<Draft, 'targets' | 'orders' | 'limit'> => ({
    targets: [...draft.targets, { kind: 'column', column, fn: null, distinct: false }],
    orders,
    limit,
  });
  // The rows may be named before their column, as in `the most common company type`.
  const owned =
    draft.mentions.length > 0
      ? []
      : readOwnedColumns(q, start, draft)
          .filter(({ owner }) => owner !== draft && owner.orders.length === 0)
          .map(({ owner, phrase, to, cost }) =>
            advance(interpretation, to, cost, { ...owner, ...showColumn(toRef(phrase, owner.focus)) }),
          );
  return [
    ...readMostRelated(q, interpretation, start, { direction, limit }),
    ...owned,
    ...readColumns(q, start).map((column) =>
      advance(interpretation, column.position, column.cost, showColumn(toRef(column.value))),
    ),
  ];
}

/**
 * Parses a ranking of rows by the number of rows in their only child table, as in `the most popular
 * products`.
 */
function readMostRelated(
  q: LinkedQuestion,
  interpretation: Interpretation,
  start: number,
  { direction, limit }: { readonly direction: 'asc' | 'desc'; readonly limit: number },
): Interpretation[] {
  const { draft } = interpretation;
  return readEntities(q, start).flatMap((entity) => {
    const ranking =
      draft.mentions.length === 0 && entity.value.orders.length === 0
        ? findRankingTable(q, entity.value.links)
        : null;
    if (ranking === null) return [];
    const own = placeEntity(draft, entity.value, -1);
    const placed = addMention(own, { links: [ranking] }, own.focus);
    return [
      advance(interpretation, entity.position, entity.cost + 0.3, {
        ...placed,
        targets: [{ kind: 'rows', mention: own.focus }],
        orders: [{ key: { kind: 'count', mention: placed.focus }, direction }],
        limit,
      }),
    ];
  });
}

/**
 * Parses `top` with a number, as in `top 3 tags`. If the rows have only one child table, they are ranked by
 * their number of child rows.
 */
export function readTops(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const start = wordAt(q, from) === 'the' ? from + 1 : from;
  const count = q.tokens[start + 1];
  if (
    wordAt(q, start) !== 'top' ||
    count?.kind !== 'number' ||
    !Number.isInteger(count.value) ||
    interpretation.draft.mentions.length > 0
  )
    return [];
  return readEntities(q, start + 2)
    .filter(
      (entity) => entity.value.orders.length === 0 && matchPhrase(q, entity.position, EXPLICIT_ORDER) < 0,
    )
    .flatMap((entity) => {
      const ranking = findRankingTable(q, entity.value.links);
      if (ranking === null) return [];
      const draft = placeEntity(interpretation.draft, { ...entity.value, limit: null }, -1);
      const placed = addMention(draft, { links: [ranking] }, draft.focus);
      return [
        advance(interpretation, entity.position, entity.cost + TOP_ROWS_COST, {
          ...placed,
          targets: [...interpretation.draft.targets, { kind: 'rows', mention: draft.focus }],
          orders: [{ key: { kind: 'count', mention: placed.focus }, direction: 'desc' }],
          limit: count.value,
        }),
      ];
    });
}

/**
 * Returns the table by whose rows another table is ranked. It is the only child table, or the other side of a
 * link table. Returns null if the rows have several child tables, or none.
 */
function findRankingTable(q: LinkedQuestion, [link]: readonly TableLink[]): TableLink | null {
  if (link === undefined) return null;
  const many = (q.lexicon.graph.edges.get(link.table) ?? []).filter(
    (edge) => !edge.isToOne && edge.isDeclared,
  );
  const [only] = many;
  if (only === undefined || many.length > 1) return null;
  return { table: findJunctionTarget(q, only) ?? only.to, cost: 0 };
}

/**
 * Returns the other table to which a link table refers. Returns null if the child table has columns of its
 * own.
 */
function findJunctionTarget(q: LinkedQuestion, edge: Edge): Edge['to'] | null {
  const isPairs = edge.to.columns.length <= 3 && edge.to.foreignKeys.length === 2;
  const target = (q.lexicon.graph.edges.get(edge.to) ?? []).filter(
    (next) => next.isToOne && next.to !== edge.from,
  );
  return isPairs && target.length === 1 ? (target[0]?.to ?? null) : null;
}
