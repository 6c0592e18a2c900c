import { PATTERN_OPERATORS, type CompiledColumn, type FilterOperator } from '@rowhouse/schema-model';
import { isJsonArray, isJsonObject } from '../../request/json-value.js';
import type { JsonValue } from '../../request/json-value.js';
import { findWrongPattern, toPattern, type PatternOperator } from './plan-pattern.js';
import type { ComparisonSign, Condition } from './condition.js';
import { rejected, type PlannedCondition } from './condition.js';
import { splitList } from './split-list.js';
import { readExactNumber, type ExactNumber } from '../../values/exact-number.js';

const SIGNS: Readonly<Partial<Record<FilterOperator, ComparisonSign>>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};
const PATTERNS: ReadonlySet<string> = new Set(PATTERN_OPERATORS);
const LIST_VALUES_MAX = 50;

/** A value to compare with. A `loose` value is text from a URL, where 5 may mean the number or the text. */
type Value =
  | { readonly kind: 'loose' | 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly value: ExactNumber }
  | { readonly kind: 'boolean'; readonly value: boolean };

/**
 * Plans a comparison of a value inside a JSON column. A missing value counts as NULL, so only `isnull`
 * matches it.
 */
export function planJsonPath(
  column: CompiledColumn,
  path: string,
  operator: FilterOperator,
  provided: string | { readonly json: JsonValue },
): PlannedCondition {
  if (column.valueKind !== 'json')
    return rejected(`${column.name} is not a JSON column, so -> cannot be used.`, 'not_comparable');
  const text =
    typeof provided === 'string' ? provided : typeof provided.json === 'string' ? provided.json : null;
  if (operator === 'isnull' || (typeof provided !== 'string' && provided.json === null))
    return planNull(column, path, operator, provided);
  if (PATTERNS.has(operator)) {
    if (text === null || /[\ud800-\udfff]/u.test(text))
      return rejected('A pattern must be a string.', 'filter_value');
    return fits({ kind: 'json_like', column, path, ...toPattern(operator as PatternOperator, text) });
  }
  if (operator === 'regex')
    return text === null
      ? rejected('A pattern must be a string.', 'filter_value')
      : planRegexInside(column, path, text);
  if (operator === 'in' || operator === 'not_in' || operator === 'between' || operator === 'not_between')
    return planMany(column, path, operator, provided);
  const value =
    typeof provided === 'string' ? ({ kind: 'loose', text: provided } as const) : toValue(provided.json);
  if (value === null) return rejected('Compare it with a string, a number or a boolean.', 'filter_value');
  if (operator === 'ne') return fits({ kind: 'not', condition: equal(column, path, value) });
  if (operator === 'eq') return fits(equal(column, path, value));
  const sign = SIGNS[operator];
  return sign === undefined
    ? rejected(`${operator} cannot be used inside a JSON column.`, 'not_comparable')
    : planOrder(column, path, sign, value);
}

function planRegexInside(column: CompiledColumn, path: string, pattern: string): PlannedCondition {
  const wrong = findWrongPattern(pattern);
  return wrong ?? fits({ kind: 'json_regex', column, path, pattern });
}

function fits(condition: Condition): PlannedCondition {
  return { kind: 'condition', condition };
}

function planNull(
  column: CompiledColumn,
  path: string,
  operator: FilterOperator,
  provided: string | { readonly json: JsonValue },
): PlannedCondition {
  const flag = typeof provided === 'string' ? provided : provided.json;
  if (operator === 'isnull') {
    if (!['true', 'false', '1', '0', true, false].includes(flag as string | boolean))
      return rejected('The value must be true or false.', 'bool_parsing');
    return fits({
      kind: 'json_null',
      column,
      path,
      isNull: flag === true || flag === 'true' || flag === '1',
    });
  }
  if (operator !== 'eq' && operator !== 'ne') return rejected('Only eq and ne accept null.', 'filter_value');
  return fits({ kind: 'json_null', column, path, isNull: operator === 'eq' });
}

function toValue(json: JsonValue): Value | null {
  if (typeof json === 'string') return { kind: 'text', text: json };
  if (typeof json === 'boolean') return { kind: 'boolean', value: json };
  if (json === null || isJsonArray(json) || isJsonObject(json)) return null;
  const number = readExactNumber(json.text);
  return number === null ? null : { kind: 'number', value: number };
}

function equal(column: CompiledColumn, path: string, value: Value): Condition {
  if (value.kind === 'number')
    return { kind: 'json_compare', column, path, as: 'number', operator: '=', value: value.value };
  if (value.kind === 'boolean')
    return { kind: 'json_compare', column, path, as: 'boolean', operator: '=', value: String(value.value) };
  const asText: Condition = {
    kind: 'json_compare',
    column,
    path,
    as: 'text',
    operator: '=',
    value: value.text,
  };
  if (value.kind === 'text') return asText;
  const number = readExactNumber(value.text);
  if (number !== null)
    return {
      kind: 'group',
      operator: 'OR',
      conditions: [equal(column, path, { kind: 'number', value: number }), asText],
    };
  if (value.text !== 'true' && value.text !== 'false') return asText;
  return {
    kind: 'group',
    operator: 'OR',
    conditions: [equal(column, path, { kind: 'boolean', value: value.text === 'true' }), asText],
  };
}

function planOrder(
  column: CompiledColumn,
  path: string,
  operator: ComparisonSign,
  value: Value,
): PlannedCondition {
  if (value.kind === 'boolean') return rejected('Booleans have no order.', 'not_comparable');
  const number =
    value.kind === 'number' ? value.value : value.kind === 'loose' ? readExactNumber(value.text) : null;
  if (number !== null)
    return fits({ kind: 'json_compare', column, path, as: 'number', operator, value: number });
  return fits({
    kind: 'json_compare',
    column,
    path,
    as: 'text',
    operator,
    value: value.kind === 'number' ? '' : value.text,
  });
}

function planMany(
  column: CompiledColumn,
  path: string,
  operator: 'in' | 'not_in' | 'between' | 'not_between',
  provided: string | { readonly json: JsonValue },
): PlannedCondition {
  const values =
    typeof provided === 'string'
      ? splitList(provided, LIST_VALUES_MAX)?.map((text): Value => ({ kind: 'loose', text }))
      : isJsonArray(provided.json)
        ? provided.json.map(toValue)
        : null;
  if (values === null || values === undefined || values.length === 0 || values.includes(null))
    return rejected('This is not a list. Write a,b or ["a","b"].', 'list_parsing');
  if (values.length > LIST_VALUES_MAX)
    return rejected(`Inside a JSON column, a list can have at most ${LIST_VALUES_MAX} values.`, 'too_many');
  const known = values.filter((value) => value !== null);
  const joined = operator.endsWith('between')
    ? between(column, path, known)
    : fits({ kind: 'group', operator: 'OR', conditions: known.map((value) => equal(column, path, value)) });
  if (joined.kind === 'refused' || !operator.startsWith('not_')) return joined;
  return fits({ kind: 'not', condition: joined.condition });
}

function between(column: CompiledColumn, path: string, values: readonly Value[]): PlannedCondition {
  const [low, high] = values;
  if (values.length !== 2 || low === undefined || high === undefined)
    return rejected('Send two values: low and high.', 'list_length');
  const [from, to] = [planOrder(column, path, '>=', low), planOrder(column, path, '<=', high)];
  if (from.kind === 'refused' || to.kind === 'refused') return from.kind === 'refused' ? from : to;
  return fits({ kind: 'group', operator: 'AND', conditions: [from.condition, to.condition] });
}
