import type { Assignment, Bound } from '../resolve/assignment.js';
import { findLabel } from '../resolve/find-label.js';
import type { ColumnRef, Condition, TimeUnit } from '../types.js';
import type { QueryContext } from './query-context.js';
import { quoteName } from '@rowhouse/schema-model';
import { renderQuantity, renderUnit } from './sql-parts.js';
import { exactDigits, needsExactDigits } from '../words/number-literal.js';

/** Returns the expressions of GROUP BY. Returns an empty list if nothing is aggregated. */
export function listGroups(ctx: QueryContext): string[] {
  const { draft, columns } = ctx.assignment;
  const needsSubquery = (ref: ColumnRef): boolean =>
    columns.get(ref)?.path.some((edge) => !edge.isToOne) === true;
  const comparesGroups =
    draft.mentions[0]?.quantity !== null ||
    (draft.mentions[0]?.conditions ?? []).some((condition) => isHaving(ctx, condition)) ||
    isSizeOrder(ctx) ||
    draft.orders.some(({ key }) => key.kind === 'column' && key.fn !== null && !needsSubquery(key.column));
  if (!hasAggregate(ctx) && !comparesGroups) return [];
  const found: string[] = [];
  for (const group of draft.groups) {
    if (group.kind === 'rows') found.push(...listRowKey(ctx, group.mention));
    else if (group.unit === undefined)
      found.push(...listColumnKey(ctx, columns.get(group.column), group.column.isName === true));
    else found.push(...listTimeKey(ctx, columns.get(group.column), group.unit));
  }
  for (const target of draft.targets) {
    if (target.kind === 'rows') found.push(...listRowKey(ctx, target.mention));
    else if (target.kind === 'column' && target.fn === null)
      found.push(...listColumnKey(ctx, columns.get(target.column), target.column.isName === true));
  }
  return [...new Set(found)];
}

export function hasAggregate({ assignment }: QueryContext): boolean {
  return assignment.draft.targets.some(
    (target) =>
      target.kind === 'count' ||
      target.kind === 'size' ||
      target.kind === 'share' ||
      (target.kind === 'column' && target.fn !== null),
  );
}

/** Reports whether groups are sorted by their number of rows. */
export function isSizeOrder({ assignment }: QueryContext): boolean {
  return assignment.draft.orders.some(
    ({ key }) => key.kind === 'size' || (key.kind === 'count' && key.mention === 0),
  );
}

/** Reports whether the groups contain the key of a row, so that a row count for each group has no meaning. */
export function isGroupedByRow(ctx: QueryContext, groups: readonly string[]): boolean {
  if (ctx.joined.size > 1) return isGroupedByMany(ctx, groups);
  const key = ctx.keyOf(ctx.main, 0);
  return key.length > 0 && key.every((column) => groups.includes(column));
}

/** Reports whether each group is one row of the only joined child table. */
function isGroupedByMany(ctx: QueryContext, groups: readonly string[]): boolean {
  const [other, ...more] = [...ctx.joined].filter((mention) => mention > 0);
  const path = ctx.assignment.paths[other ?? 0] ?? [];
  if (other === undefined || more.length > 0 || path.some((edge) => edge.isToOne)) return false;
  const key = ctx.keyOf(ctx.main, other);
  return key.length > 0 && key.every((column) => groups.includes(column));
}

/**
 * Returns the expressions to group by for a column. If the column is a label and rows of another table are
 * counted, the primary key is added, because two rows with the same label are two groups.
 */
function listColumnKey(ctx: QueryContext, bound: Bound | undefined, isName: boolean): string[] {
  if (bound === undefined) return [];
  const counted = listAggregatedMentions(ctx.assignment);
  const own = ctx.column(ctx.main, bound);
  const label = findLabel(bound.table);
  const nameColumns =
    isName && label.length === 2 && label[0] === bound.column
      ? label.map((column) => `${ctx.reach(ctx.main, bound)}.${quoteName(column.name)}`)
      : [];
  const isLabel =
    bound.path.length === 0 &&
    counted.size > 0 &&
    !counted.has(bound.mention) &&
    bound.table.primaryKey !== null &&
    showsIdentity(ctx, bound);
  return isLabel
    ? [
        ...(bound.table.primaryKey ?? []).map((name) => `${ctx.reach(ctx.main, bound)}.${quoteName(name)}`),
        own,
        ...nameColumns,
      ]
    : [own, ...nameColumns];
}

/**
 * Reports whether a returned column or a group identifies the rows, because it is their label, key or name.
 */
function showsIdentity({ assignment: { draft, columns } }: QueryContext, { mention, table }: Bound): boolean {
  const names = new Set([...findLabel(table).map((column) => column.name), ...(table.primaryKey ?? [])]);
  const refs = [
    ...draft.targets.flatMap((target) =>
      target.kind === 'column' && target.fn === null ? [target.column] : [],
    ),
    ...draft.groups.flatMap((group) => (group.kind === 'column' ? [group.column] : [])),
  ];
  return refs.some((ref) => {
    const bound = columns.get(ref);
    return (
      bound?.mention === mention &&
      bound.table === table &&
      (names.has(bound.column.name) || bound.column.name.toLowerCase().endsWith('name'))
    );
  });
}

function listTimeKey(ctx: QueryContext, bound: Bound | undefined, unit: TimeUnit): string[] {
  return bound === undefined ? [] : [renderUnit(ctx.column(ctx.main, bound), unit)];
}

function listRowKey(ctx: QueryContext, mention: number): string[] {
  const table = ctx.assignment.tables[mention];
  if (table === undefined) return [];
  const alias = ctx.alias(ctx.main, String(mention));
  return [...(table.primaryKey ?? []), ...findLabel(table).map((column) => column.name)].map(
    (name) => `${alias}.${quoteName(name)}`,
  );
}

/** Returns the conditions of HAVING. */
export function listHaving(ctx: QueryContext): string[] {
  const { draft, columns } = ctx.assignment;
  const quantity = draft.mentions[0]?.quantity ?? null;
  const conditions = (draft.mentions[0]?.conditions ?? []).flatMap((condition) => {
    const bound = condition.kind === 'aggregate' ? columns.get(condition.column) : undefined;
    return condition.kind === 'aggregate' && bound !== undefined && isHaving(ctx, condition)
      ? [
          `${condition.fn.toUpperCase()}(${ctx.column(ctx.main, bound)}) ${condition.op} ${needsExactDigits(condition.value) ? exactDigits(condition.value) : condition.value.value}`,
        ]
      : [];
  });
  return [...(quantity === null ? [] : [`COUNT(*) ${renderQuantity(quantity)}`]), ...conditions];
}

/** Reports whether the condition compares an aggregate of the grouped rows, so that it belongs to HAVING. */
export function isHaving({ assignment }: QueryContext, condition: Condition): boolean {
  return (
    condition.kind === 'aggregate' &&
    assignment.columns.get(condition.column)?.path.every((edge) => edge.isToOne) === true
  );
}

/** Returns the mentions whose rows are counted or aggregated. Without any, returns the main mention. */
function listAggregatedMentions({ draft, columns }: Assignment): ReadonlySet<number> {
  const counted = draft.targets.flatMap((target) =>
    target.kind === 'count'
      ? [target.mention]
      : target.kind === 'column' && target.fn !== null
        ? [columns.get(target.column)?.mention ?? 0]
        : [],
  );
  return new Set(counted.length === 0 ? [0] : counted);
}
