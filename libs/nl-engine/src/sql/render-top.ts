import type { Condition } from '../types.js';
import type { QueryContext } from './query-context.js';
import { quoteName } from '@rowhouse/schema-model';
import { renderFollowingRows } from './render-restrictions.js';
import type { Part, Scope } from './sql-parts.js';

/** Renders `key = (the key of the first row)`. Ties are resolved by the lowest key. */
export function renderTop(
  ctx: QueryContext,
  scope: Scope,
  mention: number,
  condition: Condition & { readonly kind: 'top' | 'topCount' },
): Part | null {
  const table = ctx.assignment.tables[mention];
  const [key, ...more] = table?.primaryKey ?? [];
  if (table === undefined || key === undefined || more.length > 0) return null;
  const inner: Scope = { joins: [], aliases: new Map() };
  const alias = ctx.alias(inner, String(mention));
  const by =
    condition.kind === 'top'
      ? formatColumn(ctx, alias, mention, condition)
      : formatCount(ctx, inner, mention, condition.mention);
  if (by === null) return null;
  const method = condition.direction === 'desc' ? ' DESC' : '';
  return {
    sql: `${ctx.alias(scope, String(mention))}.${quoteName(key)} = (SELECT ${alias}.${quoteName(key)} FROM ${quoteName(table.name)} AS ${alias} ORDER BY ${by.sql}${method}, ${alias}.${quoteName(key)} LIMIT 1)`,
    params: by.params,
  };
}

function formatColumn(
  ctx: QueryContext,
  alias: string,
  mention: number,
  { column }: Condition & { readonly kind: 'top' },
): Part | null {
  const bound = ctx.assignment.columns.get(column);
  return bound === undefined || bound.mention !== mention || bound.path.length > 0 || bound.via !== null
    ? null
    : { sql: `${alias}.${quoteName(bound.column.name)}`, params: [] };
}

function formatCount(ctx: QueryContext, inner: Scope, mention: number, counted: number): Part | null {
  const { draft, paths } = ctx.assignment;
  if (draft.mentions[counted]?.parent !== mention || (paths[counted] ?? []).every((edge) => edge.isToOne))
    return null;
  const rows = renderFollowingRows(ctx, inner, counted);
  return { sql: `(SELECT COUNT(*) ${rows.sql})`, params: rows.params };
}
