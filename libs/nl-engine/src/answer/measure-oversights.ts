import type { LinkedQuestion } from '../link/link-question.js';
import { skipBack, wordAt } from '../grammar/reader.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment, Bound } from '../resolve/assign.js';
import { findLabel } from '../resolve/find-label.js';
import { isNumeric } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import { isKindOf } from '../resolve/is-kind-of.js';
import { findSplit } from '../sql/split-contradiction.js';
import type { ColumnRef, Condition } from '../types.js';
import { isVerb } from '../words/verbs.js';
import { isHeldNumber } from './measure-doubts.js';
import { findWords } from './measure-links.js';

/** What gives away that a statement overlooks something: that a number stands elsewhere, that a row is another one, that several rows share what is shown. */
export function measureOversights({ assignment }: Candidate, q: LinkedQuestion): Readonly<Record<string, number>> {
  const { draft, columns, tables } = assignment;
  const plain = draft.targets.flatMap((target) => (target.kind === 'column' && target.fn === null ? [target.column] : []));
  return {
    farSums: plain.length + draft.groups.length > 0 ? 0 : countFarSums(assignment, q),
    selfNamed: (draft.mentions[0]?.conditions ?? []).filter((condition) => isNamedByDeed(condition, assignment, q)).length,
    heldQuantities: draft.mentions.filter((mention, at) => mention.quantity !== null && at > 0 && isHeldOf(tables[at], tables[mention.parent], q)).length,
    bothAttributes: sharesAttributes(assignment, plain) ? 1 : 0,
    perPlain: plain.length < draft.targets.length ? 0 : plain.filter((ref) => isPerSomething(ref, columns.get(ref), q)).length,
    numbersOf: plain.filter((ref) => isNumberOfNamed(ref, columns.get(ref), q)).length,
  };
}

/** `the average price of tracks`, and only the lines of invoices have a price, or the albums: other rows' numbers, though nothing is told apart by the tracks. */
function countFarSums({ draft, columns, tables }: Assignment, { lexicon }: LinkedQuestion): number {
  return draft.targets.filter((target) => {
    const bound = target.kind === 'column' && target.fn !== null && target.fn !== 'count' ? columns.get(target.column) : undefined;
    const table = bound === undefined ? undefined : tables[bound.mention];
    return bound !== undefined && table !== undefined && bound.path.length > 0 && !(bound.path.length === 1 && isKindOf(table, bound.table, lexicon));
  }).length;
}

const TYING = new Set(['to', 'by', 'with', 'under', 'for', 'the', 'from', 'of', 'in', 'on']);
const ASKING = new Set(['who', 'that', 'which', 'whom']);
const NAMING = new Set(['named', 'called', 'titled', 'entitled', 'known', 'name', 'spelled']);

/** `employees who report to Ada`, and it is Ada who is shown: who is named behind a verb is somebody else. */
function isNamedByDeed(condition: Condition, { values, tables }: Assignment, q: LinkedQuestion): boolean {
  const bound = condition.kind === 'value' && !condition.negated ? values.get(condition) : undefined;
  if (condition.kind !== 'value' || bound === undefined || bound.mention !== 0 || bound.path.length > 0 || bound.table !== tables[0] || !findLabel(bound.table).includes(bound.column)) return false;
  const at = q.values.findIndex((spans) => spans.some(({ links }) => links === condition.links));
  const verb = skipBack(q, at - 1, TYING);
  return at > 1 && isVerb(wordAt(q, verb)) && !NAMING.has(wordAt(q, verb)) && ASKING.has(wordAt(q, verb - 1));
}

/** `customers with 0 loans`, where customers have a number of loans of their own: that one may be meant. */
function isHeldOf(counted: Assignment['tables'][number] | undefined, parent: Assignment['tables'][number] | undefined, q: LinkedQuestion): boolean {
  return counted !== undefined && parent !== undefined && isHeldNumber(counted, [parent], q);
}

/** `the themes of exhibitions with both …`: of exhibitions that have both, or themes that two of them have; nobody knows where the rows are not told apart by what is shown. */
function sharesAttributes(assignment: Assignment, plain: readonly ColumnRef[]): boolean {
  const { draft, columns } = assignment;
  const isAttribute = (bound: Bound | undefined): boolean => bound?.mention === 0 && bound.path.length === 0 && !isKey(bound.table, bound.column) && !findLabel(bound.table).includes(bound.column);
  const isBoth = draft.mentions.some((mention, at) => at > 0 && mention.parent === 0 && mention.quantity === null && !mention.negated && findSplit(assignment, at) !== null);
  return isBoth && !draft.distinct && plain.length === draft.targets.length && plain.every((ref) => isAttribute(columns.get(ref)));
}

/** `maintenance cost per vehicle`, and the cost is shown of each record: nobody said whose. */
function isPerSomething(ref: ColumnRef, bound: Bound | undefined, q: LinkedQuestion): boolean {
  return bound !== undefined && isNumeric(bound.column) && wordAt(q, findWords(ref, bound, q).to) === 'per';
}

/** What the name of a column ends with that holds a number about what the words in front of it say. */
const NUMBERS = new Set(['number', 'id', 'code', 'key', 'percent', 'percentage', 'rate', 'count', 'total']);

/** `name the products`, and the stock number of the products is shown. */
function isNumberOfNamed({ links }: ColumnRef, bound: Bound | undefined, q: LinkedQuestion): boolean {
  const last = bound === undefined ? '' : q.lexicon.columnWords.get(bound.column)?.at(-1) ?? '';
  return bound !== undefined && NUMBERS.has(last) && links.some((link) => link.column === bound.column && link.isPart === true) && !q.tokens.some(({ lemma }) => lemma === last);
}
