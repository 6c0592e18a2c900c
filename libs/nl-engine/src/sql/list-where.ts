import { isHaving } from './list-groups.js';
import type { QueryContext } from './query-context.js';
import { quoteName } from '@rowhouse/schema-model';
import { aggregateOverPath, renderConditions } from './render-conditions.js';
import { renderExists, renderRestrictions } from './render-restrictions.js';
import type { Part, Scope } from './sql-parts.js';
import { findReferencedSplit, splitContradiction } from './split-contradiction.js';

/** Returns the conditions of WHERE in the outer SELECT. */
export function listWhere(ctx: QueryContext): Part[] {
  const { draft } = ctx.assignment;
  const share = draft.targets.find((target) => target.kind === 'share');
  if (share !== undefined)
    return renderConditions(
      ctx,
      ctx.main,
      share.mention,
      (draft.mentions[share.mention]?.conditions ?? []).slice(0, share.wholeConditions),
    );
  const parts: Part[] = [];
  for (const mention of ctx.joined) {
    const split = splitContradiction(ctx.assignment, mention);
    const conditions = split?.[0] ?? draft.mentions[mention]?.conditions ?? [];
    parts.push(
      ...renderConditions(
        ctx,
        ctx.main,
        mention,
        conditions.filter((condition) => !isHaving(ctx, condition)),
      ),
    );
    if (split !== null)
      parts.push(renderDuplicate(ctx, (inner) => renderConditions(ctx, inner, 0, split[1])));
  }
  const outer = findReferencedSplit(ctx.assignment, 0);
  if (outer === null)
    return [...renderRestrictions(ctx, ctx.main, ctx.joined, parts), ...excludeEmptyAggregates(ctx)];
  const [item, other] = outer.halves;
  parts.push(
    renderDuplicate(ctx, (inner) => [
      ...renderConditions(ctx, inner, 0),
      renderExists(ctx, inner, outer.child, new Map([[outer.mention, other]])),
    ]),
  );
  return renderRestrictions(ctx, ctx.main, ctx.joined, parts, new Map([[outer.mention, item]]));
}

/**
 * Returns conditions that exclude rows without an aggregate, if a result with a limit is sorted by it. A row
 * without child rows has neither the highest nor the lowest average.
 */
function excludeEmptyAggregates(ctx: QueryContext): Part[] {
  const { draft, columns } = ctx.assignment;
  if (draft.limit === null) return [];
  return draft.orders.flatMap(({ key }) => {
    const bound = key.kind === 'column' && key.fn !== null ? columns.get(key.column) : undefined;
    if (
      key.kind !== 'column' ||
      key.fn === null ||
      bound === undefined ||
      bound.path.every((edge) => edge.isToOne)
    )
      return [];
    return [{ sql: `(${aggregateOverPath(ctx, ctx.main, bound, key.fn).sql}) IS NOT NULL`, params: [] }];
  });
}

/**
 * Returns an EXISTS for another row of the main table with the same returned values. The other row must also
 * match the conditions that `render` returns, as in `countries with both …`.
 */
function renderDuplicate(ctx: QueryContext, render: (inner: Scope) => readonly Part[]): Part {
  const { draft, columns, tables } = ctx.assignment;
  const inner: Scope = { joins: [], aliases: new Map() };
  const alias = ctx.alias(inner, '0');
  const visible = draft.targets.flatMap((target) =>
    target.kind === 'column' ? [columns.get(target.column)?.column.name ?? ''] : [],
  );
  const equalities = visible.map(
    (name) => `${alias}.${quoteName(name)} = ${ctx.alias(ctx.main, '0')}.${quoteName(name)}`,
  );
  const tests = render(inner);
  return {
    sql: `EXISTS (SELECT 1 FROM ${quoteName(tables[0]?.name ?? '')} AS ${alias}${inner.joins.map((join) => ` ${join}`).join('')} WHERE ${[...equalities, ...tests.map((part) => part.sql)].join(' AND ')})`,
    params: tests.flatMap((part) => part.params),
  };
}

/**
 * Reports whether a second row with the same returned values can be required, as for two values of one
 * column. All returned values must be columns of the main table, and not part of its primary key.
 */
export function canRequireSecondRow({ assignment: { draft, columns, tables } }: QueryContext): boolean {
  const key = tables[0]?.primaryKey ?? [];
  return (
    draft.orders.length === 0 &&
    draft.targets.every(
      (target) =>
        target.kind === 'column' &&
        target.fn === null &&
        columns.get(target.column)?.mention === 0 &&
        columns.get(target.column)?.path.length === 0 &&
        !key.includes(columns.get(target.column)?.column.name ?? ''),
    )
  );
}
