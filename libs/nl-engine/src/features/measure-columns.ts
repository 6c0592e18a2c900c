import type { Column } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment, Bound } from '../resolve/assignment.js';
import { isCalendar, isNumeric, isKey } from '../resolve/column-kinds.js';
import type { ColumnRef, Condition } from '../types.js';
import { isFunctionWord } from '../words/function-words.js';
import { toRoot } from '../words/inflect.js';
import { findWords, type Words } from './measure-links.js';
import { wordSet } from '../words/word-set.js';

/**
 * Returns features of columns that only resemble the requested ones.
 * They occur when the schema has another name for the requested column, and a similar name matches instead.
 */
export function measureColumns({ assignment }: Candidate, q: LinkedQuestion) {
  const refs = [...assignment.columns].filter(([ref]) => ref.isName !== true);
  return {
    keyCompares: assignment.draft.mentions
      .flatMap((mention) => mention.conditions)
      .filter((condition) => comparesKey(condition, assignment, q)).length,
    cutShort: refs.filter(([ref, bound]) => isCutShort(ref, bound, findWords(ref, bound, q), q)).length,
    otherKinds: refs.filter(([ref, bound]) => isOtherKind(findWords(ref, bound, q).stated, bound.column))
      .length,
    altered: refs.filter(([ref, bound]) => isAltered(ref, bound, q)).length,
  };
}

const ORDERS = wordSet('< <= > >=');
/** Words for key columns. */
const KEY_WORDS = wordSet('id code number key identifier no #');

/**
 * Returns whether a key is compared with a number of rows.
 * `teams with at least two technicians` compares a key when no table is called technicians.
 */
function comparesKey(condition: Condition, assignment: Assignment, q: LinkedQuestion): boolean {
  if (condition.kind === 'any' || condition.kind === 'all')
    return condition.parts.some((part) => comparesKey(part, assignment, q));
  if (
    !(condition.kind === 'compare' && ORDERS.has(condition.op) && condition.value.kind === 'number') &&
    condition.kind !== 'between'
  )
    return false;
  const bound = assignment.columns.get(condition.column);
  if (bound === undefined || !isKey(bound.table, bound.column)) return false;
  const own = q.lexicon.columnWords.get(bound.column) ?? [];
  const statedWords = findWords(condition.column, bound, q).stated;
  return own.some((word) => KEY_WORDS.has(word)) && !statedWords.some((word) => KEY_WORDS.has(word));
}

const EMPTY = wordSet('of the in for to on by at a is and with from no num number id code name value yn');
const AROUND = wordSet('across along throughout around among');

/**
 * Returns whether only a part of the name matches, and an unknown word replaces the rest.
 * An example is a birth date for `the birth place`.
 */
function isCutShort(
  { links }: ColumnRef,
  { column, table }: Bound,
  { stated: statedWords, to }: Words,
  q: LinkedQuestion,
): boolean {
  const next = q.tokens[to];
  // The column of an adjective such as `the most expensive` is not named in the question.
  if (statedWords.length === 0) return false;
  if (
    next?.kind !== 'word' ||
    isFunctionWord(next.lower) ||
    AROUND.has(next.lower) ||
    !links.some((link) => link.column === column && link.isPart === true)
  )
    return false;
  const rest = (q.lexicon.columnWords.get(column) ?? []).filter(
    (word) =>
      !statedWords.includes(word) &&
      !EMPTY.has(word) &&
      q.lexicon.tableWords.get(table)?.includes(word) !== true,
  );
  const isRest = rest.some((word) => word === next.lemma || toRoot(word) === toRoot(next.lower));
  return (
    rest.length > 0 &&
    !isRest &&
    [q.tables, q.columns, q.values].every((spans) => (spans[to] ?? []).length === 0)
  );
}

const TIMES = wordSet('date day year time month birthday birthdate');

/** Returns whether the question names a date, as in `the issue date`, and the column does not hold one. */
function isOtherKind(words: readonly string[], column: Column): boolean {
  return (
    TIMES.has(words.at(-1) ?? '') &&
    words.length > 1 &&
    !isCalendar(column) &&
    !isNumeric(column) &&
    !TIMES_NAMED.test(column.name)
  );
}

const TIMES_NAMED = /date|day|year|time|month|founded|opened|arriv|depart|start|end|from|until|born/i;

/** Words that change the meaning of the noun after them. */
const ALTERING = wordSet(`
  vice deputy lieutenant assistant associate co sub alternate alternative secondary previous prior former
  next parent past old original estimated expected planned away short long inactive non
`);

/**
 * Returns whether the column name has a word that changes
 * its meaning, such as a vice manager for `the manager`.
 */
function isAltered(ref: ColumnRef, bound: Bound, q: LinkedQuestion): boolean {
  const words = new Set(findWords(ref, bound, q).stated);
  const sentence = new Set(q.tokens.map((token) => token.lemma));
  return (q.lexicon.columnWords.get(bound.column) ?? []).some(
    (word) =>
      ALTERING.has(word) &&
      !words.has(word) &&
      !sentence.has(word) &&
      !q.lexicon.tableWords.get(bound.table)?.includes(word),
  );
}
