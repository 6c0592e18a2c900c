import type { Condition } from '../types.js';
import type { QueryContext } from './query-context.js';
import { quoteName } from '@rowhouse/schema-model';
import { renderChildRows } from './render-restrictions.js';
import type { Part, Scope } from './sql-parts.js';

/**
 * Returns the condition `key = (SELECT the key of the first row)`. Among equal rows, the row with the lowest
 * key is the first.
 */
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
  const sortKey =
    condition.kind === 'top'
      ? renderColumnKey(ctx, alias, mention, condition)
      : renderCountKey(ctx, inner, mention, condition.mention);
  if (sortKey === null) return null;
  const descending = condition.direction === 'desc' ? ' DESC' : '';
  return {
    sql: `${ctx.alias(scope, String(mention))}.${quoteName(key)} = (SELECT ${alias}.${quoteName(key)} FROM ${quoteName(table.name)} AS ${alias} ORDER BY ${sortKey.sql}${descending}, ${alias}.${quoteName(key)} LIMIT 1)`,
    params: sortKey.params,
  };
}

function renderColumnKey(
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

function renderCountKey(ctx: QueryContext, inner: Scope, mention: number, counted: number): Part | null {
  const { draft, paths } = ctx.assignment;
  if (draft.mentions[counted]?.parent !== mention || (paths[counted] ?? []).every((edge) => edge.isToOne))
    return null;
  const rows = renderChildRows(ctx, inner, counted);
  return { sql: `(SELECT COUNT(*) ${rows.sql})`, params: rows.params };
}
