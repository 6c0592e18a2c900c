import type { Assignment } from '../resolve/assignment.js';
import { listRankingMentions } from '../resolve/draft-references.js';
import type { ColumnRef, Statement } from '../types.js';
import { hasAggregate, isGroupedByRow, isSizeOrder, listGroups, listHaving } from './list-groups.js';
import { listOrders, listTieBreakers } from './list-orders.js';
import { listSelect } from './list-select.js';
import { canRequireSecondRow, listWhere } from './list-where.js';
import { QueryContext } from './query-context.js';
import { quoteName } from '@rowhouse/schema-model';
import { renderTop } from './render-top.js';
import type { Part } from './sql-parts.js';
import { findReferencedSplit, splitContradiction } from './split-contradiction.js';

interface Parts {
  readonly from: string;
  readonly select: readonly Part[];
  readonly where: readonly Part[];
  readonly groups: readonly string[];
  readonly having: readonly string[];
  readonly orders: readonly Part[];
  readonly isDistinct: boolean;
}

/** Returns the SQL statement for an assignment. Returns null if the assignment has no consistent meaning. */
export function buildSql(assignment: Assignment): Statement | null {
  const ctx = new QueryContext(assignment, renderTop);
  const parts = hasRequiredRows(assignment, ctx) ? listParts(ctx) : null;
  return parts === null || ctx.isBroken || !isConsistent(ctx, parts) ? null : writeStatement(ctx, parts);
}

/**
 * Reports whether the joined rows can exist. The statement cannot return columns of rows that must not exist,
 * or that it only counts.
 */
function hasRequiredRows({ draft, tables }: Assignment, { joined }: QueryContext): boolean {
  if (tables[0] === undefined || draft.mentions[0]?.negated === true) return false;
  // Other rows with the same value need a condition. Without one, each row would match itself.
  if (
    draft.mentions.some(
      (mention, index) =>
        mention.duplicateOf !== undefined &&
        mention.conditions.length === 0 &&
        !draft.mentions.some((other) => other.parent === index),
    )
  )
    return false;
  return ![...joined].some(
    (index) =>
      index > 0 && (draft.mentions[index]?.negated === true || draft.mentions[index]?.quantity !== null),
  );
}

function listParts(ctx: QueryContext): Parts | null {
  const { assignment, main, joined } = ctx;
  const from = `${quoteName(assignment.tables[0]?.name ?? '')} AS ${ctx.alias(main, '0')}`;
  for (const mention of [...joined].sort((a, b) => a - b)) if (mention > 0) ctx.joinMention(mention);
  const groups = listGroups(ctx);
  const isGrouped = groups.length > 0;
  const select = listSelect(ctx, isGrouped);
  if (select === null || select.length === 0) return null;
  const needsSecondRow =
    splitContradiction(assignment, 0) !== null || findReferencedSplit(assignment, 0) !== null;
  // A single referenced row cannot have two different values in one column.
  if ([...joined].some((index) => index > 0 && findReferencedSplit(assignment, index) !== null)) return null;
  if (
    (needsSecondRow && !canRequireSecondRow(ctx)) ||
    [...joined].some((index) => index > 0 && splitContradiction(assignment, index) !== null)
  )
    return null;
  const where = listWhere(ctx);
  const having = listHaving(ctx);
  const orders = listOrders(ctx, isGrouped);
  return orders === null
    ? null
    : {
        from,
        select,
        where,
        groups,
        having,
        orders,
        isDistinct: (assignment.draft.distinct || needsSecondRow) && !isGrouped,
      };
}

function isConsistent(ctx: QueryContext, { groups, having, orders }: Parts): boolean {
  const { draft } = ctx.assignment;
  const isGrouped = groups.length > 0;
  if (
    isGrouped &&
    (isSizeOrder(ctx) || draft.targets.some((target) => target.kind === 'count' && !target.distinct)) &&
    isGroupedByRow(ctx, groups)
  )
    return false;
  if (draft.limit !== null && draft.orders.length === 0) return false;
  if (returnsCountedRows(ctx) || countsSingleRows(ctx, groups) || sortsByVaryingColumn(ctx, groups))
    return false;
  if (isSizeOrder(ctx) && hasExistsOnlyMention(ctx)) return false;
  if (having.length > 0 && (!isGrouped || isGroupedByRow(ctx, groups) || hasExistsOnlyMention(ctx)))
    return false;
  return isGrouped || !hasAggregate(ctx) || (orders.length === 0 && draft.limit === null);
}

/**
 * Reports whether the rows of a mention only have to exist. If groups are counted, the question may mean a
 * count of these rows instead.
 */
function hasExistsOnlyMention({ assignment: { draft }, joined }: QueryContext): boolean {
  const ranked = listRankingMentions(draft);
  return draft.mentions.some(
    (mention, index) =>
      index > 0 &&
      !joined.has(index) &&
      !ranked.has(index) &&
      mention.conditions.length === 0 &&
      !mention.negated &&
      mention.quantity === null &&
      !draft.mentions.some((other) => other.parent === index),
  );
}

/**
 * Reports whether the statement returns a column of rows that are only counted for the order. In `the id of
 * the organization with the most staff`, the id must not be that of the staff.
 */
function returnsCountedRows({ assignment: { draft, columns } }: QueryContext): boolean {
  const counted = draft.orders.flatMap(({ key }) =>
    key.kind === 'count' && key.mention > 0 ? [key.mention] : [],
  );
  return draft.targets.some(
    (target) =>
      (target.kind === 'rows' && counted.includes(target.mention)) ||
      (target.kind === 'column' &&
        target.fn === null &&
        counted.includes(columns.get(target.column)?.mention ?? 0)),
  );
}

/**
 * Reports whether a count would be 1 in every group, because the groups contain the key of the counted rows.
 * This is not the case if several child rows are joined.
 */
function countsSingleRows(ctx: QueryContext, groups: readonly string[]): boolean {
  const { draft, paths } = ctx.assignment;
  return draft.targets.some((target) => {
    // If rows are grouped by the counted column, each group has a single value of this column.
    if (target.kind === 'column' && target.fn === 'count')
      return countsGroupedColumn(ctx, target.column, groups);
    if (target.kind !== 'count' || target.distinct) return false;
    const key = ctx.keyOf(ctx.main, target.mention);
    const isMultiplied = [...ctx.joined].some(
      (other) =>
        other !== target.mention &&
        other > 0 &&
        (paths[other] ?? []).some((edge) => !edge.isToOne) &&
        draft.mentions[other]?.parent === target.mention,
    );
    return key.length > 0 && key.every((column) => groups.includes(column)) && !isMultiplied;
  });
}

/** Reports whether groups are sorted by a column that may differ between the rows of a group. */
function sortsByVaryingColumn(ctx: QueryContext, groups: readonly string[]): boolean {
  const { draft, columns } = ctx.assignment;
  return (
    groups.length > 0 &&
    draft.orders.some(({ key }) => {
      const bound = key.kind === 'column' && key.fn === null ? columns.get(key.column) : undefined;
      if (bound === undefined) return false;
      const sorted = ctx.column(ctx.main, bound);
      const rowKey = (bound.table.primaryKey ?? []).map(
        (name) => `${sorted.slice(0, sorted.indexOf('.'))}.${quoteName(name)}`,
      );
      return (
        !groups.includes(sorted) && (rowKey.length === 0 || rowKey.some((column) => !groups.includes(column)))
      );
    })
  );
}

function countsGroupedColumn(ctx: QueryContext, ref: ColumnRef, groups: readonly string[]): boolean {
  const bound = ctx.assignment.columns.get(ref);
  return bound !== undefined && groups.includes(ctx.column(ctx.main, bound));
}

function writeStatement(
  ctx: QueryContext,
  { from, select, where, groups, having, orders, isDistinct }: Parts,
): Statement {
  const { limit } = ctx.assignment.draft;
  const tieBreakers =
    limit === null ? [] : listTieBreakers(ctx, { shown: select, groups, orders, isDistinct });
  const sql = [
    `SELECT ${isDistinct ? 'DISTINCT ' : ''}${select.map((part) => part.sql).join(', ')}`,
    `FROM ${[from, ...ctx.main.joins].join(' ')}`,
    ...(where.length > 0 ? [`WHERE ${where.map((part) => part.sql).join(' AND ')}`] : []),
    ...(groups.length > 0 ? [`GROUP BY ${groups.join(', ')}`] : []),
    ...(having.length === 0 ? [] : [`HAVING ${having.join(' AND ')}`]),
    ...(orders.length > 0
      ? [`ORDER BY ${[...orders.map((part) => part.sql), ...tieBreakers].join(', ')}`]
      : []),
    ...(limit === null ? [] : [`LIMIT ${limit}`]),
  ].join(' ');
  return { sql, params: [...select, ...where, ...orders].flatMap((part) => part.params), tieBreakers };
}
