import type { LinkedQuestion } from '../link/link-question.js';
import { listKeyColumns } from '../resolve/list-key-columns.js';
import type { ColumnLink, ColumnRef, Condition, Reading, TableLink } from '../types.js';
import { isVerb } from '../words/verbs.js';
import { readColumns, readEntities, toRef } from './noun-phrase.js';
import { addConditions, addMention, advance, matchPhrase, phraseSet, type Piece, putTies, skipWords, wordAt } from './reader.js';
import { readValues } from './values.js';

const BEFORE = new Set(['who', 'that', 'which', 'are', 'is', 'were', 'was', 'in', 'with', 'of', 'from', 'have', 'has', 'had', 'having', 'at', 'on', 'for', 'to', 'by', 'and', 'share']);
const SAME = phraseSet('the same|same');
const AS = phraseSet('as|as the one of|as that of|as those of|as the one for');
const STEPS_MAX = 5;

/**
 * Parses rows that share a value with other rows of their table:
 * `in the same department as Ada Birch`, `with the same city as the customer with id 3`.
 */
export function readSame(q: LinkedQuestion, reading: Reading): Reading[] {
  const { draft } = reading;
  const focus = draft.mentions[draft.focus];
  const same = focus === undefined ? -1 : matchPhrase(q, skipTie(q, reading.at), SAME);
  if (focus === undefined || same < 0) return [];
  return readShared(q, same, focus.links).flatMap((shared) => {
    const as = matchPhrase(q, shared.at, AS);
    return as < 0 ? [] : readOthers(q, as, shared.value.links).map((others) => {
      const placed = addMention(draft, { links: focus.links, twinOf: shared.value }, draft.focus);
      const bound = addConditions(placed, placed.focus, others.value.map((condition) => putTies(condition, placed.focus)));
      return advance(reading, others.at, shared.cost + others.cost + 0.1, bound);
    });
  });
}

function skipTie(q: LinkedQuestion, from: number): number {
  let at = from;
  while (at < from + STEPS_MAX && (BEFORE.has(wordAt(q, at)) || isVerb(wordAt(q, at)))) at += 1;
  return at;
}

/** Parses the shared column, or a related table, which means the foreign key to it. */
function readShared(q: LinkedQuestion, at: number, rows: readonly TableLink[]): Piece<ColumnRef>[] {
  const columns = readColumns(q, at).flatMap((column) => {
    const links = column.value.links.filter((link) => rows.some((row) => row.table === link.table));
    return links.length === 0 ? [] : [{ at: column.at, cost: column.cost, value: { ...toRef(column.value), links } }];
  });
  return [...columns, ...readEntities(q, at).flatMap((entity) => {
    const links = entity.value.conditions.length + entity.value.orders.length > 0 ? [] : rows.flatMap((row) => entity.value.links.flatMap((named) => listKeyColumns(row.table, named.table).map((column) => ({ table: row.table, column, cost: named.cost }))));
    return links.length === 0 ? [] : [{ at: entity.at, cost: entity.cost, value: { links, owner: null, at } }];
  })];
}

/**
 * Parses the other rows, by a noun with its conditions or by a value alone.
 * Further conditions that follow apply to them as well.
 */
function readOthers(q: LinkedQuestion, at: number, shared: readonly ColumnLink[]): Piece<readonly Condition[]>[] {
  const tables = shared.map((link) => link.table);
  const named = readEntities(q, skipWords(q, at, new Set(['any', 'some', 'another']))).filter((entity) => entity.value.orders.length === 0 && entity.value.links.some((link) => tables.includes(link.table))).map((entity) => ({ at: entity.at, cost: entity.cost, value: entity.value.conditions }));
  const values = readValues(q, at).flatMap((value) => {
    const links = value.value.links.filter((link) => tables.includes(link.table));
    return links.length === 0 ? [] : [{ at: value.at, cost: value.cost, value: [{ kind: 'value' as const, links, negated: false, owner: null }] }];
  });
  return [...values, ...named];
}
