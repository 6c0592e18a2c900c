import type { Assignment, Bound } from '../resolve/assignment.js';
import type { ColumnRef, Comparison, Condition, Literal } from '../types.js';
import { writtenDigits } from '../words/number-literal.js';

export const AGGREGATE_WORDS = {
  avg: 'average',
  sum: 'total',
  min: 'lowest',
  max: 'highest',
  count: 'number of',
} as const;
const COMPARISON_WORDS: Readonly<Record<Comparison, string>> = {
  '=': 'is',
  '!=': 'is not',
  '<': 'is below',
  '<=': 'is at most',
  '>': 'is above',
  '>=': 'is at least',
};

/** Returns `table.column`. Returns an empty text if no column is assigned. */
export function formatColumn(bound: Bound | undefined): string {
  return bound === undefined ? '' : `${bound.table.name}.${bound.column.name}`;
}

/** Describes a condition in words, with the names of tables and columns. */
export function formatCondition(condition: Condition, assignment: Assignment): string {
  const formatPart = (part: Condition): string => formatCondition(part, assignment);
  switch (condition.kind) {
    case 'any':
      return `(${condition.parts.map(formatPart).join(' or ')})`;
    case 'all':
      return condition.parts.map(formatPart).join(' and ');
    case 'value': {
      const bound = assignment.values.get(condition);
      return `${formatColumn(bound)} ${condition.negated ? 'is not' : 'is'} "${bound?.value ?? ''}"`;
    }
    case 'compare':
      return formatComparison(condition, assignment);
    case 'between':
      return `${formatOf(condition.column, assignment)} is from ${formatLiteral(condition.low)} to ${formatLiteral(condition.high)}`;
    case 'like':
      return `${formatOf(condition.column, assignment)} ${condition.negated ? 'does not have' : 'has'} "${condition.text}" ${condition.place === 'inside' ? 'in it' : `at its ${condition.place}`}`;
    case 'null':
      return `${formatOf(condition.column, assignment)} is ${condition.negated ? 'set' : 'not set'}`;
    case 'aggregate':
      return `the ${AGGREGATE_WORDS[condition.fn]} ${formatOf(condition.column, assignment)} ${COMPARISON_WORDS[condition.op]} ${formatLiteral(condition.value)}`;
    case 'top':
      return `${formatOf(condition.column, assignment)} is the ${condition.direction === 'desc' ? 'highest' : 'lowest'} of all`;
    case 'topValue':
      return `${formatOf(condition.column, assignment)} is the ${condition.direction === 'desc' ? 'most' : 'least'} frequent value`;
    case 'topCount':
      return `it is the one with the ${condition.direction === 'desc' ? 'most' : 'fewest'} ${assignment.tables[condition.mention]?.name ?? 'rows'}`;
    case 'toAggregate':
      return `${formatOf(condition.column, assignment)} ${COMPARISON_WORDS[condition.op]} its ${AGGREGATE_WORDS[condition.fn]}${condition.where.length === 0 ? '' : ` where ${condition.where.map(formatPart).join(' and ')}`}`;
  }
}

function formatComparison(
  { column, op, value }: Condition & { readonly kind: 'compare' },
  assignment: Assignment,
): string {
  const name = formatOf(column, assignment);
  if (value.kind === 'period') return `${name} is ${formatLiteral(value)}`;
  const isFlag =
    assignment.columns.get(column)?.column.valueKind === 'boolean' &&
    value.kind === 'number' &&
    (op === '=' || op === '!=');
  return isFlag
    ? `${name} is ${(value.value === 1) === (op === '=') ? 'true' : 'false'}`
    : `${name} ${COMPARISON_WORDS[op]} ${formatLiteral(value)}`;
}

function formatOf(ref: ColumnRef, assignment: Assignment): string {
  return formatColumn(assignment.columns.get(ref));
}

export function formatLiteral(literal: Literal): string {
  if (literal.kind === 'number') return writtenDigits(literal);
  if (literal.kind === 'text') return `"${literal.text}"`;
  return [
    literal.from === null ? '' : `from ${literal.from}`,
    literal.to === null ? '' : `before ${literal.to}`,
  ]
    .filter((part) => part !== '')
    .join(' and ');
}
