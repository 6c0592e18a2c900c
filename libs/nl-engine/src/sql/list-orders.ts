import type { Bound } from '../resolve/assignment.js';
import type { QueryContext } from './query-context.js';
import { aggregateOverPath } from './render-conditions.js';
import { renderChildRows } from './render-restrictions.js';
import type { Part } from './sql-parts.js';

/** Returns the expressions of ORDER BY. Returns null if a sort key is not possible. */
export function listOrders(ctx: QueryContext, isGrouped: boolean): Part[] | null {
  const parts: Part[] = [];
  for (const { key, direction } of ctx.assignment.draft.orders) {
    const suffix = direction === 'desc' ? ' DESC' : '';
    if (
      key.kind === 'size' ||
      (key.kind === 'count' && (key.mention === 0 || (isGrouped && ctx.joined.has(key.mention))))
    ) {
      if (!isGrouped) return null;
      parts.push({ sql: `COUNT(*)${suffix}`, params: [] });
    } else if (key.kind === 'count') {
      // If a path leads to at most one row, a row count has no meaning.
      if ((ctx.assignment.paths[key.mention] ?? []).every((edge) => edge.isToOne)) return null;
      // Only child rows of joined rows can determine the order. Other mentions are inside EXISTS.
      if (!ctx.joined.has(ctx.assignment.draft.mentions[key.mention]?.parent ?? 0)) return null;
      const inner = renderChildRows(ctx, ctx.main, key.mention);
      parts.push({ sql: `(SELECT COUNT(*) ${inner.sql})${suffix}`, params: inner.params });
    } else {
      const bound = ctx.assignment.columns.get(key.column);
      if (bound === undefined) return null;
      parts.push({ sql: `${renderOrderColumn(ctx, bound, key.fn, isGrouped)}${suffix}`, params: [] });
    }
  }
  return parts;
}

function renderOrderColumn(ctx: QueryContext, bound: Bound, fn: string | null, isGrouped: boolean): string {
  if (fn !== null && !isGrouped && bound.path.some((edge) => !edge.isToOne))
    return `(${aggregateOverPath(ctx, ctx.main, bound, fn).sql})`;
  const column = ctx.column(ctx.main, bound);
  return fn === null ? column : `${fn.toUpperCase()}(${column})`;
}

/** The expressions of SELECT, GROUP BY and ORDER BY, from which the tie breakers follow. */
export interface Shape {
  readonly shown: readonly Part[];
  readonly groups: readonly string[];
  readonly orders: readonly Part[];
  readonly isDistinct: boolean;
}

/**
 * Returns the sort keys that determine which of several equal rows a LIMIT returns, so that the result is
 * always the same. These are the keys of the groups or rows. With DISTINCT, they are the expressions of
 * SELECT, because the key of a row would make equal rows different.
 */
export function listTieBreakers(
  ctx: QueryContext,
  { shown: visible, groups, orders, isDistinct }: Shape,
): string[] {
  const isPlain = (sql: string): boolean => /^t\d+\.`(?:[^`]|``)*`$/.test(sql);
  const sorted = new Set(orders.map(({ sql }) => sql.replace(/ DESC$/, '')));
  const keys = [...ctx.joined].sort((a, b) => a - b).flatMap((mention) => ctx.keyOf(ctx.main, mention));
  const columns = visible.map(({ sql }) => sql).filter(isPlain);
  const rowKey = keys.length > 0 ? keys : columns;
  const requested = groups.length > 0 ? listGroupKey(keys, groups) : isDistinct ? columns : rowKey;
  return [...new Set(requested)].filter((column) => !sorted.has(column));
}

/**
 * Returns the primary keys among the groups, and the groups of tables without one. The other columns follow
 * from the keys.
 */
function listGroupKey(keys: readonly string[], groups: readonly string[]): readonly string[] {
  const own = groups.filter((group) => keys.includes(group));
  const others = groups.filter(
    (group) => !keys.includes(group) && !own.some((key) => key.split('.')[0] === group.split('.')[0]),
  );
  return [...own, ...others];
}
