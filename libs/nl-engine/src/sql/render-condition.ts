import type { Column } from '@rowhouse/schema-model';
import type { Bound } from '../resolve/assignment.js';
import { isCalendar, isNumeric } from '../resolve/column-kinds.js';
import type { Aggregate, ColumnRef, Comparison, Condition, Literal, Param } from '../types.js';
import { exactDigits, needsExactDigits, writtenDigits } from '../words/number-literal.js';

export interface RenderedCondition {
  readonly sql: string;
  readonly params: readonly Param[];
}

export interface ConditionScope {
  /**
   * Returns the column that was assigned to a reference. Returns null if none was assigned. The column's
   * `sql` is null if each row of the scope has many values of the column.
   */
  readonly columnOf: (ref: ColumnRef) => FoundColumn | null;
  readonly valueOf: (condition: Condition) => FoundColumn | null;
  /**
   * Returns the SQL for an aggregate of a column over all rows of its table that match `where`. Returns null
   * if these conditions need joins.
   */
  readonly aggregateOverTable: (
    bound: Bound,
    fn: Aggregate,
    where: readonly Condition[],
  ) => RenderedCondition | null;
  /**
   * Returns the SQL for an aggregate of a column over the child rows of each row in this scope. Returns null
   * for a column of the row itself.
   */
  readonly aggregateOverChildren: (ref: ColumnRef, fn: Aggregate) => RenderedCondition | null;
  /** Returns the SQL for the most or least frequent value of a column in its table. */
  readonly renderTopValue: (bound: Bound, direction: 'asc' | 'desc') => RenderedCondition;
  /**
   * Returns the SQL condition that only the first of all rows matches. Returns null if the table has no key
   * of a single column, or if the column belongs to another table.
   */
  readonly top: (condition: Condition & { readonly kind: 'top' | 'topCount' }) => RenderedCondition | null;
  readonly exists: (
    bound: Bound,
    test: (column: string) => string,
    params: readonly Param[],
    negated: boolean,
  ) => RenderedCondition;
}

/**
 * Returns a condition as an SQL expression with its parameters. Returns null if the scope cannot express the
 * condition.
 */
export function renderCondition(condition: Condition, scope: ConditionScope): RenderedCondition | null {
  switch (condition.kind) {
    case 'any':
    case 'all':
      return combine(condition, scope);
    case 'value': {
      const found = scope.valueOf(condition);
      if (found === null) return null;
      return renderTest(
        scope,
        found,
        (column) => `${column} = ?`,
        [found.bound.value ?? ''],
        condition.negated,
      );
    }
    case 'aggregate': {
      const aggregate = scope.aggregateOverChildren(condition.column, condition.fn);
      if (aggregate === null) return null;
      const { op, value } = condition;
      const operand = renderOperand(value);
      return {
        sql: `(${aggregate.sql}) ${op} ${operand.sql}`,
        params: [...aggregate.params, ...operand.params],
      };
    }
    case 'top':
    case 'topCount':
      return scope.top(condition);
    default: {
      const found = scope.columnOf(condition.column);
      return found === null ? null : renderOnColumn(condition, found, scope);
    }
  }
}

function combine(
  { kind, parts }: Condition & { readonly kind: 'any' | 'all' },
  scope: ConditionScope,
): RenderedCondition | null {
  const rendered = parts.flatMap((part) => renderCondition(part, scope) ?? []);
  if (rendered.length < parts.length) return null;
  return {
    sql: `(${rendered.map((part) => part.sql).join(kind === 'any' ? ' OR ' : ' AND ')})`,
    params: rendered.flatMap((part) => part.params),
  };
}

/** An assigned column. `sql` is null if each row of the scope has many values of the column. */
interface FoundColumn {
  readonly bound: Bound;
  readonly sql: string | null;
}

function renderOnColumn(
  condition: Condition & {
    readonly kind: 'compare' | 'between' | 'like' | 'null' | 'topValue' | 'toAggregate';
  },
  found: FoundColumn,
  scope: ConditionScope,
): RenderedCondition | null {
  switch (condition.kind) {
    case 'compare':
      return compare(condition, found, scope);
    case 'between':
      return renderBetween(condition, found, scope);
    case 'like': {
      const text = condition.text.replace(/[\\%_]/g, '\\$&');
      const pattern =
        condition.place === 'start' ? `${text}%` : condition.place === 'end' ? `%${text}` : `%${text}%`;
      const operator = condition.negated ? 'NOT LIKE' : 'LIKE';
      return renderTest(scope, found, (column) => `${column} ${operator} ?`, [pattern], false);
    }
    case 'null': {
      const operator = condition.negated ? 'IS NOT NULL' : 'IS NULL';
      return renderTest(scope, found, (column) => `${column} ${operator}`, [], false);
    }
    case 'topValue': {
      const aggregate = scope.renderTopValue(found.bound, condition.direction);
      return renderTest(scope, found, (column) => `${column} = (${aggregate.sql})`, aggregate.params, false);
    }
    case 'toAggregate': {
      const aggregate = scope.aggregateOverTable(found.bound, condition.fn, condition.where);
      return aggregate === null
        ? null
        : renderTest(
            scope,
            found,
            (column) => `${column} ${condition.op} (${aggregate.sql})`,
            aggregate.params,
            false,
          );
    }
  }
}

function renderBetween(
  { low, high }: Condition & { readonly kind: 'between' },
  found: FoundColumn,
  scope: ConditionScope,
): RenderedCondition | null {
  if (isCalendar(found.bound.column) && low.kind === 'number' && high.kind === 'number')
    return comparePeriod(found, scope, {
      kind: 'period',
      from: `${low.value}-01-01`,
      to: `${high.value + 1}-01-01`,
    });
  const [from, to] = [renderOperand(low), renderOperand(high)];
  return renderTest(
    scope,
    found,
    (column) => `${toDay(column, found.bound.column, low)} BETWEEN ${from.sql} AND ${to.sql}`,
    [...from.params, ...to.params],
    false,
  );
}

function compare(
  condition: Condition & { readonly kind: 'compare' },
  found: FoundColumn,
  scope: ConditionScope,
): RenderedCondition | null {
  if (condition.value.kind === 'period') return comparePeriod(found, scope, condition.value);
  const years =
    isCalendar(found.bound.column) && condition.value.kind === 'number'
      ? toYears(condition.op, condition.value.value)
      : null;
  if (years !== null) return comparePeriod(found, scope, years);
  const isNegated = condition.op === '!=' && found.sql === null;
  const op: Comparison = isNegated ? '=' : condition.op;
  const operand = renderEqual(condition.op, condition.value, found.bound.column);
  return renderTest(
    scope,
    found,
    (column) => `${toDay(column, found.bound.column, condition.value)} ${op} ${operand.sql}`,
    operand.params,
    isNegated,
  );
}

/**
 * Converts a comparison of a date with a year to a period. `after 2020` becomes the period from 2021-01-01.
 * Returns null for `!=`, which is not a single period.
 */
function toYears(op: Comparison, year: number): (Literal & { readonly kind: 'period' }) | null {
  const [start, next] = [`${year}-01-01`, `${year + 1}-01-01`];
  const bounds = {
    '=': [start, next],
    '<': [null, start],
    '<=': [null, next],
    '>': [next, null],
    '>=': [start, null],
    '!=': null,
  }[op];
  return bounds === null ? null : { kind: 'period', from: bounds[0] ?? null, to: bounds[1] ?? null };
}

function comparePeriod(
  found: FoundColumn,
  scope: ConditionScope,
  { from, to }: Literal & { readonly kind: 'period' },
): RenderedCondition | null {
  if (isNumeric(found.bound.column) || found.bound.column.valueKind === 'year') return null;
  const bounds = [
    ...(from === null ? [] : [['>=', from] as const]),
    ...(to === null ? [] : [['<', to] as const]),
  ];
  return renderTest(
    scope,
    found,
    (column) => bounds.map(([op]) => `${column} ${op} ?`).join(' AND '),
    bounds.map(([, value]) => value),
    false,
  );
}

function renderTest(
  scope: ConditionScope,
  found: FoundColumn,
  test: (column: string) => string,
  params: readonly Param[],
  negated: boolean,
): RenderedCondition {
  if (found.sql === null) return scope.exists(found.bound, test, params, negated);
  return { sql: negated ? `NOT (${test(found.sql)})` : test(found.sql), params };
}

/** Returns the column, inside YEAR() if it is a date column that is compared with a number. */
function toDay(column: string, { valueKind }: Column, literal: Literal): string {
  return literal.kind === 'number' && isCalendar({ valueKind } as Column) ? `YEAR(${column})` : column;
}

/**
 * Returns the right side of a comparison. If a text column must be equal to a number, the number becomes a
 * text. Otherwise, the server would convert the column to numbers, and texts without digits to 0.
 */
function renderEqual(op: Comparison, literal: Literal, { valueKind }: Column): RenderedCondition {
  const isText = (valueKind === 'string' || valueKind === 'enum') && (op === '=' || op === '!=');
  return literal.kind === 'number' && isText
    ? { sql: '?', params: [writtenDigits(literal)] }
    : renderOperand(literal);
}

/**
 * Returns a placeholder for a literal. A number that would lose digits as a double is written into the SQL
 * instead.
 */
function renderOperand(literal: Literal): RenderedCondition {
  if (literal.kind === 'number')
    return needsExactDigits(literal)
      ? { sql: exactDigits(literal), params: [] }
      : { sql: '?', params: [literal.value] };
  return { sql: '?', params: [literal.kind === 'text' ? literal.text : ''] };
}
