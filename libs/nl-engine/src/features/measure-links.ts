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

/** Returns features of the distance between the columns of a statement and the words of the question. */
export function measureLinks({ assignment }: Candidate, q: LinkedQuestion) {
  const { draft, columns, tables } = assignment;
  const visible = new Set(
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
      ? draft.unmatched.filter((index) => isHead(q, index)).length
      : 0,
  };
  for (const [ref, bound] of columns) {
    const own = [
      ...(q.lexicon.columnWords.get(bound.column) ?? []),
      ...(q.lexicon.tableWords.get(bound.table) ?? []),
    ];
    const words = findWords(ref, bound, q).stated;
    const isUnavailable =
      isElsewhere(ref, bound) &&
      !isSame(tables[bound.mention], bound, q) &&
      !words.some((word) => q.lexicon.tableWords.get(bound.table)?.includes(word) === true)
        ? 1
        : 0;
    if (visible.has(ref)) {
      sums.joinedShown += isUnavailable;
    } else {
      sums.joinedUsed += ref.isChildColumn === true ? 0 : isUnavailable;
    }
    if (ref.isName !== true) continue;
    const owner = tables[ref.owner ?? 0];
    if (isQualified(ref, bound, q)) sums.partNames += 1;
    if (isKey(bound.table, bound.column) && !own.some((word) => NAMES.has(word))) sums.keyNames += 1;
    if (
      owner !== undefined &&
      isElsewhere(ref, bound) &&
      !(bound.path.length === 1 && isKindOf(owner, bound.table, q.lexicon)) &&
      findLabel(owner).every((column) => isKey(owner, column))
    )
      sums.otherNames += 1;
  }
  return sums;
}

const NAMES = wordSet('name title');
const PARTS = wordSet('full first last given common official display');

/**
 * Returns whether a name belongs to something else.
 * In `names of instructors`, an instructor may only have the name of a department.
 */
function isQualified({ links }: ColumnRef, { table, column }: Bound, { lexicon }: LinkedQuestion): boolean {
  const rest = (lexicon.columnWords.get(column) ?? []).filter(
    (word) => !NAMES.has(word) && !PARTS.has(word) && lexicon.tableWords.get(table)?.includes(word) !== true,
  );
  return rest.length > 0 && links.some((link) => link.column === column && link.isPart === true);
}

/** Returns whether the column belongs to other rows than those in the question. */
function isElsewhere({ owner }: ColumnRef, { mention, path, via }: Bound): boolean {
  return path.length > 0 || via !== null || (owner !== null && mention !== owner);
}

/**
 * Returns whether both tables describe the same rows, as in
 * `the height of the gymnast`, where people have the height.
 */
function isSame(
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
  /** The index after the last word. */
  readonly to: number;
}

/** Returns the question's words for a column. */
export function findWords(ref: ColumnRef, { column }: Bound, q: LinkedQuestion): Words {
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
 * Returns whether the unknown word is the requested thing. In `album labels`, the albums only own the labels.
 */
function isHead(q: LinkedQuestion, index: number): boolean {
  const token = q.tokens[index];
  return (
    token !== undefined &&
    token.lemma !== token.lower &&
    q.tables.some((spans) => spans.some((span) => span.to === index))
  );
}
