import { listRankingMentions } from '../resolve/draft-references.js';
import type { Condition } from '../types.js';
import type { QueryContext } from './query-context.js';
import { renderConditions } from './render-conditions.js';
import { findSplit, splitExclusion } from './split-contradiction.js';
import { type Part, renderQuantity, type Scope } from './sql-parts.js';

/** For each mention, the conditions to use instead of all of its conditions. */
type ConditionsByMention = ReadonlyMap<number, readonly Condition[]>;
const NO_CONDITIONS: ConditionsByMention = new Map();

/**
 * Returns the child mentions that filter the rows of a scope, as EXISTS or as a comparison of a count. They
 * follow `own`, the conditions on the rows themselves. `inside` contains the mentions whose tables are joined
 * in the scope.
 */
export function renderRestrictions(
  ctx: QueryContext,
  scope: Scope,
  inside: ReadonlySet<number>,
  own: readonly Part[] = [],
  only: ConditionsByMention = NO_CONDITIONS,
): Part[] {
  const { mentions, orders, targets, limit } = ctx.assignment.draft;
  const parts: Part[] = [...own];
  const ranking = listRankingMentions(ctx.assignment.draft);
  for (const [index, mention] of mentions.entries()) {
    if (
      inside.has(index) ||
      ranking.has(index) ||
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

function renderRestriction(
  ctx: QueryContext,
  outer: Scope,
  mention: number,
  only: ConditionsByMention,
): Part {
  if (only.has(mention)) return renderExists(ctx, outer, mention, only);
  const { quantity, negated } = ctx.assignment.draft.mentions[mention] ?? { quantity: null, negated: false };
  const split = findSplit(ctx.assignment, mention);
  if (split !== null && quantity === null && !negated) {
    const both = split.halves.map((conditions) =>
      renderChildRows(ctx, outer, mention, new Map([[split.mention, conditions]])),
    );
    return {
      sql: both.map((part) => `EXISTS (SELECT 1 ${part.sql})`).join(' AND '),
      params: both.flatMap((part) => part.params),
    };
  }
  const except = quantity === null && !negated ? splitExclusion(ctx.assignment, mention) : null;
  if (except !== null) {
    const [has, hasNot] = except.map((conditions) =>
      renderChildRows(ctx, outer, mention, new Map([[mention, conditions]])),
    );
    if (has !== undefined && hasNot !== undefined)
      return {
        sql: `EXISTS (SELECT 1 ${has.sql}) AND NOT EXISTS (SELECT 1 ${hasNot.sql})`,
        params: [...has.params, ...hasNot.params],
      };
  }
  const inner = renderChildRows(ctx, outer, mention, only);
  // If a path leads to at most one row, a row count has no meaning.
  if (quantity !== null && (ctx.assignment.paths[mention] ?? []).every((edge) => edge.isToOne)) ctx.break();
  if (quantity !== null)
    return {
      sql: `${negated ? 'NOT ' : ''}((SELECT COUNT(*) ${inner.sql}) ${renderQuantity(quantity)})`,
      params: inner.params,
    };
  return { sql: `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 ${inner.sql})`, params: inner.params };
}

/** Returns an EXISTS for a mention's rows that belong to a row of its parent. */
export function renderExists(
  ctx: QueryContext,
  outer: Scope,
  mention: number,
  only: ConditionsByMention,
): Part {
  const { sql, params } = renderChildRows(ctx, outer, mention, only);
  return { sql: `EXISTS (SELECT 1 ${sql})`, params };
}

/** Returns `FROM … WHERE …` for a mention's rows that belong to a row of its parent. */
export function renderChildRows(
  ctx: QueryContext,
  outer: Scope,
  mention: number,
  only: ConditionsByMention = NO_CONDITIONS,
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
