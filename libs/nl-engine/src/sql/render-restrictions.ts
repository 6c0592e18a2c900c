import { listRankingMentions } from '../resolve/draft-references.js';
import type { Condition } from '../types.js';
import type { QueryContext } from './query-context.js';
import { renderConditions } from './render-conditions.js';
import { findSplit, splitExcept } from './split-contradiction.js';
import { type Part, renderQuantity, type Scope } from './sql-parts.js';

/** The conditions to use for each mention, when only some of them apply. */
type Only = ReadonlyMap<number, readonly Condition[]>;
const NOTHING: Only = new Map();

/**
 * Renders the mentions that filter the rows of this scope, after the conditions on the rows themselves
 * (`own`). Rows without child rows have neither the most nor the fewest.
 */
export function renderRestrictions(
  ctx: QueryContext,
  scope: Scope,
  inside: ReadonlySet<number>,
  own: readonly Part[] = [],
  only: Only = NOTHING,
): Part[] {
  const { mentions, orders, targets, limit } = ctx.assignment.draft;
  const parts: Part[] = [...own];
  const ranked = listRankingMentions(ctx.assignment.draft);
  for (const [index, mention] of mentions.entries()) {
    if (
      inside.has(index) ||
      ranked.has(index) ||
      !inside.has(mention.parent) ||
      orders.some(({ key }) => key.kind === 'count' && key.mention === index && limit === null) ||
      targets.some((target) => target.kind === 'size' && target.mention === index)
    )
      continue;
    const part = renderRestriction(ctx, scope, index, only);
    const last = parts.at(-1);
    if (mention.isAlternative && last !== undefined && (parts.length > own.length || inside.size === 1))
      parts[parts.length - 1] = {
        sql: `(${last.sql} OR ${part.sql})`,
        params: [...last.params, ...part.params],
      };
    else parts.push(part);
  }
  return parts;
}

function renderRestriction(ctx: QueryContext, outer: Scope, mention: number, only: Only): Part {
  if (only.has(mention)) return renderExists(ctx, outer, mention, only);
  const { quantity, negated } = ctx.assignment.draft.mentions[mention] ?? { quantity: null, negated: false };
  const split = findSplit(ctx.assignment, mention);
  if (split !== null && quantity === null && !negated) {
    const both = split.halves.map((conditions) =>
      renderFollowingRows(ctx, outer, mention, new Map([[split.mention, conditions]])),
    );
    return {
      sql: both.map((part) => `EXISTS (SELECT 1 ${part.sql})`).join(' AND '),
      params: both.flatMap((part) => part.params),
    };
  }
  const except = quantity === null && !negated ? splitExcept(ctx.assignment, mention) : null;
  if (except !== null) {
    const [has, hasNot] = except.map((conditions) =>
      renderFollowingRows(ctx, outer, mention, new Map([[mention, conditions]])),
    );
    if (has !== undefined && hasNot !== undefined)
      return {
        sql: `EXISTS (SELECT 1 ${has.sql}) AND NOT EXISTS (SELECT 1 ${hasNot.sql})`,
        params: [...has.params, ...hasNot.params],
      };
  }
  const inner = renderFollowingRows(ctx, outer, mention, only);
  // A quantity is meaningless when there is at most one row.
  if (quantity !== null && (ctx.assignment.paths[mention] ?? []).every((edge) => edge.isToOne)) ctx.break();
  if (quantity !== null)
    return {
      sql: `${negated ? 'NOT ' : ''}((SELECT COUNT(*) ${inner.sql}) ${renderQuantity(quantity)})`,
      params: inner.params,
    };
  return { sql: `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 ${inner.sql})`, params: inner.params };
}

/** Renders that a row of the parent has rows of the mention. */
export function renderExists(ctx: QueryContext, outer: Scope, mention: number, only: Only): Part {
  const { sql, params } = renderFollowingRows(ctx, outer, mention, only);
  return { sql: `EXISTS (SELECT 1 ${sql})`, params };
}

/** Renders `FROM … WHERE …` for the mention's rows under a row of its parent. */
export function renderFollowingRows(
  ctx: QueryContext,
  outer: Scope,
  mention: number,
  only: Only = NOTHING,
): Part {
  const inner: Scope = { joins: [], aliases: new Map() };
  const parent = ctx.alias(outer, String(ctx.assignment.draft.mentions[mention]?.parent ?? 0));
  const { from, on } = ctx.openPath(inner, parent, ctx.assignment.paths[mention] ?? [], String(mention));
  const own = renderConditions(ctx, inner, mention, only.get(mention));
  const tests = renderRestrictions(ctx, inner, new Set([mention]), own, only);
  return {
    sql: `FROM ${[from, ...inner.joins].join(' ')} WHERE ${[on, ...tests.map((part) => part.sql)].join(' AND ')}`,
    params: tests.flatMap((part) => part.params),
  };
}
