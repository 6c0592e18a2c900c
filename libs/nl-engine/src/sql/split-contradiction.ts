import type { Column } from '@rowhouse/schema-model';
import type { Assignment } from '../resolve/assignment.js';
import type { Edge } from '../resolve/table-graph.js';
import type { Condition, NumberLiteral } from '../types.js';
import { compareExactly } from '../words/number-literal.js';

/**
 * Splits the conditions of a mention when they require two different values in
 * one column. The question then refers to two rows. Returns null otherwise.
 */
export function splitContradiction(
  { draft, columns, values }: Assignment,
  mention: number,
): readonly [readonly Condition[], readonly Condition[]] | null {
  const conditions = draft.mentions[mention]?.conditions ?? [];
  const details = conditions.map((condition): { column: Column | undefined; op: string; value: unknown } => {
    if (condition.kind === 'value' && !condition.negated)
      return { column: values.get(condition)?.column, op: '=', value: values.get(condition)?.value };
    if (condition.kind === 'compare' && condition.value.kind !== 'period')
      return {
        column: columns.get(condition.column)?.column,
        op: condition.op,
        value: condition.value.kind === 'number' ? condition.value : condition.value.text,
      };
    return { column: undefined, op: '', value: null };
  });
  const second = details.findIndex(
    (b, index) =>
      b.column !== undefined && details.slice(0, index).some((a) => a.column === b.column && isApart(a, b)),
  );
  return second < 0 ? null : [conditions.slice(0, second), conditions.slice(second)];
}

interface Split {
  /** The mention with the conditions to split. */
  readonly mention: number;
  readonly halves: readonly [readonly Condition[], readonly Condition[]];
}

/**
 * Finds contradicting conditions in a mention or in rows that it references.
 * `who bought products from both A and B` requires a product from each, since no product is from both.
 */
export function findSplit(assignment: Assignment, mention: number): Split | null {
  const halves = splitContradiction(assignment, mention);
  if (halves !== null) return { mention, halves };
  return findOuterSplit(assignment, mention);
}

/** Returns the mentions that a mention reaches over foreign keys to single rows. */
function listOnlyOnes({ draft, paths }: Assignment, mention: number): number[] {
  return draft.mentions.flatMap((other, index) =>
    other.parent === mention &&
    !other.negated &&
    other.quantity === null &&
    (paths[index] ?? []).length > 0 &&
    (paths[index] ?? []).every(refers)
      ? [index]
      : [],
  );
}

function refers({ from, to, fromColumns }: Edge): boolean {
  return from.foreignKeys.some(
    (key) => key.referencedTable === to.name && key.columns.join() === fromColumns.join(),
  );
}

/** Returns a referenced row with contradicting conditions, or null if none exists. */
export function findOuterSplit(
  assignment: Assignment,
  mention: number,
): (Split & { readonly child: number }) | null {
  for (const child of listOnlyOnes(assignment, mention)) {
    const split = findSplit(assignment, child);
    if (split !== null) return { ...split, child };
  }
  return null;
}

function isApart(
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
 * Splits `tagged A but not B` when each row has many of the other rows.
 * Returns the conditions for rows that must exist and for rows that must not, both in positive form.
 *
 * A row with the value A never has the value B, so a single row cannot be meant.
 */
export function splitExcept(
  { draft, values, paths }: Assignment,
  mention: number,
): readonly [readonly Condition[], readonly Condition[]] | null {
  const conditions = draft.mentions[mention]?.conditions ?? [];
  if ((paths[mention] ?? []).every((edge) => edge.isToOne)) return null;
  const isOf = (a: Condition, b: Condition): boolean =>
    a.kind === 'value' && b.kind === 'value' && values.get(a)?.column === values.get(b)?.column;
  const rejected = conditions.filter(
    (condition) =>
      condition.kind === 'value' &&
      condition.negated &&
      conditions.some((other) => other.kind === 'value' && !other.negated && isOf(condition, other)),
  );
  return rejected.length === 0
    ? null
    : [
        conditions.filter((condition) => !rejected.includes(condition)),
        rejected.map((condition) =>
          condition.kind === 'value' ? { ...condition, negated: false, of: condition } : condition,
        ),
      ];
}
