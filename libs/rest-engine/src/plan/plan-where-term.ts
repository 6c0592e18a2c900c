import type { CompiledColumn, CompiledTable, FilterOperator } from '@rowhouse/schema-model';
import { planCondition } from './plan-condition.js';
import { planNamedCondition, type ConditionContext } from './plan-named-condition.js';
import type { ComparisonSign, Condition } from './plan.js';
import { refused, type PlannedCondition } from './planned-condition.js';
import { isDayKind } from './values/coerce-temporal.js';
import { takeDotted, takeLiteral, takeMark, takePath, takeSign, takeWord, type WhereLiteral, type WhereScanner } from './where-scanner.js';

const SIGNS: Readonly<Record<string, FilterOperator>> = { '=': 'eq', '!=': 'ne', '<>': 'ne', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' };
const COMPARISONS: Readonly<Partial<Record<FilterOperator, ComparisonSign>>> = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' };

/** Undefined: this is no comparison. Null: it is one, with a fault. */
export function planWhereTerm(table: CompiledTable, scanner: WhereScanner, ctx: ConditionContext): Condition | null | undefined {
  const dotted = takeDotted(scanner);
  if (dotted !== null) return planDotted(table, dotted, ctx);
  const path = takePath(scanner);
  if (path === null) return undefined;
  const compare = (operator: FilterOperator, text: string): Condition | null => planTerm(table, path, operator, (column) => planCondition(column, operator, text), ctx);
  const sign = takeSign(scanner);
  if (sign !== null) {
    const literal = takeLiteral(scanner);
    const operator = SIGNS[sign] ?? 'eq';
    return literal === null ? undefined : planTerm(table, path, operator, (column) => compareLiteral(column, operator, literal), ctx);
  }
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
  if (takeWord(scanner, 'BETWEEN')) return planList(takeBounds(scanner), isNegated ? 'not_between' : 'between', compare);
  return undefined;
}

function planTerm(table: CompiledTable, path: readonly string[], operator: FilterOperator, make: (column: CompiledColumn) => PlannedCondition, ctx: ConditionContext): Condition | null {
  return planNamedCondition(table, { path, jsonPath: null, operator }, () => null, make, ctx);
}

function planList(items: readonly string[] | null, operator: FilterOperator, compare: (operator: FilterOperator, text: string) => Condition | null): Condition | null | undefined {
  return items === null ? undefined : compare(operator, JSON.stringify(items));
}

function compareLiteral(column: CompiledColumn, operator: FilterOperator, literal: WhereLiteral): PlannedCondition {
  if (literal.kind === 'text') return planCondition(column, operator, literal.text);
  if (literal.kind === 'null') return refused('Nothing equals NULL.', 'filter_value', `${column.name} IS NULL`);
  if (!isDayKind(column)) return refused(`${column.name} is no date column.`, 'not_comparable');
  return { kind: 'condition', condition: { kind: 'now', column, operator: COMPARISONS[operator] ?? '=' } };
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

function takeBounds(scanner: WhereScanner): string[] | null {
  const low = takeLiteral(scanner);
  const high = takeWord(scanner, 'AND') ? takeLiteral(scanner) : null;
  return low?.kind === 'text' && high?.kind === 'text' ? [low.text, high.text] : null;
}

/** `age.gte.18`, `id.in.(1,2)`, `bio.is.null`. */
function planDotted(table: CompiledTable, { path, operator, value }: { path: readonly string[]; operator: string; value: string }, ctx: ConditionContext): Condition | null {
  const plain = /^"[^]*"$/.test(value) ? value.slice(1, -1).replaceAll('""', '"') : value;
  if (operator === 'is') {
    const isNull = /^null$/i.test(plain);
    const own = isNull || /^not_null$/i.test(plain) ? (['isnull', String(isNull)] as const) : (['eq', plain.toLowerCase()] as const);
    return planTerm(table, path, own[0], (column) => planCondition(column, own[0], own[1]), ctx);
  }
  const own = operator === 'neq' ? 'ne' : (operator as FilterOperator);
  const isList = own === 'in' || own === 'not_in';
  const text = isList ? value.replace(/^\((.*)\)$/s, '$1') : own === 'like' || own === 'ilike' ? toPercents(plain) : plain;
  return planTerm(table, path, own, (column) => planCondition(column, own, text), ctx);
}

/** In this form `*` is a wildcard as `%` is, so that an address needs no escape; `\*` is a star. */
function toPercents(pattern: string): string {
  return pattern.replaceAll(/\\?[*]|\\[^*]/g, (mark) => (mark === '*' ? '%' : mark === '\\*' ? '*' : mark));
}
