import type { Column } from '@rowhouse/schema-model';
import type { Assignment } from '../resolve/assignment.js';
import type { Edge } from '../resolve/table-graph.js';
import type { Condition, NumberLiteral } from '../types.js';
import { compareExactly } from '../words/number-literal.js';

/**
 * Splits the conditions of a mention if they require two different values in one column. No row can match
 * both, so the question refers to two rows. Returns null if no conditions contradict each other.
 */
export function splitContradiction(
  { draft, columns, values }: Assignment,
  mention: number,
): readonly [readonly Condition[], readonly Condition[]] | null {
  const conditions = draft.mentions[mention]?.conditions ?? [];
  const comparisons = conditions.map(
    (condition): { column: Column | undefined; op: string; value: unknown } => {
      if (condition.kind === 'value' && !condition.negated)
        return { column: values.get(condition)?.column, op: '=', value: values.get(condition)?.value };
      if (condition.kind === 'compare' && condition.value.kind !== 'period')
        return {
          column: columns.get(condition.column)?.column,
          op: condition.op,
          value: condition.value.kind === 'number' ? condition.value : condition.value.text,
        };
      return { column: undefined, op: '', value: null };
    },
  );
  const second = comparisons.findIndex(
    (b, index) =>
      b.column !== undefined &&
      comparisons.slice(0, index).some((a) => a.column === b.column && contradict(a, b)),
  );
  return second < 0 ? null : [conditions.slice(0, second), conditions.slice(second)];
}

interface Split {
  /** The mention whose conditions are split. */
  readonly mention: number;
  readonly halves: readonly [readonly Condition[], readonly Condition[]];
}

/**
 * Splits contradicting conditions of a mention, or of rows to which it refers. In `who bought products from
 * both A and B`, no product is from both, so two products must exist.
 */
export function findSplit(assignment: Assignment, mention: number): Split | null {
  const halves = splitContradiction(assignment, mention);
  if (halves !== null) return { mention, halves };
  return findReferencedSplit(assignment, mention);
}

/** Returns the child mentions to which the rows of a mention refer by foreign keys. */
function listReferencedMentions({ draft, paths }: Assignment, mention: number): number[] {
  return draft.mentions.flatMap((other, index) =>
    other.parent === mention &&
    !other.negated &&
    other.quantity === null &&
    (paths[index] ?? []).length > 0 &&
    (paths[index] ?? []).every(isForeignKey)
      ? [index]
      : [],
  );
}

function isForeignKey({ from, to, fromColumns }: Edge): boolean {
  return from.foreignKeys.some(
    (key) => key.referencedTable === to.name && key.columns.join() === fromColumns.join(),
  );
}

/** Splits contradicting conditions of referenced rows. Returns null if none contradict each other. */
export function findReferencedSplit(
  assignment: Assignment,
  mention: number,
): (Split & { readonly child: number }) | null {
  for (const child of listReferencedMentions(assignment, mention)) {
    const split = findSplit(assignment, child);
    if (split !== null) return { ...split, child };
  }
  return null;
}

function contradict(
  a: { readonly op: string; readonly value: unknown },
  b: { readonly op: string; readonly value: unknown },
): boolean {
  if (a.op === '=' && b.op === '=')
    return isNumber(a.value) && isNumber(b.value)
      ? compareExactly(a.value, b.value) !== 0
      : a.value !== b.value;
  const [low, high] =
    a.op.startsWith('>') && b.op.startsWith('<')
      ? [a, b]
      : b.op.startsWith('>') && a.op.startsWith('<')
        ? [b, a]
        : [null, null];
  if (low === null) return false;
  return isNumber(low.value) && isNumber(high.value)
    ? compareExactly(low.value, high.value) >= 0
    : Number(low.value) >= Number(high.value);
}

function isNumber(value: unknown): value is NumberLiteral {
  return typeof value === 'object' && value !== null;
}

/**
 * Splits a required and an excluded value of one column if the parent has many rows, as in `tagged A but not
 * B`. A single row with A never has B, so the exclusion must refer to other rows. Returns the conditions on
 * rows that must exist and on rows that must not exist, both without negation.
 */
export function splitExclusion(
  { draft, values, paths }: Assignment,
  mention: number,
): readonly [readonly Condition[], readonly Condition[]] | null {
  const conditions = draft.mentions[mention]?.conditions ?? [];
  if ((paths[mention] ?? []).every((edge) => edge.isToOne)) return null;
  const compareSameColumn = (a: Condition, b: Condition): boolean =>
    a.kind === 'value' && b.kind === 'value' && values.get(a)?.column === values.get(b)?.column;
  const excluded = conditions.filter(
    (condition) =>
      condition.kind === 'value' &&
      condition.negated &&
      conditions.some(
        (other) => other.kind === 'value' && !other.negated && compareSameColumn(condition, other),
      ),
  );
  return excluded.length === 0
    ? null
    : [
        conditions.filter((condition) => !excluded.includes(condition)),
        excluded.map((condition) =>
          condition.kind === 'value' ? { ...condition, negated: false, of: condition } : condition,
        ),
      ];
}
