import type { LinkedQuestion } from '../link/linked-question.js';
import { skipBack, wordAt } from '../grammar/reader.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment, Bound } from '../resolve/assignment.js';
import { findLabel } from '../resolve/find-label.js';
import { isNumeric, isKey } from '../resolve/column-kinds.js';
import { isKindOf } from '../resolve/parallel-keys.js';
import { findSplit } from '../sql/split-contradiction.js';
import type { ColumnRef, Condition } from '../types.js';
import { isVerb } from '../words/verbs.js';
import { hasStoredCount } from './measure-target-misreadings.js';
import { findStatedWords } from './measure-links.js';
import { wordSet } from '../words/word-set.js';

/**
 * Returns features of statements about numbers. They may aggregate a column of another table, confuse a named
 * row with the requested one, or ignore that several rows have the same returned values.
 */
export function measureNumberMisreadings({ assignment }: Candidate, q: LinkedQuestion) {
  const { draft, columns, tables } = assignment;
  const plain = draft.targets.flatMap((target) =>
    target.kind === 'column' && target.fn === null ? [target.column] : [],
  );
  return {
    relatedSums: plain.length + draft.groups.length > 0 ? 0 : countJoinedAggregates(assignment, q),
    selfNamed: (draft.mentions[0]?.conditions ?? []).filter((condition) =>
      isNamedAfterVerb(condition, assignment, q),
    ).length,
    heldQuantities: draft.mentions.filter(
      (mention, index) =>
        mention.quantity !== null && index > 0 && parentStoresCount(tables[index], tables[mention.parent], q),
    ).length,
    bothAttributes: mayShareValues(assignment, plain) ? 1 : 0,
    perPlain:
      plain.length < draft.targets.length
        ? 0
        : plain.filter((ref) => isNumberBeforePer(ref, columns.get(ref), q)).length,
    numbersOf: plain.filter((ref) => returnsNumberOfRow(ref, columns.get(ref), q)).length,
  };
}

/**
 * Counts aggregates of a column in a joined table. If tracks have no price, `the average price of tracks`
 * would use the price of invoice lines.
 */
function countJoinedAggregates({ draft, columns, tables }: Assignment, { lexicon }: LinkedQuestion): number {
  return draft.targets.filter((target) => {
    const bound =
      target.kind === 'column' && target.fn !== null && target.fn !== 'count'
        ? columns.get(target.column)
        : undefined;
    const table = bound === undefined ? undefined : tables[bound.mention];
    return (
      bound !== undefined &&
      table !== undefined &&
      bound.path.length > 0 &&
      !(bound.path.length === 1 && isKindOf(table, bound.table, lexicon))
    );
  }).length;
}

const PREPOSITIONS = wordSet('to by with under for the from of in on');
const RELATIVE_PRONOUNS = wordSet('who that which whom');
const NAMING_VERBS = wordSet('named called titled entitled known name spelled');

/**
 * Reports whether a name after a verb is a condition on the requested rows themselves. `employees who report
 * to Ada` does not ask for Ada.
 */
function isNamedAfterVerb(condition: Condition, { values, tables }: Assignment, q: LinkedQuestion): boolean {
  const bound = condition.kind === 'value' && !condition.negated ? values.get(condition) : undefined;
  if (
    condition.kind !== 'value' ||
    bound === undefined ||
    bound.mention !== 0 ||
    bound.path.length > 0 ||
    bound.table !== tables[0] ||
    !findLabel(bound.table).includes(bound.column)
  )
    return false;
  const index = q.values.findIndex((spans) => spans.some(({ links }) => links === condition.links));
  const verb = skipBack(q, index - 1, PREPOSITIONS);
  return (
    index > 1 &&
    isVerb(wordAt(q, verb)) &&
    !NAMING_VERBS.has(wordAt(q, verb)) &&
    RELATIVE_PRONOUNS.has(wordAt(q, verb - 1))
  );
}

/** Reports whether the parent row has a column that stores the count, as in `customers with 0 loans`. */
function parentStoresCount(
  counted: Assignment['tables'][number] | undefined,
  parent: Assignment['tables'][number] | undefined,
  q: LinkedQuestion,
): boolean {
  return counted !== undefined && parent !== undefined && hasStoredCount(counted, [parent], q);
}

/**
 * Reports whether `both` may apply to rows or to returned values that several rows have in common. `the
 * themes of exhibitions with both …` may ask for exhibitions with both, or for themes of two different
 * exhibitions.
 */
function mayShareValues(assignment: Assignment, plain: readonly ColumnRef[]): boolean {
  const { draft, columns } = assignment;
  const isAttribute = (bound: Bound | undefined): boolean =>
    bound?.mention === 0 &&
    bound.path.length === 0 &&
    !isKey(bound.table, bound.column) &&
    !findLabel(bound.table).includes(bound.column);
  const isBoth = draft.mentions.some(
    (mention, index) =>
      index > 0 &&
      mention.parent === 0 &&
      mention.quantity === null &&
      !mention.negated &&
      findSplit(assignment, index) !== null,
  );
  return (
    isBoth &&
    !draft.distinct &&
    plain.length === draft.targets.length &&
    plain.every((ref) => isAttribute(columns.get(ref)))
  );
}

/**
 * Reports whether a number column before `per` is returned for each row instead of being aggregated, as in
 * `maintenance cost per vehicle`.
 */
function isNumberBeforePer(ref: ColumnRef, bound: Bound | undefined, q: LinkedQuestion): boolean {
  return (
    bound !== undefined && isNumeric(bound.column) && wordAt(q, findStatedWords(ref, bound, q).to) === 'per'
  );
}

/**
 * The last words in names of columns that contain a number of the thing named before, such as `stock_number`.
 */
const NUMBER_NOUNS = wordSet('number id code key percent percentage rate count total');

/**
 * Reports whether the statement returns a number column for words that do not ask for a number. An example is
 * `product_number` for `name the products`.
 */
function returnsNumberOfRow({ links }: ColumnRef, bound: Bound | undefined, q: LinkedQuestion): boolean {
  const last = bound === undefined ? '' : (q.lexicon.columnWords.get(bound.column)?.at(-1) ?? '');
  return (
    bound !== undefined &&
    NUMBER_NOUNS.has(last) &&
    links.some((link) => link.column === bound.column && link.isPart === true) &&
    !q.tokens.some(({ lemma }) => lemma === last)
  );
}
