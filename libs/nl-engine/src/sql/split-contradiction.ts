import type { Column } from '@rowhouse/schema-model';
import type { Assignment } from '../resolve/assign.js';
import type { Condition } from '../types.js';

/** One column of one row equal to two values: the question meant two rows. */
export function splitContradiction({ draft, columns, values }: Assignment, mention: number): readonly [readonly Condition[], readonly Condition[]] | null {
  const conditions = draft.mentions[mention]?.conditions ?? [];
  const facts = conditions.map((condition): { column: Column | undefined; op: string; value: unknown } => {
    if (condition.kind === 'value' && !condition.negated) return { column: values.get(condition)?.column, op: '=', value: values.get(condition)?.value };
    if (condition.kind === 'compare' && condition.value.kind !== 'period') return { column: columns.get(condition.column)?.column, op: condition.op, value: condition.value.kind === 'number' ? condition.value.value : condition.value.text };
    return { column: undefined, op: '', value: null };
  });
  const second = facts.findIndex((b, at) => b.column !== undefined && facts.slice(0, at).some((a) => a.column === b.column && isApart(a, b)));
  return second < 0 ? null : [conditions.slice(0, second), conditions.slice(second)];
}

function isApart(a: { readonly op: string; readonly value: unknown }, b: { readonly op: string; readonly value: unknown }): boolean {
  if (a.op === '=' && b.op === '=') return a.value !== b.value;
  const [low, high] = a.op.startsWith('>') && b.op.startsWith('<') ? [a, b] : b.op.startsWith('>') && a.op.startsWith('<') ? [b, a] : [null, null];
  return low !== null && Number(low.value) >= Number(high.value);
}

/**
 * `tagged A but not B`, of rows that each row has many of: those that must be there, and those that must not, said positively.
 * A row that is A is never B, so that one row cannot be meant.
 */
export function splitExcept({ draft, values, paths }: Assignment, mention: number): readonly [readonly Condition[], readonly Condition[]] | null {
  const conditions = draft.mentions[mention]?.conditions ?? [];
  if ((paths[mention] ?? []).every((edge) => edge.isToOne)) return null;
  const isOf = (a: Condition, b: Condition): boolean => a.kind === 'value' && b.kind === 'value' && values.get(a)?.column === values.get(b)?.column;
  const refused = conditions.filter((condition) => condition.kind === 'value' && condition.negated && conditions.some((other) => other.kind === 'value' && !other.negated && isOf(condition, other)));
  return refused.length === 0 ? null : [conditions.filter((condition) => !refused.includes(condition)), refused.map((condition) => (condition.kind === 'value' ? { ...condition, negated: false, of: condition } : condition))];
}
