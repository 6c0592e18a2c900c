import type { Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import { findLabel } from '../resolve/find-label.js';
import type { Assignment } from '../resolve/assignment.js';
import type { Comparison, OrderKey, Quantity, Target } from '../types.js';
import { AGGREGATE_WORDS, formatColumn, formatCondition, formatLiteral } from './format-condition.js';

const QUANTITY_WORDS: Readonly<Record<Comparison, string>> = {
  '=': 'exactly',
  '!=': 'not exactly',
  '<': 'fewer than',
  '<=': 'at most',
  '>': 'more than',
  '>=': 'at least',
};

function formatQuantity({ op, count, upTo }: Quantity): string {
  return upTo === undefined ? `${QUANTITY_WORDS[op]} ${count}` : `${count} to ${upTo}`;
}

/** Describes a statement in words with the help of templates. Also lists the assumptions that led to it. */
export function explain(
  candidate: Candidate,
  q: LinkedQuestion,
): { readonly explanation: string; readonly assumptions: readonly string[] } {
  const { assignment } = candidate;
  const { draft } = assignment;
  const targetTexts = [...new Set(draft.targets.map((target) => formatTarget(target, assignment)))].join(
    ' and ',
  );
  const parts = [
    `${targetTexts.charAt(0).toUpperCase()}${targetTexts.slice(1)}`,
    ...formatGroups(assignment),
    ...formatFilters(assignment),
    ...(draft.orders.length > 0
      ? [
          `sorted by ${draft.orders.map(({ key, direction }) => `${formatKey(key, assignment)}${direction === 'desc' ? ', highest first' : ''}`).join(', then ')}`,
        ]
      : []),
    ...(draft.limit === null ? [] : [draft.limit === 1 ? 'only the first' : `only the first ${draft.limit}`]),
  ];
  return { explanation: `${parts.join(', ')}.`, assumptions: listAssumptions(candidate, q) };
}

/** Formats a table with the column that labels its rows, such as `users (username)`. */
function formatRows(table: Table | undefined): string {
  if (table === undefined) return 'rows';
  return `${table.name} (${findLabel(table)
    .map((column) => column.name)
    .join(', ')})`;
}

function formatTarget(target: Target, assignment: Assignment): string {
  const { tables, columns, draft } = assignment;
  if (target.kind === 'column') {
    const name = formatColumn(columns.get(target.column));
    if (target.fn === null) return draft.distinct ? `the different values of ${name}` : name;
    return `the ${AGGREGATE_WORDS[target.fn]} ${target.distinct ? 'different ' : ''}${name}`;
  }
  const table = tables[target.mention];
  const name = table?.name ?? 'rows';
  switch (target.kind) {
    case 'count':
      return `the number of ${target.distinct ? 'different ' : ''}${name}`;
    case 'size':
      return `the ${AGGREGATE_WORDS[target.fn]} number of ${name} per row of ${tables[draft.mentions[target.mention]?.parent ?? 0]?.name ?? 'the others'}`;
    case 'share':
      return `the percentage of ${name}`;
    case 'everything':
      return `every column of ${name}`;
    case 'rows':
      return formatRows(table);
  }
}

function formatGroups({ draft, tables, columns }: Assignment): string[] {
  const names = draft.groups.map((group) =>
    group.kind === 'column'
      ? `${group.unit === undefined ? '' : `the ${group.unit} of `}${formatColumn(columns.get(group.column))}`
      : formatRows(tables[group.mention]),
  );
  return names.length === 0 ? [] : [`for each of ${names.join(' and ')}`];
}

function formatFilters(assignment: Assignment): string[] {
  const { draft } = assignment;
  const own = (draft.mentions[0]?.conditions ?? []).map((condition) =>
    formatCondition(condition, assignment),
  );
  const quantity = draft.mentions[0]?.quantity ?? null;
  return [
    ...(own.length === 0 ? [] : [`where ${own.join(' and ')}`]),
    ...(quantity === null ? [] : [`with ${formatQuantity(quantity)} rows each`]),
    ...formatChildRows(assignment, 0),
  ];
}

/** Describes the rows that a mention refers to by other tables, with their conditions. */
function formatChildRows(assignment: Assignment, parent: number): string[] {
  const { draft, tables } = assignment;
  return draft.mentions.flatMap((mention, index) => {
    if (index === 0 || mention.parent !== parent) return [];
    const own = mention.conditions.map((condition) => formatCondition(condition, assignment));
    const childTexts = formatChildRows(assignment, index);
    if (isDescribed(assignment, index) && !mention.negated && mention.quantity === null)
      return [...(own.length === 0 ? [] : [`where ${own.join(' and ')}`]), ...childTexts];
    const shared =
      mention.duplicateOf === undefined || mention.negated
        ? null
        : (assignment.paths[index] ?? []).flatMap((edge) => edge.fromColumns).join(' and ');
    const count = mention.quantity === null ? '' : `${formatQuantity(mention.quantity)} `;
    const rows =
      shared === null
        ? `${count}${tables[index]?.name ?? 'rows'}${formatPath(assignment, index)}`
        : `the same ${shared} as ${tables[index]?.name ?? 'rows'}`;
    return [
      [
        `${mention.isAlternative ? 'or ' : ''}${mention.negated ? 'without' : 'with'} ${rows}`,
        ...(own.length === 0 ? [] : [`where ${own.join(' and ')}`]),
        ...childTexts,
      ].join(' '),
    ];
  });
}

/**
 * Describes the tables between a mention and its parent, as in ` (over order_lines)`. Returns an empty text
 * if a single foreign key connects the two.
 */
function formatPath({ paths }: Assignment, mention: number): string {
  const junctions = (paths[mention] ?? []).slice(0, -1).map((edge) => edge.to.name);
  return junctions.length === 0 ? '' : ` (over ${junctions.join(', ')})`;
}

/** Reports whether the descriptions of targets, groups and sort keys already name the rows of a mention. */
function isDescribed({ draft, columns }: Assignment, mention: number): boolean {
  return (
    draft.targets.some((target) =>
      target.kind === 'column' ? columns.get(target.column)?.mention === mention : target.mention === mention,
    ) ||
    draft.groups.some((group) =>
      group.kind === 'column' ? columns.get(group.column)?.mention === mention : group.mention === mention,
    ) ||
    draft.orders.some(({ key }) => key.kind === 'count' && key.mention === mention)
  );
}

function formatKey(key: OrderKey, { tables, columns }: Assignment): string {
  if (key.kind === 'size') return 'the number of rows';
  if (key.kind === 'count') return `the number of ${tables[key.mention]?.name ?? 'rows'}`;
  return key.fn === null
    ? formatColumn(columns.get(key.column))
    : `the ${AGGREGATE_WORDS[key.fn]} ${formatColumn(columns.get(key.column))}`;
}

/**
 * Returns the assumptions of a statement: columns whose names only resemble the words, joins, labels that the
 * question does not name, dates of periods, ignored words and tie breakers.
 */
function listAssumptions(candidate: Candidate, q: LinkedQuestion): string[] {
  const { draft, tables, columns } = candidate.assignment;
  const found: string[] = [];
  for (const [ref, bound] of columns) {
    const link = ref.links.find((columnLink) => columnLink.column === bound.column);
    const word = q.tokens[ref.position]?.text ?? '';
    if (link !== undefined && link.cost >= 0.4 && word !== '')
      found.push(`"${word}" means ${formatColumn(bound)}`);
    if (bound.path.length > 0)
      found.push(
        `${formatColumn(bound)} is joined through ${bound.path.map((edge) => edge.to.name).join(', ')}`,
      );
  }
  for (const target of draft.targets) {
    const table = target.kind === 'rows' ? tables[target.mention] : undefined;
    if (table !== undefined)
      found.push(
        `${table.name} are shown by ${findLabel(table)
          .map((column) => column.name)
          .join(' and ')}`,
      );
  }
  for (const condition of draft.mentions.flatMap((mention) => mention.conditions)) {
    if (condition.kind === 'compare' && condition.value.kind === 'period')
      found.push(`${formatColumn(columns.get(condition.column))} is ${formatLiteral(condition.value)}`);
  }
  found.push(
    ...draft.unmatched.map((index) => `"${q.tokens[index]?.text ?? ''}" is unknown and was ignored`),
  );
  if (candidate.tieBreakers.length > 0)
    found.push(`equal rows are sorted by the lowest ${formatTieBreakers(candidate)}`);
  return [...new Set(found)];
}

/** Replaces the table aliases in the tie breakers with table names. */
function formatTieBreakers({ sql, tieBreakers }: Candidate): string {
  const tables = new Map(
    [...sql.matchAll(/`([^`]+)` AS (t\d+)/g)].map((match) => [match[2] ?? '', match[1] ?? '']),
  );
  return tieBreakers
    .map((column) => column.replaceAll('`', '').replace(/^t\d+/, (alias) => tables.get(alias) ?? alias))
    .join(', then ');
}
