import type { LinkedQuestion } from '../link/link-question.js';
import { isNumeric } from '../resolve/fits-literal.js';
import { listKeyColumns } from '../resolve/list-key-columns.js';
import type { ColumnLink, ColumnRef, Condition } from '../types.js';
import { readColumns, readEntities, toRef } from './noun-phrase.js';
import { matchPhrase, phraseSet, type Piece, remember, skipWords } from './reader.js';

const KINDS = ['common', 'popular', 'frequent', 'frequently used', 'commonly used', 'often used', 'used', 'prevalent'];
const say = (end: string): string => KINDS.flatMap((kind) => [`the ${end} ${kind}`, `${end} ${kind}`]).join('|');
const ENDS = [[phraseSet(say('most')), 'desc'], [phraseSet(say('least')), 'asc']] as const;
const BEFORE = new Set(['with', 'in', 'of', 'from', 'under', 'for', 'that', 'have', 'has', 'had', 'use', 'uses', 'using', 'which', 'by', 'at', 'on', 'belong', 'belongs', 'to', 'who', 'having', 'are']);

/** Parses `customers with the most common status` as the rows with the most frequent value. */
export const readCommonest = remember(findCommonest);

function findCommonest(q: LinkedQuestion, from: number): Piece<Condition>[] {
  const start = skipWords(q, from, BEFORE);
  if (start === from) return [];
  return ENDS.flatMap(([phrases, direction]) => {
    const at = matchPhrase(q, start, phrases);
    return at < 0 ? [] : [...readKinds(q, at), ...readKeys(q, at)].map((column) => ({ at: column.at, cost: column.cost + 0.15, value: { kind: 'topValue' as const, column: column.value, direction } }));
  });
}

function readKinds(q: LinkedQuestion, at: number): Piece<ColumnRef>[] {
  return readColumns(q, at).flatMap((column) => {
    const links = column.value.links.filter((link) => !isNumeric(link.column));
    return links.length === 0 ? [] : [{ at: column.at, cost: column.cost, value: { ...toRef(column.value), links } }];
  });
}

/** Parses `users with the most popular role`, where roles are rows, and returns the foreign key to them. */
function readKeys(q: LinkedQuestion, at: number): Piece<ColumnRef>[] {
  return readEntities(q, at).flatMap((entity) => {
    const links = entity.value.conditions.length + entity.value.orders.length > 0 ? [] : entity.value.links.flatMap((named) => q.lexicon.snapshot.tables.flatMap((table) => listKeyColumns(table, named.table).map((column): ColumnLink => ({ table, column, cost: named.cost }))));
    return links.length === 0 ? [] : [{ at: entity.at, cost: entity.cost, value: { links, owner: null, at } }];
  });
}
