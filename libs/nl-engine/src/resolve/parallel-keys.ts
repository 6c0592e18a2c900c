import type { Lexicon } from '../lexicon/build-lexicon.js';
import type { Edge } from './table-graph.js';

/** How a step between two tables stands to the other keys that join them: there is none, it or another is meant where nothing is said, or nobody knows. */
export type Parallel = 'only' | 'meant' | 'role' | 'open';

const known = new WeakMap<Edge, Parallel>();

/**
 * `prereq (course_id, prereq_id)`: a course has those prerequisites whose `course_id` it is; by `prereq_id`, which is called as the rows are, it is
 * one itself. Of a person's `friends (person_id, friend_id)` the same is true.
 */
export function findParallel(edge: Edge, lexicon: Lexicon): Parallel {
  const found = known.get(edge) ?? lookForParallel(edge, lexicon);
  known.set(edge, found);
  return found;
}

function lookForParallel(edge: Edge, lexicon: Lexicon): Parallel {
  const twins = (lexicon.graph.edges.get(edge.from) ?? []).filter((other) => other.to === edge.to && (other.isDeclared || !edge.isDeclared) && toKey(other) !== toKey(edge));
  if (twins.length === 0) return 'only';
  const isOwnRole = isRole(edge, lexicon);
  return isOwnRole === twins.some((twin) => isRole(twin, lexicon)) ? 'open' : isOwnRole ? 'role' : 'meant';
}

const toKey = ({ fromColumns, toColumns }: Edge): string => [...fromColumns, ...toColumns].join();
const EMPTY = new Set(['id', 'code', 'name', 'number', 'key']);

/** Is the key called as the rows that have it are? */
function isRole({ from, to, fromColumns, toColumns, isToOne }: Edge, { tableWords, columnWords }: Lexicon): boolean {
  const [holder, keys] = isToOne ? [from, fromColumns] : [to, toColumns];
  const own = tableWords.get(holder) ?? [];
  return holder.columns.some((column) => keys.includes(column.name) && (columnWords.get(column) ?? []).some((word) => !EMPTY.has(word) && own.includes(word)));
}
