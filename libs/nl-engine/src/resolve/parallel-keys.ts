import type { Lexicon } from '../lexicon/lexicon.js';
import type { Edge } from './table-graph.js';
import { wordSet } from '../words/word-set.js';
import type { Table } from '@rowhouse/schema-model';

/** Names of tables for people of any role. */
const WORDS_FOR_PERSON = wordSet('person individual human');

/**
 * How a foreign key differs from other keys between the same tables: `only` when there are no others, `meant`
 * for the default key, `role` for a key that marks a role, and `open` when the names do not tell.
 */
export type ParallelKeyKind = 'only' | 'meant' | 'role' | 'open';

const known = new WeakMap<Edge, ParallelKeyKind>();

/**
 * Classifies a foreign key among all keys that connect the same two tables. In
 * `prereq (course_id, prereq_id)`, `course_id` is the default: a course has the rows with its id there.
 * `prereq_id` has the name of the table and marks a role: the course is a prerequisite. The keys of
 * `friends (person_id, friend_id)` differ in the same way.
 */
export function classifyParallelKey(edge: Edge, lexicon: Lexicon): ParallelKeyKind {
  const found = known.get(edge) ?? findParallelKeys(edge, lexicon);
  known.set(edge, found);
  return found;
}

function findParallelKeys(edge: Edge, lexicon: Lexicon): ParallelKeyKind {
  const duplicates = (lexicon.graph.edges.get(edge.from) ?? []).filter(
    (other) => other.to === edge.to && (other.isDeclared || !edge.isDeclared) && toKey(other) !== toKey(edge),
  );
  if (duplicates.length === 0) return 'only';
  const isOwnHolder = namesHolder(edge, lexicon);
  return isOwnHolder === duplicates.some((duplicate) => namesHolder(duplicate, lexicon))
    ? 'open'
    : isOwnHolder
      ? 'role'
      : 'meant';
}

const toKey = ({ fromColumns, toColumns }: Edge): string => [...fromColumns, ...toColumns].join();
const GENERAL_WORDS = wordSet('id code name number key');

/** Returns whether the key column contains a word of the name of its own table. */
function namesHolder(
  { from, to, fromColumns, toColumns, isToOne }: Edge,
  { tableWords, columnWords }: Lexicon,
): boolean {
  const [holder, keys] = isToOne ? [from, fromColumns] : [to, toColumns];
  const own = tableWords.get(holder) ?? [];
  return holder.columns.some(
    (column) =>
      keys.includes(column.name) &&
      (columnWords.get(column) ?? []).some((word) => !GENERAL_WORDS.has(word) && own.includes(word)),
  );
}

/**
 * Returns whether the rows of a table specialize rows of another table that they reference. Gymnasts are
 * people,
 * and delivery addresses are addresses. Junction tables do not qualify.
 */
export function isKindOf(table: Table, other: Table, { tableWords }: Pick<Lexicon, 'tableWords'>): boolean {
  const [own, others] = [tableWords.get(table) ?? [], tableWords.get(other) ?? []];
  const isHead =
    table.foreignKeys.length === 1 &&
    others.length < own.length &&
    others.every((word, index) => own[own.length - others.length + index] === word);
  return isHead || WORDS_FOR_PERSON.has(others.at(-1) ?? '');
}
