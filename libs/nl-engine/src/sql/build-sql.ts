import type { Assignment } from '../resolve/assign.js';
import type { Statement } from '../types.js';
import { hasAggregate, isGroupedByRow, isSizeOrder, listGroups } from './list-groups.js';
import { listHaving } from './list-having.js';
import { listOrders, listTieBreakers } from './list-orders.js';
import { listSelect } from './list-select.js';
import { canTwin, listWhere } from './list-where.js';
import { QueryContext } from './query-context.js';
import { quote } from './quote.js';
import type { Part } from './scope.js';
import { splitContradiction } from './split-contradiction.js';

interface Parts {
  readonly from: string;
  readonly select: readonly Part[];
  readonly where: readonly Part[];
  readonly groups: readonly string[];
  readonly having: readonly string[];
  readonly orders: readonly Part[];
  readonly isDistinct: boolean;
}

/** The statement for one way to take the question; null where that way makes no sense. */
export function buildSql(assignment: Assignment): Statement | null {
  const ctx = new QueryContext(assignment);
  const parts = canStand(assignment, ctx) ? listParts(ctx) : null;
  return parts === null || ctx.isBroken || !makesSense(ctx, parts) ? null : write(ctx, parts);
}

/** Rows that must not be there, or a number of which must be, are no rows to show. */
function canStand({ draft, tables }: Assignment, { joined }: QueryContext): boolean {
  if (tables[0] === undefined || draft.mentions[0]?.negated === true) return false;
  return ![...joined].some((at) => at > 0 && (draft.mentions[at]?.negated === true || draft.mentions[at]?.quantity !== null));
}

function listParts(ctx: QueryContext): Parts | null {
  const { assignment, main, joined } = ctx;
  const from = `${quote(assignment.tables[0]?.name ?? '')} AS ${ctx.alias(main, '0')}`;
  for (const mention of [...joined].sort((a, b) => a - b)) if (mention > 0) ctx.joinMention(mention);
  const groups = listGroups(ctx);
  const isGrouped = groups.length > 0;
  const select = listSelect(ctx, isGrouped);
  if (select === null || select.length === 0) return null;
  const isTwinned = splitContradiction(assignment, 0) !== null;
  if ((isTwinned && !canTwin(ctx)) || [...joined].some((at) => at > 0 && splitContradiction(assignment, at) !== null)) return null;
  const where = listWhere(ctx);
  const having = listHaving(ctx);
  const orders = listOrders(ctx, isGrouped);
  return orders === null ? null : { from, select, where, groups, having, orders, isDistinct: (assignment.draft.distinct || isTwinned) && !isGrouped };
}

function makesSense(ctx: QueryContext, { groups, having, orders }: Parts): boolean {
  const { draft } = ctx.assignment;
  const isGrouped = groups.length > 0;
  if (isGrouped && (isSizeOrder(ctx) || draft.targets.some((target) => target.kind === 'count' && !target.distinct)) && isGroupedByRow(ctx, groups)) return false;
  if (draft.limit !== null && draft.orders.length === 0) return false;
  if (isSizeOrder(ctx) && draft.mentions.some((mention, at) => at > 0 && !ctx.joined.has(at) && mention.conditions.length === 0 && !mention.negated && mention.quantity === null)) return false;
  if (having.length > 0 && (!isGrouped || isGroupedByRow(ctx, groups))) return false;
  return isGrouped || !hasAggregate(ctx) || (orders.length === 0 && draft.limit === null);
}

function write(ctx: QueryContext, { from, select, where, groups, having, orders, isDistinct }: Parts): Statement {
  const { limit } = ctx.assignment.draft;
  const tieBreakers = limit === null ? [] : listTieBreakers(ctx, { shown: select, groups, orders, isDistinct });
  const sql = [
    `SELECT ${isDistinct ? 'DISTINCT ' : ''}${select.map((part) => part.sql).join(', ')}`,
    `FROM ${[from, ...ctx.main.joins].join(' ')}`,
    ...(where.length > 0 ? [`WHERE ${where.map((part) => part.sql).join(' AND ')}`] : []),
    ...(groups.length > 0 ? [`GROUP BY ${groups.join(', ')}`] : []),
    ...(having.length === 0 ? [] : [`HAVING ${having.join(' AND ')}`]),
    ...(orders.length > 0 ? [`ORDER BY ${[...orders.map((part) => part.sql), ...tieBreakers].join(', ')}`] : []),
    ...(limit === null ? [] : [`LIMIT ${limit}`]),
  ].join(' ');
  return { sql, params: [...select, ...where, ...orders].flatMap((part) => part.params), tieBreakers };
}
