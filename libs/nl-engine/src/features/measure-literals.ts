import { wordAt } from '../grammar/reader.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment } from '../resolve/assignment.js';
import { isNumeric, isKey } from '../resolve/column-kinds.js';
import { listLeaves } from '../resolve/draft-references.js';
import type { Condition } from '../types.js';
import { wordSet } from '../words/word-set.js';
import { writtenDigits } from '../words/number-literal.js';

/** Returns features of unreliable literals. */
export function measureLiterals({ assignment }: Candidate, q: LinkedQuestion) {
  const { draft } = assignment;
  const leaves = draft.mentions.flatMap((mention) => mention.conditions.flatMap(listLeaves));
  const hasAny = draft.mentions.some((mention) =>
    mention.conditions.some((condition) => condition.kind === 'any'),
  );
  return {
    bareKeys: leaves.filter((condition) => comparesBareKey(condition, assignment, q)).length,
    keyNumbers: leaves.filter((condition) => isKeyNumber(condition, assignment, q)).length,
    numberTexts: leaves.filter((condition) => isNumberText(condition, assignment, q)).length,
    sharedOr: hasAny && q.tokens.some(({ lower }) => SHARING.has(lower)) ? 1 : 0,
  };
}

/** `shared by those of A or B` is ambiguous between values of both and values of either. */
const SHARING = wordSet('shared share common');

const ORDERS = wordSet('< <= > >=');
const KEY_WORDS = wordSet('id ids code codes number key identifier no #');
const AWAY = wordSet('for of');
/** The maximum distance in tokens between a number and the column name before it. */
const REACH = 6;

/**
 * Returns whether a number is compared with a key whose name
 * belongs to a target, as in `the ids of students over 20`.
 */
function comparesBareKey(condition: Condition, { columns }: Assignment, q: LinkedQuestion): boolean {
  if (
    !(condition.kind === 'compare' && ORDERS.has(condition.op) && condition.value.kind === 'number') &&
    condition.kind !== 'between'
  )
    return false;
  const bound = columns.get(condition.column);
  const value = condition.kind === 'between' ? condition.low : condition.value;
  if (bound === undefined || !isKey(bound.table, bound.column) || value.kind !== 'number') return false;
  const position = findNumber(q, value.value);
  return !q.tokens
    .slice(Math.max(0, position - REACH), position)
    .some(
      ({ lower }, index, list) =>
        KEY_WORDS.has(lower) && !list.slice(index).some((token) => AWAY.has(token.lower)),
    );
}

function findNumber(q: LinkedQuestion, value: number): number {
  return q.tokens.findIndex((token) => token.kind === 'number' && token.value === value);
}

const TIME_WORDS = wordSet('in during since after before over above below under');

/** Returns whether a year or amount is compared with a row number, as in `films in 1995`. */
function isKeyNumber(condition: Condition, { columns }: Assignment, q: LinkedQuestion): boolean {
  if (condition.kind !== 'compare' || condition.value.kind !== 'number') return false;
  const bound = columns.get(condition.column);
  return (
    bound !== undefined &&
    isKey(bound.table, bound.column) &&
    TIME_WORDS.has(wordAt(q, findNumber(q, condition.value.value) - 1))
  );
}

/**
 * Returns whether a number is compared with a text column that does not contain it.
 * `whose division is not 1` is an example when the values are like `Division 1`.
 */
function isNumberText(condition: Condition, { columns }: Assignment, q: LinkedQuestion): boolean {
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
