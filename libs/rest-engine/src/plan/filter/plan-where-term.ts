import type { CompiledColumn, CompiledTable, FilterOperator } from '@rowhouse/schema-model';
import { hintNearest, visibleColumnNames } from '../find-names.js';
import { compareBetween, compareMoment } from './moments/compare-moment.js';
import { takeMoment, type TakenMoment } from './moments/take-moment.js';
import { compareColumns } from './plan-column-comparison.js';
import { planCondition } from './plan-condition.js';
import { planNamedCondition, type ConditionContext } from './plan-named-condition.js';
import type { ComparisonSign, Condition } from './condition.js';
import { rejected, type PlannedCondition } from './condition.js';
import {
  takeDotted,
  takeLiteral,
  takeMark,
  takeName,
  takePath,
  takeSign,
  takeWord,
  type WhereLiteral,
  type WhereScanner,
} from './where-scanner.js';

const SIGNS: Readonly<Record<string, FilterOperator>> = {
  '=': 'eq',
  '!=': 'ne',
  '<>': 'ne',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
};
const COMPARISONS: Readonly<Partial<Record<FilterOperator, ComparisonSign>>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

/**
 * The result of planning one comparison. It is undefined if the text is not a comparison, and null if the
 * comparison has a fault. After `unreadable`, no further text can be parsed.
 */
export type WhereTerm = Condition | null | undefined | 'unreadable';

export function planWhereTerm(table: CompiledTable, scanner: WhereScanner, ctx: ConditionContext): WhereTerm {
  const dotted = takeDotted(scanner);
  if (dotted !== null) return planDotted(table, dotted, ctx);
  const path = takePath(scanner);
  if (path === null) return undefined;
  const compare = (operator: FilterOperator, text: string): Condition | null =>
    planTerm(table, path, operator, (column) => planCondition(column, operator, text), ctx);
  const sign = takeSign(scanner);
  if (sign !== null) return planSigned(table, scanner, path, SIGNS[sign] ?? 'eq', ctx);
  if (takeWord(scanner, 'IS')) {
    const isNegated = takeWord(scanner, 'NOT');
    return takeWord(scanner, 'NULL') ? compare('isnull', String(!isNegated)) : undefined;
  }
  const isNegated = takeWord(scanner, 'NOT');
  if (takeWord(scanner, 'LIKE')) {
    const literal = takeLiteral(scanner);
    return literal?.kind === 'text' ? compare(isNegated ? 'not_like' : 'like', literal.text) : undefined;
  }
  if (takeWord(scanner, 'IN')) return planList(takeList(scanner), isNegated ? 'not_in' : 'in', compare);
  return takeWord(scanner, 'BETWEEN') ? planBetween(table, scanner, path, isNegated, ctx) : undefined;
}

/** Plans a comparison, from the right side of its sign: a value, a relative date or another column. */
function planSigned(
  table: CompiledTable,
  scanner: WhereScanner,
  path: readonly string[],
  operator: FilterOperator,
  ctx: ConditionContext,
): WhereTerm {
  const operand = takeOperand(scanner);
  switch (operand.kind) {
    case 'none':
      return undefined;
    case 'refused':
      return rejectMoment(operand, ctx);
    case 'column':
      return planColumns(table, path, operator, operand.path, ctx);
    default:
      return planTerm(table, path, operator, (column) => compareOperand(column, operator, operand, ctx), ctx);
  }
}

type Operand =
  | WhereLiteral
  | Exclude<TakenMoment, { readonly kind: 'none' }>
  | { readonly kind: 'column'; readonly path: readonly string[] }
  | { readonly kind: 'none' };

function takeOperand(scanner: WhereScanner): Operand {
  const moment = takeMoment(scanner);
  if (moment.kind !== 'none') return moment;
  const literal = takeLiteral(scanner);
  if (literal !== null) return literal;
  const path = takeName(scanner);
  return path === null ? { kind: 'none' } : { kind: 'column', path };
}

function compareOperand(
  column: CompiledColumn,
  operator: FilterOperator,
  operand: WhereLiteral | (TakenMoment & { readonly kind: 'moment' }),
  { budget }: ConditionContext,
): PlannedCondition {
  if (operand.kind === 'text') return planCondition(column, operator, operand.text);
  if (operand.kind === 'null')
    return rejected('A comparison with NULL matches nothing.', 'filter_value', `${column.name} IS NULL`);
  return compareMoment(column, COMPARISONS[operator] ?? '=', operand.expression, () => budget.now());
}

/**
 * Plans a comparison of two columns of one record. This record is in the request's table, or at the end of
 * their common path.
 */
function planColumns(
  table: CompiledTable,
  path: readonly string[],
  operator: FilterOperator,
  other: readonly string[],
  ctx: ConditionContext,
): Condition | null {
  const isTogether =
    path.length === other.length && path.slice(0, -1).every((name, index) => name === other[index]);
  if (!isTogether) {
    ctx.faults.add(
      ctx.loc,
      `${path.join('.')} and ${other.join('.')} belong to different records.`,
      'not_comparable',
      'Compare columns of the same record: comments.updated_at > comments.created_at.',
    );
    return null;
  }
  const name = other.at(-1) ?? '';
  return planNamedCondition(
    table,
    { path, jsonPath: null, operator },
    () => null,
    (column, holder) => {
      const found = holder.findColumn(name);
      if (found !== null) return compareColumns(column, COMPARISONS[operator] ?? '=', found);
      return rejected(
        `${holder.name} has no column ${JSON.stringify(name)}.`,
        'unknown_column',
        hintNearest(name, visibleColumnNames(holder)) ?? `Put a text in quotes: '${name}'.`,
      );
    },
    ctx,
  );
}

function rejectMoment(
  { msg, hint }: TakenMoment & { readonly kind: 'refused' },
  { faults, loc }: ConditionContext,
): 'unreadable' {
  faults.add(loc, msg, 'where_parsing', hint);
  return 'unreadable';
}

function planBetween(
  table: CompiledTable,
  scanner: WhereScanner,
  path: readonly string[],
  isNegated: boolean,
  ctx: ConditionContext,
): WhereTerm {
  const low = takeBound(scanner);
  const high = takeWord(scanner, 'AND') ? takeBound(scanner) : ({ kind: 'none' } as const);
  const wrong = [low, high].find((bound) => bound.kind === 'refused');
  if (wrong?.kind === 'refused') return rejectMoment(wrong, ctx);
  if (low.kind === 'none' || high.kind === 'none' || low.kind === 'refused' || high.kind === 'refused')
    return undefined;
  const operator = isNegated ? 'not_between' : 'between';
  if (low.kind === 'text' && high.kind === 'text')
    return planTerm(
      table,
      path,
      operator,
      (column) => planCondition(column, operator, JSON.stringify([low.text, high.text])),
      ctx,
    );
  return planTerm(
    table,
    path,
    operator,
    (column) =>
      compareBetween(isNegated, [
        compareOperand(column, 'gte', low, ctx),
        compareOperand(column, 'lte', high, ctx),
      ]),
    ctx,
  );
}

/** Reads one bound of BETWEEN. */
function takeBound(scanner: WhereScanner): Exclude<Operand, { readonly kind: 'column' | 'null' }> {
  const moment = takeMoment(scanner);
  if (moment.kind !== 'none') return moment;
  const literal = takeLiteral(scanner);
  return literal?.kind === 'text' ? literal : { kind: 'none' };
}

function planTerm(
  table: CompiledTable,
  path: readonly string[],
  operator: FilterOperator,
  make: (column: CompiledColumn) => PlannedCondition,
  ctx: ConditionContext,
): Condition | null {
  return planNamedCondition(table, { path, jsonPath: null, operator }, () => null, make, ctx);
}

function planList(
  items: readonly string[] | null,
  operator: FilterOperator,
  compare: (operator: FilterOperator, text: string) => Condition | null,
): Condition | null | undefined {
  return items === null ? undefined : compare(operator, JSON.stringify(items));
}

function takeList(scanner: WhereScanner): string[] | null {
  if (!takeMark(scanner, '(')) return null;
  const items: string[] = [];
  do {
    const literal = takeLiteral(scanner);
    if (literal?.kind !== 'text') return null;
    items.push(literal.text);
  } while (takeMark(scanner, ','));
  return takeMark(scanner, ')') ? items : null;
}

/** Plans a comparison in dotted form, such as `age.gte.18`, `id.in.(1,2)` or `bio.is.null`. */
function planDotted(
  table: CompiledTable,
  { path, operator, value }: { path: readonly string[]; operator: string; value: string },
  ctx: ConditionContext,
): Condition | null {
  const plain = /^"[^]*"$/.test(value) ? value.slice(1, -1).replaceAll('""', '"') : value;
  if (operator === 'is') {
    const isNull = /^null$/i.test(plain);
    const own =
      isNull || /^not_null$/i.test(plain)
        ? (['isnull', String(isNull)] as const)
        : (['eq', plain.toLowerCase()] as const);
    return planTerm(table, path, own[0], (column) => planCondition(column, own[0], own[1]), ctx);
  }
  const own = operator === 'neq' ? 'ne' : (operator as FilterOperator);
  const isList = own === 'in' || own === 'not_in';
  const text = isList
    ? value.replace(/^\((.*)\)$/s, '$1')
    : own === 'like' || own === 'ilike'
      ? toPercents(plain)
      : plain;
  return planTerm(table, path, own, (column) => planCondition(column, own, text), ctx);
}

/**
 * Converts the wildcard `*` to `%`. In the dotted form, both are wildcards, because `*` needs no escape in a
 * URL. `\*` is a literal asterisk.
 */
function toPercents(pattern: string): string {
  return pattern.replaceAll(/\\?[*]|\\[^*]/g, (mark) => (mark === '*' ? '%' : mark === '\\*' ? '*' : mark));
}
