import type { LinkedQuestion } from '../link/link-question.js';
import { findLabel } from '../resolve/find-label.js';
import type { Assignment, Bound } from '../resolve/assign.js';
import type { ColumnRef, Condition, Literal, Target } from '../types.js';

const AGGREGATE_WORDS = { avg: 'average', sum: 'total', min: 'lowest', max: 'highest', count: 'number of' } as const;
const COMPARISON_WORDS = { '=': 'is', '!=': 'is not', '<': 'is below', '<=': 'is at most', '>': 'is above', '>=': 'is at least' } as const;

/** The statement in words, by template, and what was taken for granted to get there. */
export function explain(assignment: Assignment, q: LinkedQuestion): { readonly explanation: string; readonly assumptions: readonly string[] } {
  const { draft, tables } = assignment;
  const shown = draft.targets.map((target) => sayTarget(target, assignment));
  const groups = draft.groups.map((group) => (group.kind === 'column' ? sayColumn(assignment.columns.get(group.column)) : tables[group.mention]?.name ?? ''));
  const filters = draft.mentions.flatMap((mention, at) => {
    const own = mention.conditions.map((condition) => sayCondition(condition, assignment));
    if (at === 0) return own;
    const count = mention.quantity === null ? (mention.negated ? 'no' : '') : `${mention.quantity.op} ${mention.quantity.count}`;
    const name = tables[at]?.name ?? '';
    return draft.orders.some(({ key }) => key.kind === 'count' && key.mention === at) && own.length === 0 ? [] : [`with ${[count, name].filter((part) => part !== '').join(' ')}${own.length > 0 ? ` where ${own.join(' and ')}` : ''}`];
  });
  const orders = draft.orders.map(({ key, direction }) => {
    const by = key.kind === 'column' ? `${key.fn === null ? '' : `${AGGREGATE_WORDS[key.fn]} `}${sayColumn(assignment.columns.get(key.column))}` : key.kind === 'count' ? `number of ${tables[key.mention]?.name ?? 'rows'}` : 'number of rows';
    return `${by}${direction === 'desc' ? ', highest first' : ''}`;
  });
  const parts = [
    `Shows ${shown.join(' and ')} of ${tables[0]?.name ?? ''}`,
    ...(groups.length > 0 ? [`for each ${groups.join(' and ')}`] : []),
    ...filters,
    ...(orders.length > 0 ? [`sorted by ${orders.join(', then ')}`] : []),
    ...(draft.limit === null ? [] : [draft.limit === 1 ? 'the first one' : `the first ${draft.limit}`]),
  ];
  return { explanation: `${parts.join('; ')}.`, assumptions: listAssumptions(assignment, q) };
}

function sayTarget(target: Target, assignment: Assignment): string {
  const { tables, columns } = assignment;
  switch (target.kind) {
    case 'count':
      return `the number of ${target.distinct ? 'different ' : ''}${tables[target.mention]?.name ?? 'rows'}`;
    case 'size':
      return `the ${AGGREGATE_WORDS[target.fn]} number of ${tables[target.mention]?.name ?? 'rows'}`;
    case 'share':
      return 'the percentage';
    case 'everything':
      return `every column of ${tables[target.mention]?.name ?? ''}`;
    case 'rows':
      return tables[target.mention] === undefined ? '' : findLabel(tables[target.mention] as NonNullable<(typeof tables)[number]>).map((column) => column.name).join(' and ');
    case 'column': {
      const name = sayColumn(columns.get(target.column));
      return target.fn === null ? name : `the ${AGGREGATE_WORDS[target.fn]} ${target.distinct ? 'different ' : ''}${name}`;
    }
  }
}

function sayColumn(bound: Bound | undefined): string {
  return bound === undefined ? '' : `${bound.table.name}.${bound.column.name}`;
}

function sayCondition(condition: Condition, assignment: Assignment): string {
  switch (condition.kind) {
    case 'any':
      return `(${condition.parts.map((part) => sayCondition(part, assignment)).join(' or ')})`;
    case 'all':
      return condition.parts.map((part) => sayCondition(part, assignment)).join(' and ');
    case 'value': {
      const bound = assignment.values.get(condition);
      return `${sayColumn(bound)} ${condition.negated ? 'is not' : 'is'} "${bound?.value ?? ''}"`;
    }
    case 'compare':
      return condition.value.kind === 'period' ? `${sayOf(condition.column, assignment)} ${sayLiteral(condition.value)}` : `${sayOf(condition.column, assignment)} ${COMPARISON_WORDS[condition.op]} ${sayLiteral(condition.value)}`;
    case 'between':
      return `${sayOf(condition.column, assignment)} is from ${sayLiteral(condition.low)} to ${sayLiteral(condition.high)}`;
    case 'like':
      return `${sayOf(condition.column, assignment)} ${condition.negated ? 'does not have' : 'has'} "${condition.text}" ${condition.place === 'inside' ? 'in it' : `at its ${condition.place}`}`;
    case 'null':
      return `${sayOf(condition.column, assignment)} is ${condition.negated ? 'set' : 'not set'}`;
    case 'aggregate':
      return `the ${AGGREGATE_WORDS[condition.fn]} ${sayOf(condition.column, assignment)} ${COMPARISON_WORDS[condition.op]} ${sayLiteral(condition.value)}`;
    case 'toAggregate':
      return `${sayOf(condition.column, assignment)} ${COMPARISON_WORDS[condition.op]} its ${AGGREGATE_WORDS[condition.fn]}${condition.where.length === 0 ? '' : ` where ${condition.where.map((part) => sayCondition(part, assignment)).join(' and ')}`}`;
  }
}

function sayOf(ref: ColumnRef, assignment: Assignment): string {
  return sayColumn(assignment.columns.get(ref));
}

function sayLiteral(literal: Literal): string {
  if (literal.kind === 'number') return String(literal.value);
  if (literal.kind === 'text') return `"${literal.text}"`;
  return [literal.from === null ? '' : `from ${literal.from}`, literal.to === null ? '' : `before ${literal.to}`].filter((part) => part !== '').join(' and ');
}

/** Words that were not the schema's own, and rows that are shown by a column nobody named. */
function listAssumptions({ draft, tables, columns }: Assignment, q: LinkedQuestion): string[] {
  const found: string[] = [];
  for (const [ref, bound] of columns) {
    const link = ref.links.find((one) => one.column === bound.column);
    const word = q.tokens[ref.at]?.text ?? '';
    if (link !== undefined && link.cost >= 0.4 && word !== '') found.push(`"${word}" is taken for ${sayColumn(bound)}`);
    if (bound.path.length > 0) found.push(`${sayColumn(bound)} is reached over ${bound.path.map((edge) => edge.to.name).join(', ')}`);
  }
  for (const target of draft.targets) {
    const table = target.kind === 'rows' ? tables[target.mention] : undefined;
    if (table !== undefined) found.push(`rows of ${table.name} are shown by ${findLabel(table).map((column) => column.name).join(' and ')}`);
  }
  for (const condition of draft.mentions.flatMap((mention) => mention.conditions)) {
    if (condition.kind === 'compare' && condition.value.kind === 'period') found.push(`the time meant is ${sayLiteral(condition.value)}, on ${sayColumn(columns.get(condition.column))}`);
  }
  return [...new Set(found)];
}
