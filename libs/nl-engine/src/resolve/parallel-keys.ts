import type { Lexicon } from '../lexicon/lexicon.js';
import type { Edge } from './table-graph.js';
import { wordSet } from '../words/word-set.js';
import type { Table } from '@rowhouse/schema-model';

/** Names of tables that contain people in any role. */
const WORDS_FOR_PERSON = wordSet('person individual human');

/**
 * The kind of a foreign key among the foreign keys between the same two tables. `only`: there is no other.
 * `meant`: it is the default. `role`: its name expresses a role. `open`: the names do not determine which key
 * is meant.
 */
export type ParallelKeyKind = 'only' | 'meant' | 'role' | 'open';

const known = new WeakMap<Edge, ParallelKeyKind>();

/**
 * Classifies a foreign key among all foreign keys that connect the same two tables. In `prereq (course_id,
 * prereq_id)`, `course_id` is the default, because the rows belong to the course with this id. `prereq_id`
 * contains the name of the table and expresses a role: the course is a prerequisite. The keys of `friends
 * (person_id, friend_id)` differ in the same way.
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

/** Reports whether the name of the foreign key column contains a word from the name of its own table. */
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
 * Reports whether the rows of a table are a special kind of the rows to which they refer. Gymnasts are
 * people, and delivery addresses are addresses. Link tables are excluded.
 */
export function isKindOf(table: Table, other: Table, { tableWords }: Pick<Lexicon, 'tableWords'>): boolean {
  const [own, others] = [tableWords.get(table) ?? [], tableWords.get(other) ?? []];
  const isHead =
    table.foreignKeys.length === 1 &&
    others.length < own.length &&
    others.every((word, index) => own[own.length - others.length + index] === word);
  return isHead || WORDS_FOR_PERSON.has(others.at(-1) ?? '');
}
