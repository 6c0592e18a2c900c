import type { Column, Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment, Bound } from '../resolve/assignment.js';
import { listLeaves } from '../resolve/draft-references.js';
import { classifyParallelKey } from '../resolve/parallel-keys.js';
import type { Edge } from '../resolve/table-graph.js';
import type { ColumnRef, Condition } from '../types.js';
import { toRoot } from '../words/inflect.js';
import { wordSet } from '../words/word-set.js';

/**
 * Returns features of the conditions and join paths of a statement. They are not zero if the conditions or
 * paths may have another meaning.
 */
export function measureConditions({ assignment }: Candidate, q: LinkedQuestion) {
  const { draft, tables } = assignment;
  const all = draft.mentions.flatMap((mention) => mention.conditions.flatMap(listLeaves));
  const times = all.flatMap((condition) => findUnnamedTime(condition, assignment, q) ?? []);
  const saysOr = q.tokens.some(({ lower }) => lower === 'or' || lower === 'either');
  const isSummed = draft.targets.some(
    (target) =>
      target.kind === 'count' || target.kind === 'size' || (target.kind === 'column' && target.fn !== null),
  );
  const hasAny = draft.mentions.some((mention) =>
    mention.conditions.some((condition) => condition.kind === 'any'),
  );
  return {
    textCompares: all.filter((condition) => comparesTextByOrder(condition, assignment, q)).length,
    mixedAny: draft.mentions.filter((mention) => combinesAlternatives(mention.conditions, assignment)).length,
    mixedOr: draft.mentions.filter(
      (mention, index) =>
        mention.isAlternative &&
        (draft.mentions[mention.parent]?.conditions.length ?? 0) +
          draft.mentions.filter((other, position) => other.parent === mention.parent && position !== index)
            .length >
          1,
    ).length,
    unsaidAny: hasAny && !saysOr ? 1 : 0,
    summedAny: hasAny && !saysOr && isSummed ? 1 : 0,
    relatedTimes: times.filter(
      (bound) => (bound.path.length > 0 || bound.via !== null) && hasTimeColumn(tables[0], q),
    ).length,
    ways: listEdges(assignment).length,
    parallel: countAmbiguousKeys(assignment, q),
    selfJoins: listEdges(assignment).filter((edge) => edge.from === edge.to).length,
    keyChoices: all.filter((condition) => hasValueInOtherKey(condition, assignment)).length,
  };
}

function findColumn(condition: Condition, { columns, values }: Assignment): Bound | undefined {
  if (condition.kind === 'value') return values.get(condition.of ?? condition);
  return condition.kind === 'any' || condition.kind === 'all' || condition.kind === 'topCount'
    ? undefined
    : columns.get(condition.column);
}

/**
 * Reports whether an inequality compares a text column with a number, although some stored values of the
 * column are not numbers.
 */
function comparesTextByOrder(
  condition: Condition,
  assignment: Assignment,
  { lexicon }: LinkedQuestion,
): boolean {
  const isOrder =
    (condition.kind === 'compare' &&
      condition.op !== '=' &&
      condition.op !== '!=' &&
      condition.value.kind === 'number') ||
    (condition.kind === 'between' && condition.low.kind === 'number') ||
    condition.kind === 'toAggregate';
  const column = findColumn(condition, assignment)?.column;
  return (
    isOrder &&
    column !== undefined &&
    (column.valueKind === 'string' || column.valueKind === 'enum') &&
    !hasOnlyNumbers(lexicon.valuesOf.get(column))
  );
}

/**
 * Reports whether all stored values are numbers. Values in the index have no punctuation, such as `4 5` for
 * `4.5`.
 */
function hasOnlyNumbers(values: ReadonlySet<string> | undefined): boolean {
  return values !== undefined && [...values].every((value) => /^[\d ]+$/.test(value));
}

/**
 * Reports whether OR joins conditions on two columns, and AND joins another condition on one of them. It is
 * then ambiguous which conditions belong together, as in `in A, B or in C, D`.
 */
function combinesAlternatives(conditions: readonly Condition[], assignment: Assignment): boolean {
  const columnsOf = (condition: Condition): readonly Column[] =>
    listLeaves(condition).flatMap((leaf) => findColumn(leaf, assignment)?.column ?? []);
  return conditions.some((condition) => {
    if (condition.kind !== 'any') return false;
    const ownColumns = new Set(columnsOf(condition));
    return (
      ownColumns.size > 1 &&
      conditions.some(
        (other) => other !== condition && columnsOf(other).some((column) => ownColumns.has(column)),
      )
    );
  });
}

/**
 * Returns the date column of a condition if the question does not name this column. Returns null otherwise.
 */
function findUnnamedTime(condition: Condition, assignment: Assignment, q: LinkedQuestion): Bound | null {
  if (condition.kind !== 'compare' && condition.kind !== 'between') return null;
  const bound = assignment.columns.get(condition.column);
  return bound !== undefined &&
    isUnnamed(condition.column, bound, q) &&
    q.lexicon.dateColumns.some((link) => link.column === bound.column)
    ? bound
    : null;
}

function isUnnamed(ref: ColumnRef, { column }: Bound, q: LinkedQuestion): boolean {
  return q.lexicon.columnWords.get(column)?.includes(q.tokens[ref.position]?.lemma ?? '') !== true;
}

/** Reports whether the table has a column with a date or year, of any type. */
function hasTimeColumn(table: Table | undefined, q: LinkedQuestion): boolean {
  return (
    table !== undefined &&
    (q.lexicon.dateColumns.some((link) => link.table === table) ||
      table.columns.some((column) => TIME_WORDS.has(q.lexicon.columnWords.get(column)?.at(-1) ?? '')))
  );
}

const TIME_WORDS = wordSet('date year day time opened founded established built');

function listEdges({ paths, columns, values }: Assignment): readonly Edge[] {
  return [...paths.flat(), ...[...columns.values(), ...values.values()].flatMap((bound) => bound.path)];
}

/**
 * Counts joins between tables that are connected by several foreign keys, if no word of the question selects
 * one of them.
 */
function countAmbiguousKeys(
  { draft, paths, columns, values }: Assignment,
  { lexicon }: LinkedQuestion,
): number {
  const isOpen = (edge: Edge): boolean => ['open', 'role'].includes(classifyParallelKey(edge, lexicon));
  const isNamed = (edge: Edge, ties: readonly string[]): boolean => {
    const roots = new Set(ties.map(toRoot));
    const keys = [
      ...edge.from.columns.filter((column) => edge.fromColumns.includes(column.name)),
      ...edge.to.columns.filter((column) => edge.toColumns.includes(column.name)),
    ];
    return keys.some((column) =>
      (lexicon.columnWords.get(column) ?? []).some((word) => roots.has(toRoot(word))),
    );
  };
  const ofMentions = paths.flatMap((path, index) =>
    path.filter((edge) => isOpen(edge) && !isNamed(edge, draft.mentions[index]?.tie ?? [])),
  ).length;
  return (
    ofMentions +
    [...columns.values(), ...values.values()].flatMap((bound) => bound.path).filter(isOpen).length
  );
}

/**
 * Reports whether a value of a foreign key also occurs in another foreign key to the same table. In `how many
 * friends does Ada have`, Ada may be the person or the friend.
 */
function hasValueInOtherKey(condition: Condition, assignment: Assignment): boolean {
  if (condition.kind !== 'value') return false;
  const bound = findColumn(condition, assignment);
  const keys = bound === undefined ? [] : bound.table.foreignKeys.filter((key) => key.columns.length === 1);
  const ownColumns = keys.find((key) => key.columns[0] === bound?.column.name);
  return (
    ownColumns !== undefined &&
    keys.some(
      (key) =>
        key !== ownColumns &&
        key.referencedTable === ownColumns.referencedTable &&
        condition.links.some((link) => link.table === bound?.table && link.column.name === key.columns[0]),
    )
  );
}
