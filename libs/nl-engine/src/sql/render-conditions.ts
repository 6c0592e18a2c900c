import type { Bound } from '../resolve/assignment.js';
import type { Aggregate, Condition, Param } from '../types.js';
import { toPathKey, type QueryContext } from './query-context.js';
import { quoteName } from '@rowhouse/schema-model';
import { renderCondition, type ConditionScope } from './render-condition.js';
import type { Part, Scope } from './sql-parts.js';

/**
 * Returns the SQL conditions of a mention, or only those in `only`. The scope contains the rows of the
 * mention.
 */
export function renderConditions(
  ctx: QueryContext,
  scope: Scope,
  mention: number,
  only?: readonly Condition[],
): Part[] {
  const { columns, values, draft } = ctx.assignment;
  const conditionScope: ConditionScope = {
    columnOf: (ref) => {
      const bound = columns.get(ref);
      return bound === undefined ? null : { bound, sql: nameColumn(ctx, scope, bound) };
    },
    valueOf: (condition) => {
      const bound = values.get(condition.kind === 'value' ? (condition.of ?? condition) : condition);
      return bound === undefined ? null : { bound, sql: nameColumn(ctx, scope, bound) };
    },
    aggregateOverChildren: (ref, fn) => {
      const bound = columns.get(ref);
      return bound === undefined || bound.path.every((edge) => edge.isToOne)
        ? null
        : aggregateOverPath(ctx, scope, bound, fn);
    },
    aggregateOverTable: (bound, fn, where) => aggregateOverTable(ctx, bound, fn, where),
    renderTopValue: (bound, direction) => renderTopValue(ctx, bound, direction),
    top: (condition) => ctx.renderTop(ctx, scope, mention, condition),
    exists: (bound, test, params, negated) => renderExistsOver(ctx, scope, bound, { test, params, negated }),
  };
  return (only ?? draft.mentions[mention]?.conditions ?? []).flatMap((condition) => {
    const part = renderCondition(condition, conditionScope);
    if (part === null) ctx.break();
    return part === null ? [] : [part];
  });
}

/** Returns a subquery with an aggregate over the rows that a path joins to the outer row. */
export function aggregateOverPath(ctx: QueryContext, scope: Scope, bound: Bound, fn: string): Part {
  const inner: Scope = { joins: [], aliases: new Map() };
  const { from, on, last } = ctx.openPath(inner, ctx.alias(scope, String(bound.mention)), bound.path);
  return {
    sql: `SELECT ${fn.toUpperCase()}(${last}.${quoteName(bound.column.name)}) FROM ${[from, ...inner.joins].join(' ')} WHERE ${on}`,
    params: [],
  };
}

function aggregateOverTable(
  ctx: QueryContext,
  bound: Bound,
  fn: Aggregate,
  where: readonly Condition[],
): Part | null {
  const isOwn = bound.path.length === 0 && bound.via === null;
  if (!isOwn && where.length > 0) return null;
  const inner: Scope = { joins: [], aliases: new Map() };
  const alias = ctx.alias(inner, String(bound.mention));
  const tests = renderConditions(ctx, inner, bound.mention, where);
  const from = [`${quoteName(bound.table.name)} AS ${alias}`, ...inner.joins].join(' ');
  return {
    sql: `SELECT ${fn.toUpperCase()}(${alias}.${quoteName(bound.column.name)}) FROM ${from}${tests.length === 0 ? '' : ` WHERE ${tests.map((part) => part.sql).join(' AND ')}`}`,
    params: tests.flatMap((part) => part.params),
  };
}

/**
 * Returns a subquery for the most or least frequent value. If there are several such values, the subquery
 * returns the lowest.
 */
function renderTopValue(ctx: QueryContext, { table, column }: Bound, direction: 'asc' | 'desc'): Part {
  const alias = ctx.alias({ joins: [], aliases: new Map() }, '0');
  const name = `${alias}.${quoteName(column.name)}`;
  return {
    sql: `SELECT ${name} FROM ${quoteName(table.name)} AS ${alias} WHERE ${name} IS NOT NULL GROUP BY ${name} ORDER BY COUNT(*)${direction === 'desc' ? ' DESC' : ''}, ${name} LIMIT 1`,
    params: [],
  };
}

/**
 * Returns the column with its alias. Returns null if each row of the scope has many values. The caller then
 * compares the column inside EXISTS.
 */
function nameColumn(ctx: QueryContext, scope: Scope, bound: Bound): string | null {
  return bound.path.some((edge) => !edge.isToOne) && !scope.aliases.has(toPathKey(bound))
    ? null
    : ctx.column(scope, bound);
}

function renderExistsOver(
  ctx: QueryContext,
  scope: Scope,
  bound: Bound,
  {
    test,
    params,
    negated,
  }: {
    readonly test: (column: string) => string;
    readonly params: readonly Param[];
    readonly negated: boolean;
  },
): Part {
  const inner: Scope = { joins: [], aliases: new Map() };
  const { from, on, last } = ctx.openPath(inner, ctx.alias(scope, String(bound.mention)), bound.path);
  return {
    sql: `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM ${[from, ...inner.joins].join(' ')} WHERE ${on} AND ${test(`${last}.${quoteName(bound.column.name)}`)})`,
    params,
  };
}
