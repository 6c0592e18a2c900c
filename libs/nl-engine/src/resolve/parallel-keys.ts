import type { Lexicon } from '../lexicon/lexicon.js';
import type { Edge } from './table-graph.js';
import { wordSet } from '../words/word-set.js';
import type { Table } from '@rowhouse/schema-model';

/** Names of tables whose rows can have any role. */
const ANYONE = wordSet('person individual human');

/**
 * Whether other keys connect the same tables: `only` without others, `meant`
 * for the default, `role` for the other one, `open` when it is ambiguous.
 */
export type Parallel = 'only' | 'meant' | 'role' | 'open';

const known = new WeakMap<Edge, Parallel>();

/**
 * Compares a key with others between the same tables. In `prereq (course_id, prereq_id)`, a course has the
 * prerequisites with its id in `course_id`. `prereq_id` is named like the table, and says that a course is a
 * prerequisite. The keys of `friends (person_id, friend_id)` differ in the same way.
 */
export function findParallel(edge: Edge, lexicon: Lexicon): Parallel {
  const found = known.get(edge) ?? findParallelKeys(edge, lexicon);
  known.set(edge, found);
  return found;
}

function findParallelKeys(edge: Edge, lexicon: Lexicon): Parallel {
  const duplicates = (lexicon.graph.edges.get(edge.from) ?? []).filter(
    (other) => other.to === edge.to && (other.isDeclared || !edge.isDeclared) && toKey(other) !== toKey(edge),
  );
  if (duplicates.length === 0) return 'only';
  const isOwnRole = isRole(edge, lexicon);
  return isOwnRole === duplicates.some((duplicate) => isRole(duplicate, lexicon))
    ? 'open'
    : isOwnRole
      ? 'role'
      : 'meant';
}

const toKey = ({ fromColumns, toColumns }: Edge): string => [...fromColumns, ...toColumns].join();
const EMPTY = wordSet('id code name number key');

/** Returns whether the key is named like the table that contains it. */
function isRole(
  { from, to, fromColumns, toColumns, isToOne }: Edge,
  { tableWords, columnWords }: Lexicon,
): boolean {
  const [holder, keys] = isToOne ? [from, fromColumns] : [to, toColumns];
  const own = tableWords.get(holder) ?? [];
  return holder.columns.some(
    (column) =>
      keys.includes(column.name) &&
      (columnWords.get(column) ?? []).some((word) => !EMPTY.has(word) && own.includes(word)),
  );
}

/**
 * Returns whether each row of a table is also a row of another table that it references, such as gymnasts and
 * people, or delivery addresses and addresses. Junction tables do not qualify.
 */
export function isKindOf(table: Table, other: Table, { tableWords }: Pick<Lexicon, 'tableWords'>): boolean {
  const [own, others] = [tableWords.get(table) ?? [], tableWords.get(other) ?? []];
  const isHead =
    table.foreignKeys.length === 1 &&
    others.length < own.length &&
    others.every((word, index) => own[own.length - others.length + index] === word);
  return isHead || ANYONE.has(others.at(-1) ?? '');
}
