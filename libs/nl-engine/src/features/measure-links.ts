import type { Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Bound } from '../resolve/assignment.js';
import { findLabel } from '../resolve/find-label.js';
import { isKey } from '../resolve/column-kinds.js';
import { isKindOf } from '../resolve/parallel-keys.js';
import type { ColumnRef } from '../types.js';
import { isFunctionWord } from '../words/function-words.js';
import { wordSet } from '../words/word-set.js';

/** Returns features of columns that the question names only in part, or only for other rows. */
export function measureLinks({ assignment }: Candidate, q: LinkedQuestion) {
  const { draft, columns, tables } = assignment;
  const targetRefs = new Set(
    draft.targets.flatMap((target) => (target.kind === 'column' ? [target.column] : [])),
  );
  const sums = {
    joinedShown: 0,
    joinedUsed: 0,
    keyNames: 0,
    otherNames: 0,
    partNames: 0,
    unmatchedHeads: draft.targets.some(
      (target) => target.kind === 'rows' || (target.kind === 'count' && target.distinct),
    )
      ? draft.unmatched.filter((index) => isRequestedNoun(q, index)).length
      : 0,
  };
  for (const [ref, bound] of columns) {
    const own = [
      ...(q.lexicon.columnWords.get(bound.column) ?? []),
      ...(q.lexicon.tableWords.get(bound.table) ?? []),
    ];
    const words = findStatedWords(ref, bound, q).stated;
    const fromOtherRows =
      isInOtherRows(ref, bound) &&
      !describesSameRows(tables[bound.mention], bound, q) &&
      !words.some((word) => q.lexicon.tableWords.get(bound.table)?.includes(word) === true)
        ? 1
        : 0;
    if (targetRefs.has(ref)) {
      sums.joinedShown += fromOtherRows;
    } else {
      sums.joinedUsed += ref.isChildColumn === true ? 0 : fromOtherRows;
    }
    if (ref.isName !== true) continue;
    const owner = tables[ref.owner ?? 0];
    if (isNameOfOtherThing(ref, bound, q)) sums.partNames += 1;
    if (isKey(bound.table, bound.column) && !own.some((word) => NAME_WORDS.has(word))) sums.keyNames += 1;
    if (
      owner !== undefined &&
      isInOtherRows(ref, bound) &&
      !(bound.path.length === 1 && isKindOf(owner, bound.table, q.lexicon)) &&
      findLabel(owner).every((column) => isKey(owner, column))
    )
      sums.otherNames += 1;
  }
  return sums;
}

const NAME_WORDS = wordSet('name title');
const NAME_QUALIFIERS = wordSet('full first last given common official display');

/**
 * Reports whether a name column contains the name of something other than its row. For `names of
 * instructors`, the table of instructors may have only a `dept_name`.
 */
function isNameOfOtherThing(
  { links }: ColumnRef,
  { table, column }: Bound,
  { lexicon }: LinkedQuestion,
): boolean {
  const rest = (lexicon.columnWords.get(column) ?? []).filter(
    (word) =>
      !NAME_WORDS.has(word) &&
      !NAME_QUALIFIERS.has(word) &&
      lexicon.tableWords.get(table)?.includes(word) !== true,
  );
  return rest.length > 0 && links.some((link) => link.column === column && link.isPart === true);
}

/** Reports whether the column belongs to other rows than those whose column the question names. */
function isInOtherRows({ owner }: ColumnRef, { mention, path, via }: Bound): boolean {
  return path.length > 0 || via !== null || (owner !== null && mention !== owner);
}

/**
 * Reports whether a joined table describes the same thing as the table of the mention. In `the height of the
 * gymnast`, these are people and gymnasts.
 */
function describesSameRows(
  table: Table | undefined,
  { path, table: other }: Bound,
  { lexicon }: LinkedQuestion,
): boolean {
  return (
    table !== undefined &&
    path.length === 1 &&
    path.every((edge) => edge.isToOne) &&
    isKindOf(table, other, lexicon)
  );
}

export interface Words {
  readonly stated: readonly string[];
  /** The index of the token after the last word. */
  readonly to: number;
}

/** Returns the words with which the question names a column. */
export function findStatedWords(ref: ColumnRef, { column }: Bound, q: LinkedQuestion): Words {
  const spans = q.columns[ref.position] ?? [];
  const span =
    spans.find(({ links }) => links === ref.links) ??
    spans.find(({ links }) => links.some((link) => ref.links.includes(link))) ??
    spans.find(({ links }) => links.some((link) => link.column === column));
  const statedWords = q.tokens
    .slice(span?.from, span?.to ?? 0)
    .flatMap((token) => (token.kind === 'word' && !isFunctionWord(token.lower) ? [token.lemma] : []));
  return { stated: statedWords, to: span?.to ?? ref.position + 1 };
}

/**
 * Reports whether an unknown plural after a table is the noun that the question asks for, such as `labels` in
 * `album labels`.
 */
function isRequestedNoun(q: LinkedQuestion, index: number): boolean {
  const token = q.tokens[index];
  return (
    token !== undefined &&
    token.lemma !== token.lower &&
    q.tables.some((spans) => spans.some((span) => span.to === index))
  );
}
