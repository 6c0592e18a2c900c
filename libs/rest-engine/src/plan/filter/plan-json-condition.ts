import type { CompiledColumn, CompiledTable, FilterOperator } from '@rowhouse/schema-model';
import type { FilterKey } from '../../request/api-request.js';
import { isJsonArray, isJsonNumber, isJsonObject, nameJsonKind } from '../../request/json-value.js';
import type { JsonObject, JsonValue } from '../../request/json-value.js';
import { serializeJson } from '../../request/serialize-json.js';
import { planColumnSearch, planJsonTest, planWithin } from './plan-special.js';
import { compareMoment } from './moments/compare-moment.js';
import { readMoment } from './moments/take-moment.js';
import { isColumnOperator, planColumnComparison } from './plan-column-comparison.js';
import type { ComparisonSign } from './condition.js';
import { nullCondition, planCondition } from './plan-condition.js';
import { planJsonPath } from './plan-json-path.js';
import { rejected, type PlannedCondition } from './condition.js';
import { toWholeNumber } from '../../values/coerce-number.js';

const LISTS: ReadonlySet<FilterOperator> = new Set(['in', 'not_in', 'between', 'not_between']);
/** Operators whose value is a number that is part of a date, whatever the kind of the column. */
const PARTS: ReadonlySet<FilterOperator> = new Set(['year', 'month', 'day']);
const NUMBERS: ReadonlySet<string> = new Set([
  'integer',
  'decimal',
  'float',
  'double',
  'boolean',
  'bit',
  'year',
  'enum',
]);

/**
 * Plans a comparison of a column with a JSON value. The value's type matters: a number is not a text, and
 * null means NULL.
 */
export function planJsonCondition(
  table: CompiledTable,
  column: CompiledColumn,
  { jsonPath, operator }: FilterKey,
  value: JsonValue,
  now: () => number,
): PlannedCondition {
  if (operator === 'json_contains') return planJsonTest(column, jsonPath, operator, serializeJson(value));
  if (operator === 'json_has_key')
    return typeof value === 'string'
      ? planJsonTest(column, jsonPath, operator, value)
      : rejected('The name of a member must be a string.', 'filter_value');
  if (operator === 'within') return planWithin(column, toText(value));
  if (operator === 'search')
    return typeof value === 'string'
      ? planColumnSearch(table, column, value)
      : rejected('The search words must be a string.', 'filter_value');
  if (jsonPath !== null) return planJsonPath(column, jsonPath, operator, { json: value });
  if (isColumnOperator(operator))
    return typeof value === 'string'
      ? planColumnComparison(table, column, operator, value)
      : rejected('The name of a column must be a string.', 'filter_value');
  if (value === null) return planNull(column, operator);
  if (isJsonArray(value)) return planArray(column, operator, value);
  if (isExpression(value)) return planExpression(column, operator, value.get('$expr') ?? null, now);
  if (isJsonObject(value))
    return rejected(
      'A column cannot be compared with an object.',
      'filter_value',
      `Put the operator into the name: "${column.name}__gte": 5.`,
    );
  const wrong = findWrongKind(column, operator, value);
  if (wrong !== null) return wrong;
  return planCondition(column, operator, toText(value));
}

const SIGNS: Readonly<Partial<Record<FilterOperator, ComparisonSign>>> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  after: '>',
  before: '<',
};

/** Reports whether a JSON value is a relative date such as `{"$expr": "NOW()"}`. */
export function isExpression(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && value.size === 1 && value.has('$expr');
}

/**
 * Plans a comparison with a relative date such as `{"$expr": "NOW() - INTERVAL 7 DAY"}`. Its syntax is that
 * of `where`.
 */
function planExpression(
  column: CompiledColumn,
  operator: FilterOperator,
  expression: JsonValue,
  now: () => number,
): PlannedCondition {
  const sign = SIGNS[operator];
  if (sign === undefined)
    return rejected(
      `${operator} cannot be used with a relative date.`,
      'filter_value',
      `Use ${column.name}__gte and ${column.name}__lt.`,
    );
  const moment = typeof expression === 'string' ? readMoment(expression) : null;
  if (moment === null)
    return rejected(
      'A relative date must be a string.',
      'filter_value',
      `"${column.name}__gte": {"$expr": "NOW() - INTERVAL 7 DAY"}`,
    );
  if (moment.kind === 'moment') return compareMoment(column, sign, moment.expression, now);
  return moment.kind === 'refused'
    ? rejected(moment.msg, 'filter_value', moment.hint)
    : rejected('This is not a relative date.', 'filter_value');
}

function planNull(column: CompiledColumn, operator: FilterOperator): PlannedCondition {
  if (operator !== 'eq' && operator !== 'ne')
    return rejected(
      'Only eq and ne accept null.',
      'filter_value',
      `"${column.name}": null, or "${column.name}__ne": null.`,
    );
  return { kind: 'condition', condition: nullCondition(column, operator === 'eq') };
}

function planArray(
  column: CompiledColumn,
  operator: FilterOperator,
  values: readonly JsonValue[],
): PlannedCondition {
  const isSet = column.valueKind === 'set' && (operator === 'eq' || operator === 'ne');
  if (isSet && values.every((value) => typeof value === 'string'))
    return planCondition(column, operator, values.join(','));
  if (!LISTS.has(operator))
    return rejected(
      'A list needs one of the operators in, not_in, between and not_between.',
      'filter_value',
      `"${column.name}__in": […]`,
    );
  for (const value of values) {
    const wrong =
      value === null || (typeof value === 'object' && !isJsonNumber(value))
        ? rejected('A list can only contain strings, numbers and booleans.', 'filter_value')
        : findWrongKind(column, operator, value);
    if (wrong !== null) return wrong;
  }
  return planCondition(
    column,
    operator,
    serializeJson(values.map((value) => (isJsonNumber(value) ? { ...value, text: toText(value) } : value))),
  );
}

function findWrongKind(
  column: CompiledColumn,
  operator: FilterOperator,
  value: JsonValue,
): PlannedCondition | null {
  const isFit =
    typeof value === 'boolean'
      ? column.valueKind === 'boolean' || operator === 'isnull'
      : isJsonNumber(value)
        ? NUMBERS.has(column.valueKind) || PARTS.has(operator)
        : true;
  return isFit
    ? null
    : rejected(
        `${column.name} is a ${column.valueKind} column and cannot be compared with ` +
          `${nameJsonKind(value)}.`,
        'filter_value',
      );
}

/**
 * Returns a JSON value as text. Whole numbers have no decimal point, which some kinds of columns would
 * reject.
 */
function toText(value: JsonValue): string {
  if (isJsonNumber(value)) return toWholeNumber(value.text) ?? value.text;
  return typeof value === 'string' ? value : serializeJson(value);
}
