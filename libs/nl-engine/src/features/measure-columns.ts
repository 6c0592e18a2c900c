import type { Column } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment, Bound } from '../resolve/assignment.js';
import { isCalendar, isNumeric, isKey } from '../resolve/column-kinds.js';
import type { ColumnRef, Condition } from '../types.js';
import { isFunctionWord } from '../words/function-words.js';
import { toRoot } from '../words/inflect.js';
import { findStatedWords, type Words } from './measure-links.js';
import { wordSet } from '../words/word-set.js';

/**
 * Returns features of columns whose names only resemble the words of the question. They are not zero if the
 * schema has another name for the requested column, so that a column with a similar name was linked instead.
 */
export function measureColumns({ assignment }: Candidate, q: LinkedQuestion) {
  const refs = [...assignment.columns].filter(([ref]) => ref.isName !== true);
  return {
    keyCompares: assignment.draft.mentions
      .flatMap((mention) => mention.conditions)
      .filter((condition) => comparesKey(condition, assignment, q)).length,
    cutShort: refs.filter(([ref, bound]) => replacesRestOfName(ref, bound, findStatedWords(ref, bound, q), q))
      .length,
    otherKinds: refs.filter(([ref, bound]) =>
      namesTimeForOtherColumn(findStatedWords(ref, bound, q).stated, bound.column),
    ).length,
    altered: refs.filter(([ref, bound]) => hasChangedMeaning(ref, bound, q)).length,
  };
}

const INEQUALITIES = wordSet('< <= > >=');
/** Words with which a question names a key column. */
const KEY_WORDS = wordSet('id code number key identifier no #');

/**
 * Reports whether an inequality compares a key that the question does not name. For `teams with at least two
 * technicians`, a key would be compared if no table is called technicians.
 */
function comparesKey(condition: Condition, assignment: Assignment, q: LinkedQuestion): boolean {
  if (condition.kind === 'any' || condition.kind === 'all')
    return condition.parts.some((part) => comparesKey(part, assignment, q));
  if (
    !(condition.kind === 'compare' && INEQUALITIES.has(condition.op) && condition.value.kind === 'number') &&
    condition.kind !== 'between'
  )
    return false;
  const bound = assignment.columns.get(condition.column);
  if (bound === undefined || !isKey(bound.table, bound.column)) return false;
  const own = q.lexicon.columnWords.get(bound.column) ?? [];
  const statedWords = findStatedWords(condition.column, bound, q).stated;
  return own.some((word) => KEY_WORDS.has(word)) && !statedWords.some((word) => KEY_WORDS.has(word));
}

const GENERAL_WORDS = wordSet(
  'of the in for to on by at a is and with from no num number id code name value yn',
);
const PREPOSITIONS_OF_PLACE = wordSet('across along throughout around among');

/**
 * Reports whether only a part of a column's name matches, and an unknown word replaces the rest of it. For
 * `the birth place`, a birth date would be returned.
 */
function replacesRestOfName(
  { links }: ColumnRef,
  { column, table }: Bound,
  { stated: statedWords, to }: Words,
  q: LinkedQuestion,
): boolean {
  const next = q.tokens[to];
  // The question has no word for a column that an adjective implies, as in `the most expensive`.
  if (statedWords.length === 0) return false;
  if (
    next?.kind !== 'word' ||
    isFunctionWord(next.lower) ||
    PREPOSITIONS_OF_PLACE.has(next.lower) ||
    !links.some((link) => link.column === column && link.isPart === true)
  )
    return false;
  const rest = (q.lexicon.columnWords.get(column) ?? []).filter(
    (word) =>
      !statedWords.includes(word) &&
      !GENERAL_WORDS.has(word) &&
      q.lexicon.tableWords.get(table)?.includes(word) !== true,
  );
  const continuesName = rest.some((word) => word === next.lemma || toRoot(word) === toRoot(next.lower));
  return (
    rest.length > 0 &&
    !continuesName &&
    [q.tables, q.columns, q.values].every((spans) => (spans[to] ?? []).length === 0)
  );
}

const TIME_WORDS = wordSet('date day year time month birthday birthdate');

/**
 * Reports whether the question names a date or time, as in `the issue date`, but the column does not store
 * one.
 */
function namesTimeForOtherColumn(words: readonly string[], column: Column): boolean {
  return (
    TIME_WORDS.has(words.at(-1) ?? '') &&
    words.length > 1 &&
    !isCalendar(column) &&
    !isNumeric(column) &&
    !TIME_COLUMN.test(column.name)
  );
}

const TIME_COLUMN = /date|day|year|time|month|founded|opened|arriv|depart|start|end|from|until|born/i;

/** Words that change the meaning of the next noun. */
const MEANING_CHANGING_WORDS = wordSet(`
  vice deputy lieutenant assistant associate co sub alternate alternative secondary previous prior former
  next parent past old original estimated expected planned away short long inactive non
`);

/**
 * Reports whether the column's name contains a word that changes its meaning, and that the question does not
 * contain. An example is `vice_manager` for `the manager`.
 */
function hasChangedMeaning(ref: ColumnRef, bound: Bound, q: LinkedQuestion): boolean {
  const words = new Set(findStatedWords(ref, bound, q).stated);
  const sentence = new Set(q.tokens.map((token) => token.lemma));
  return (q.lexicon.columnWords.get(bound.column) ?? []).some(
    (word) =>
      MEANING_CHANGING_WORDS.has(word) &&
      !words.has(word) &&
      !sentence.has(word) &&
      !q.lexicon.tableWords.get(bound.table)?.includes(word),
  );
}
