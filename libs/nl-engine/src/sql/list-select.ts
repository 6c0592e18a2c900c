import { isCalendar, isKey, isNumeric } from '../resolve/column-kinds.js';
import { findLabel } from '../resolve/find-label.js';
import { returnsLabelOf } from '../resolve/shown-labels.js';
import type { Target } from '../types.js';
import type { QueryContext } from './query-context.js';
import { quoteName } from '@rowhouse/schema-model';
import { renderConditions } from './render-conditions.js';
import { renderChildRows, renderRestrictions } from './render-restrictions.js';
import { type Part, renderUnit } from './sql-parts.js';

const toPart = (sql: string): Part => ({ sql, params: [] });

/**
 * Returns the expressions of SELECT without duplicates. Returns null if a requested value is not possible.
 */
export function listSelect(ctx: QueryContext, isGrouped: boolean): Part[] | null {
  const { draft } = ctx.assignment;
  const parts: Part[] = isGrouped ? listGroupColumns(ctx) : [];
  for (const target of draft.targets) {
    const visible = listTargetParts(ctx, target);
    if (visible === null) return null;
    parts.push(...visible);
  }
  if (countsTwoChildTables(ctx) || returnsColumnTwice(ctx)) return null;
  const equal = mapJoinedColumns(ctx);
  const nameOf = (part: Part): string => equal.get(part.sql) ?? part.sql;
  return parts.filter((part, index) => parts.findIndex((other) => nameOf(other) === nameOf(part)) === index);
}

/**
 * The cost of a link from which two requested values must not be the same column. `location codes and
 * location names` asks for two columns, even if there is only a column `location`.
 */
const DISTANT_COST = 0.4;

function returnsColumnTwice({ assignment: { draft, columns } }: QueryContext): boolean {
  const distant = draft.targets.flatMap((target) => {
    const bound = target.kind === 'column' && target.fn === null ? columns.get(target.column) : undefined;
    const cost =
      target.kind === 'column'
        ? (target.column.links.find((link) => link.column === bound?.column)?.cost ?? 0)
        : 0;
    return bound !== undefined && cost >= DISTANT_COST ? [bound] : [];
  });
  return distant.some((bound, index) =>
    distant.slice(0, index).some((other) => other.column === bound.column && other.mention === bound.mention),
  );
}

/** Reports whether rows of two tables are counted. In a join, one count would be multiplied by the other. */
function countsTwoChildTables(ctx: QueryContext): boolean {
  const counted = ctx.assignment.draft.targets.flatMap((target) =>
    target.kind === 'count'
      ? [{ mention: target.mention, sql: renderCount(ctx, target.mention, target.distinct) }]
      : [],
  );
  return counted.some((item, index) =>
    counted
      .slice(0, index)
      .some(
        (other) =>
          other.mention !== item.mention &&
          (other.sql === item.sql || item.sql === 'COUNT(*)' || other.sql === 'COUNT(*)'),
      ),
  );
}

/** Maps each column in a join condition to the other column of this condition, which has the same value. */
function mapJoinedColumns({ main }: QueryContext): ReadonlyMap<string, string> {
  return new Map(
    main.joins.flatMap((join) =>
      [...join.matchAll(/(t\d+\.`[^`]+`) = (t\d+\.`[^`]+`)/g)].map(
        (match) => [match[1] ?? '', match[2] ?? ''] as const,
      ),
    ),
  );
}

function listGroupColumns(ctx: QueryContext): Part[] {
  return ctx.assignment.draft.groups.flatMap((group) => {
    if (group.kind === 'rows')
      return returnsLabelOf(ctx.assignment, group.mention) ? listLabel(ctx, group.mention) : [];
    const bound = ctx.assignment.columns.get(group.column);
    if (bound === undefined) return [];
    const column = ctx.column(ctx.main, bound);
    return [
      toPart(
        group.unit === undefined ? column : `${renderUnit(column, group.unit)} AS ${quoteName(group.unit)}`,
      ),
    ];
  });
}

function listTargetParts(ctx: QueryContext, target: Target): Part[] | null {
  switch (target.kind) {
    case 'count':
      return [toPart(`${renderCount(ctx, target.mention, target.distinct)} AS \`count\``)];
    case 'size':
      return [renderSize(ctx, target.mention, target.fn)];
    case 'share':
      return [renderShare(ctx, target.mention, target.wholeConditions)];
    case 'rows':
      return listLabel(ctx, target.mention);
    case 'everything':
      return [toPart(`${ctx.alias(ctx.main, String(target.mention))}.*`)];
    case 'column':
      return listColumnParts(ctx, target);
  }
}

function listColumnParts(ctx: QueryContext, target: Target & { readonly kind: 'column' }): Part[] | null {
  const bound = ctx.assignment.columns.get(target.column);
  if (bound === undefined) return null;
  const column = ctx.column(ctx.main, bound);
  if (
    (target.fn === 'sum' || target.fn === 'avg') &&
    (isKey(bound.table, bound.column) || /(?:^|_)id$/i.test(bound.column.name))
  )
    return null;
  if (
    target.fn !== null &&
    target.fn !== 'count' &&
    !isNumeric(bound.column) &&
    !(isCalendar(bound.column) && (target.fn === 'min' || target.fn === 'max'))
  )
    return null;
  const label = target.fn === null && target.column.isName === true ? findLabel(bound.table) : [];
  if (label.length === 2 && label[0] === bound.column) {
    const alias = ctx.reach(ctx.main, bound);
    return label.map((column) => toPart(`${alias}.${quoteName(column.name)}`));
  }
  return [
    toPart(
      target.fn === null
        ? column
        : `${target.fn.toUpperCase()}(${target.distinct ? 'DISTINCT ' : ''}${column}) AS ${quoteName(`${target.fn}_${bound.column.name}`)}`,
    ),
  ];
}

function listLabel(ctx: QueryContext, mention: number): Part[] {
  const table = ctx.assignment.tables[mention];
  return table === undefined
    ? []
    : findLabel(table).map((column) =>
        toPart(`${ctx.alias(ctx.main, String(mention))}.${quoteName(column.name)}`),
      );
}

function renderSize(ctx: QueryContext, mention: number, fn: string): Part {
  const inner = renderChildRows(ctx, ctx.main, mention);
  return {
    sql: `${fn.toUpperCase()}((SELECT COUNT(*) ${inner.sql})) AS ${quoteName(`${fn}_count`)}`,
    params: inner.params,
  };
}

/**
 * Returns the SQL for the percentage of rows that match all conditions of a mention. The rows that match the
 * first `wholeConditions` conditions are 100 %.
 */
function renderShare(ctx: QueryContext, mention: number, wholeConditions: number): Part {
  const own = (ctx.assignment.draft.mentions[mention]?.conditions ?? []).slice(wholeConditions);
  const tests = renderRestrictions(ctx, ctx.main, ctx.joined, renderConditions(ctx, ctx.main, mention, own));
  if (tests.length === 0) ctx.break();
  return {
    sql: `100 * AVG(CASE WHEN ${tests.map((part) => part.sql).join(' AND ')} THEN 1 ELSE 0 END) AS \`percentage\``,
    params: tests.flatMap((part) => part.params),
  };
}

/**
 * Returns the SQL for the row count of a mention. Rows that a join repeats are counted once, by their key.
 */
function renderCount(ctx: QueryContext, mention: number, distinct: boolean): string {
  const { draft, paths } = ctx.assignment;
  const [key, ...more] = ctx.assignment.tables[mention]?.primaryKey ?? [];
  const isMultiplied = [...ctx.joined].some(
    (other) =>
      other !== mention &&
      draft.mentions[other]?.parent === mention &&
      (paths[other] ?? []).some((edge) => !edge.isToOne),
  );
  const isOverJunction =
    mention !== 0 &&
    (paths[mention] ?? []).some(
      (edge, index, path) =>
        index > 0 && !edge.isToOne && path.slice(0, index).some((earlier) => earlier.isToOne),
    );
  if ((distinct || isMultiplied) && key !== undefined && more.length === 0 && !isOverJunction)
    return `COUNT(DISTINCT ${ctx.alias(ctx.main, String(mention))}.${quoteName(key)})`;
  return 'COUNT(*)';
}
