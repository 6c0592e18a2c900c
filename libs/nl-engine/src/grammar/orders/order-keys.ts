import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric, isKey } from '../../resolve/column-kinds.js';
import type { Aggregate, Draft, Interpretation, OrderKey, TableLink } from '../../types.js';
import { addMention } from '../draft.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { findNumberColumns, readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, type Parsed, phraseSet, wordAt } from '../reader.js';

/** A sort key, and the draft with the rows that the sort key adds to it. */
interface ReadOrderKey {
  readonly parsed: Parsed<OrderKey>;
  readonly draft: Draft;
}

/** Parses what to sort by: a column, an aggregate of a column, or a number of rows. */
export function readOrderKey(q: LinkedQuestion, { position, draft }: Interpretation): ReadOrderKey[] {
  return [
    ...readCountKey(q, position, draft),
    ...readShownCount(q, position, draft),
    ...readFrequencyKey(q, position, draft),
    ...readColumnKey(q, position, draft),
    ...readOwnedKey(q, position, draft),
  ];
}

/**
 * Parses `number of` as a row count, or as a part of the name of a number column, as in `number of sales`.
 */
function readCountKey(q: LinkedQuestion, from: number, draft: Draft): ReadOrderKey[] {
  const position = matchPhrase(
    q,
    from,
    phraseSet('number of|the number of|total number of|count of|how many'),
  );
  if (position <= 0) return [];
  const counts = readEntities(q, position).map((entity) => {
    const known = findMentionWithTable(draft, entity.value.links);
    const placed =
      known >= 0
        ? draft
        : addMention(draft, { links: entity.value.links }, Math.min(0, draft.mentions.length - 1));
    const isColumn = findNumberColumns(q, position).some(
      ({ to, links }) =>
        to === entity.position &&
        links.some((link) =>
          draft.mentions.some((mention) => mention.links.some((own) => own.table === link.table)),
        ),
    );
    const value: OrderKey = { kind: 'count', mention: known >= 0 ? known : placed.focus };
    return {
      parsed: { position: entity.position, cost: entity.cost + (isColumn ? 0.6 : 0), value },
      draft: { ...placed, focus: draft.focus },
    };
  });
  const columns = readColumns(q, position).flatMap((column) => {
    const links = column.value.links.filter(
      (link) => isNumeric(link.column) && link.isPart !== true && !isKey(link.table, link.column),
    );
    if (links.length === 0) return [];
    const value: OrderKey = { kind: 'column', column: { ...toRef(column.value), links }, fn: null };
    return [{ parsed: { position: column.position, cost: column.cost + 0.15, value }, draft }];
  });
  return [...counts, ...columns];
}

/** Returns the index of the mention with one of these tables. Returns -1 if no mention has one. */
function findMentionWithTable({ mentions }: Draft, links: readonly TableLink[]): number {
  return mentions.findIndex((mention) =>
    mention.links.some((link) => links.some((other) => other.table === link.table)),
  );
}

/** Parses the name of a requested count as a sort key, such as `order count` after `number of orders`. */
function readShownCount(q: LinkedQuestion, from: number, draft: Draft): ReadOrderKey[] {
  return readEntities(q, from).flatMap((entity) => {
    const known = draft.targets.find(
      (target) =>
        target.kind === 'count' &&
        draft.mentions[target.mention]?.links.some((link) =>
          entity.value.links.some((other) => other.table === link.table),
        ) === true,
    );
    if (known?.kind !== 'count' || !['count', 'counts'].includes(wordAt(q, entity.position))) return [];
    const value: OrderKey = { kind: 'count', mention: known.mention };
    return [{ parsed: { position: entity.position + 1, cost: entity.cost, value }, draft }];
  });
}

const FREQUENCY = phraseSet(`
  frequency|number|count|counts|the count|their count|the frequency|their frequency|the number|
  number of records|the number of records|occurrences|number of occurrences
`);

function readFrequencyKey(q: LinkedQuestion, from: number, draft: Draft): ReadOrderKey[] {
  const position = matchPhrase(q, from, FREQUENCY);
  if (position <= 0) return [];
  const counted = draft.targets.find((target) => target.kind === 'count');
  const value: OrderKey =
    counted?.kind === 'count' ? { kind: 'count', mention: counted.mention } : { kind: 'size' };
  return [{ parsed: { position, cost: 0.15, value }, draft }];
}

const AGGREGATE_WORDS = phraseSet('average|mean|total|sum of|maximum|minimum');

const AGGREGATES: ReadonlyMap<string, Aggregate> = new Map([
  ['average', 'avg'],
  ['mean', 'avg'],
  ['total', 'sum'],
  ['sum', 'sum'],
  ['maximum', 'max'],
  ['minimum', 'min'],
]);

function readColumnKey(q: LinkedQuestion, from: number, draft: Draft): ReadOrderKey[] {
  const aggregate = matchPhrase(q, from, AGGREGATE_WORDS);
  const fn = aggregate < 0 ? null : (AGGREGATES.get(wordAt(q, from)) ?? null);
  const columns = readColumns(q, aggregate < 0 ? from : aggregate).map((column) => {
    const value: OrderKey = { kind: 'column', column: toRef(column.value), fn };
    return { parsed: { position: column.position, cost: column.cost, value }, draft };
  });
  // If the statement returns an aggregate of the sort column, the sort key is this aggregate, as in `the
  // average rating of each product, sorted by rating`.
  return aggregate < 0
    ? [...columns, ...listAggregateTargets(q, from, draft).map((parsed) => ({ parsed, draft }))]
    : columns;
}

/** Parses a sort column after the name of its table, as in `by the customer's name`. */
function readOwnedKey(q: LinkedQuestion, from: number, draft: Draft): ReadOrderKey[] {
  return readEntities(q, from).flatMap((entity) => {
    const isPossessive = wordAt(q, entity.position) === "'s";
    return readColumns(q, isPossessive ? entity.position + 1 : entity.position).flatMap((column) => {
      const owner = findMentionWithTable(draft, entity.value.links);
      if (owner < 0) return [];
      const value: OrderKey = { kind: 'column', column: toRef(column.value, owner), fn: null };
      return [{ parsed: { position: column.position, cost: entity.cost + column.cost, value }, draft }];
    });
  });
}

function listAggregateTargets(
  q: LinkedQuestion,
  position: number,
  { targets }: Interpretation['draft'],
): Parsed<OrderKey>[] {
  return readColumns(q, position).flatMap((column) =>
    targets.flatMap((target) => {
      if (target.kind !== 'column' || target.fn === null) return [];
      const isSame = target.column.links.some((link) =>
        column.value.links.some((other) => other.column === link.column),
      );
      return isSame
        ? [
            {
              position: column.position,
              cost: column.cost,
              value: { kind: 'column' as const, column: target.column, fn: target.fn },
            },
          ]
        : [];
    }),
  );
}
