import { wordAt } from '../grammar/reader.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment } from '../resolve/assignment.js';
import { isNumeric, isKey } from '../resolve/column-kinds.js';
import { listLeaves } from '../resolve/draft-references.js';
import type { Condition } from '../types.js';
import { wordSet } from '../words/word-set.js';
import { writtenDigits } from '../words/number-literal.js';

/** Returns features of literals that are compared with an improbable column. */
export function measureLiterals({ assignment }: Candidate, q: LinkedQuestion) {
  const { draft } = assignment;
  const leaves = draft.mentions.flatMap((mention) => mention.conditions.flatMap(listLeaves));
  const hasAny = draft.mentions.some((mention) =>
    mention.conditions.some((condition) => condition.kind === 'any'),
  );
  return {
    bareKeys: leaves.filter((condition) => comparesUnnamedKey(condition, assignment, q)).length,
    keyNumbers: leaves.filter((condition) => comparesKeyWithTime(condition, assignment, q)).length,
    numberTexts: leaves.filter((condition) => comparesUnknownNumber(condition, assignment, q)).length,
    sharedOr: hasAny && q.tokens.some(({ lower }) => SHARING_WORDS.has(lower)) ? 1 : 0,
  };
}

/**
 * Words that make OR ambiguous. `shared by those of A or B` may ask for values that both have, or that one of
 * them has.
 */
const SHARING_WORDS = wordSet('shared share common');

const INEQUALITIES = wordSet('< <= > >=');
const KEY_WORDS = wordSet('id ids code codes number key identifier no #');
const OWNER_PREPOSITIONS = wordSet('for of');
/** The maximum distance in tokens between a column's name and the number after it. */
const NAME_DISTANCE_MAX = 6;

/**
 * Reports whether an inequality compares a key although the words before the number do not name a key. In
 * `the ids of students over 20`, the ids are only what the question asks for.
 */
function comparesUnnamedKey(condition: Condition, { columns }: Assignment, q: LinkedQuestion): boolean {
  if (
    !(condition.kind === 'compare' && INEQUALITIES.has(condition.op) && condition.value.kind === 'number') &&
    condition.kind !== 'between'
  )
    return false;
  const bound = columns.get(condition.column);
  const value = condition.kind === 'between' ? condition.low : condition.value;
  if (bound === undefined || !isKey(bound.table, bound.column) || value.kind !== 'number') return false;
  const position = findNumber(q, value.value);
  return !q.tokens
    .slice(Math.max(0, position - NAME_DISTANCE_MAX), position)
    .some(
      ({ lower }, index, list) =>
        KEY_WORDS.has(lower) && !list.slice(index).some((token) => OWNER_PREPOSITIONS.has(token.lower)),
    );
}

function findNumber(q: LinkedQuestion, value: number): number {
  return q.tokens.findIndex((token) => token.kind === 'number' && token.value === value);
}

const TIME_WORDS = wordSet('in during since after before over above below under');

/**
 * Reports whether a number after a time word such as `in` is compared with a key, as may happen for `films in
 * 1995`.
 */
function comparesKeyWithTime(condition: Condition, { columns }: Assignment, q: LinkedQuestion): boolean {
  if (condition.kind !== 'compare' || condition.value.kind !== 'number') return false;
  const bound = columns.get(condition.column);
  return (
    bound !== undefined &&
    isKey(bound.table, bound.column) &&
    TIME_WORDS.has(wordAt(q, findNumber(q, condition.value.value) - 1))
  );
}

/**
 * Reports whether a number is compared with a text column that does not contain this number. An example is
 * `whose division is not 1` if the stored values are of the form `Division 1`.
 */
function comparesUnknownNumber(condition: Condition, { columns }: Assignment, q: LinkedQuestion): boolean {
  if (
    condition.kind !== 'compare' ||
    (condition.op !== '=' && condition.op !== '!=') ||
    condition.value.kind === 'period'
  )
    return false;
  const bound = columns.get(condition.column);
  const known = bound === undefined ? undefined : q.lexicon.valuesOf.get(bound.column);
  const text = condition.value.kind === 'number' ? writtenDigits(condition.value) : condition.value.text;
  return (
    bound !== undefined &&
    !isNumeric(bound.column) &&
    known !== undefined &&
    known.size > 0 &&
    /^\d+$/.test(text) &&
    !known.has(text)
  );
}
