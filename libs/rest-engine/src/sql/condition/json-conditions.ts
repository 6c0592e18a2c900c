import type { Containment } from '../../plan/filter/plan-containment.js';
import type { JsonCondition } from '../../plan/filter/condition.js';
import type { ExactNumber } from '../../values/exact-number.js';
import type { BoundValue } from '../../values/cell.js';

type Comparison = JsonCondition & { readonly kind: 'json_compare' };

export const NUMBER_TYPES = "('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL')";
const TURNED = { '=': '=', '<>': '<>', '>': '<', '>=': '<=', '<': '>', '<=': '>=' } as const;
/**
 * The prefix for numbers whose digits cannot be ambiguous, because all numbers with the same double have the
 * same power of ten.
 */
const NEVER_PASSED = ['-', ''] as const;

/**
 * Returns the SQL of a condition on a value inside the JSON column `name`. The path is bound as a parameter.
 * The value is NULL if it is missing or JSON null.
 */
export function jsonSql(condition: JsonCondition, name: string, params: BoundValue[]): string {
  const extract = extractor(name, condition.path ?? '$', params);
  switch (condition.kind) {
    case 'json_null':
      return nullSql(condition, name, params);
    case 'json_compare':
      return compareSql(condition, extract, params);
    case 'json_like': {
      const subject = textSql(extract);
      params.push(condition.pattern);
      const word = condition.isNegated ? 'NOT LIKE' : 'LIKE';
      return condition.mode === 'blind' ? `LOWER(${subject}) ${word} LOWER(?)` : `${subject} ${word} ?`;
    }
    case 'json_regex': {
      const subject = textSql(extract);
      params.push(condition.pattern);
      return `${subject} REGEXP ?`;
    }
    case 'json_contains':
      return containsSql(condition, name, params);
    case 'json_has_key': {
      params.push(condition.path);
      return `JSON_CONTAINS_PATH(${name}, 'one', ?)`;
    }
  }
}

/** Returns the SQL expression of a value inside a JSON column. */
export type Extract = () => string;

/**
 * Returns a function that returns the expression of the value at `path`. Each call binds the path to another
 * `?`.
 */
export function extractor(name: string, path: string, params: BoundValue[]): Extract {
  return () => {
    params.push(path);
    return `JSON_EXTRACT(${name}, ?)`;
  };
}

/**
 * If the condition is about the whole column, no path is extracted, so that invalid JSON is not treated as
 * NULL.
 */
function nullSql(
  { path, isNull }: JsonCondition & { readonly kind: 'json_null' },
  name: string,
  params: BoundValue[],
): string {
  if (path === null)
    return isNull
      ? `(${name} IS NULL OR COALESCE(JSON_TYPE(${name}), '') = 'NULL')`
      : `(${name} IS NOT NULL AND COALESCE(JSON_TYPE(${name}), '') <> 'NULL')`;
  params.push(path);
  return `COALESCE(JSON_TYPE(JSON_EXTRACT(${name}, ?)), 'NULL') ${isNull ? '=' : '<>'} 'NULL'`;
}

/**
 * Returns the SQL for a value as text. JSON null is converted to NULL, because JSON_UNQUOTE would return the
 * text `null`.
 */
function textSql(extract: Extract): string {
  return `CASE WHEN JSON_TYPE(${extract()}) <> 'NULL' THEN JSON_UNQUOTE(${extract()}) END`;
}

/**
 * Returns the SQL that compares a value inside JSON. A value of another type is not equal. For JSON null and
 * a missing path, the result is NULL, even under NOT.
 */
function compareSql(condition: Comparison, extract: Extract, params: BoundValue[]): string {
  const { value, operator } = condition;
  const types =
    typeof value === 'object'
      ? `IN ${NUMBER_TYPES}`
      : `= '${condition.as === 'boolean' ? 'BOOLEAN' : 'STRING'}'`;
  const type = `JSON_TYPE(${extract()}) ${types}`;
  let compared: string;
  if (typeof value === 'object') compared = numberSql(value, operator, extract, params);
  else {
    compared = `JSON_UNQUOTE(${extract()}) ${operator} ?`;
    params.push(value);
  }
  return `CASE WHEN ${type} THEN ${compared} WHEN JSON_TYPE(${extract()}) <> 'NULL' THEN FALSE END`;
}

/** Returns the SQL that compares numbers: as doubles first, and by their digits if the doubles are equal. */
function numberSql(
  value: ExactNumber,
  operator: Comparison['operator'],
  extract: Extract,
  params: BoundValue[],
): string {
  const double = (sign: string): string => {
    const sql = `${extract()} + 0e0 ${sign} ?`;
    params.push(value.approximate);
    return sql;
  };
  if (operator === '=' || operator === '<>') {
    const same = `${double('=')} AND ${digitsSql(extract)} = ?`;
    params.push(value.digits);
    return operator === '=' ? `(${same})` : `NOT (${same})`;
  }
  const outside = double(operator.slice(0, 1));
  const equal = double('=');
  // Two numbers with the same double have different powers of ten only if one begins with 9 and the other
  // with 1.
  const [leading, prefix] = value.digits.startsWith('1')
    ? ['9', '0']
    : value.digits.startsWith('9')
      ? ['1', 'A']
      : NEVER_PASSED;
  const first = digitsSql(extract);
  params.push(leading, prefix);
  const digits = digitsSql(extract);
  params.push(value.digits);
  return `(${outside} OR ${equal} AND CONCAT(IF(LEFT(${first}, 1) = ?, ?, ''), ${digits}) ${value.isNegative ? TURNED[operator] : operator} ?)`;
}

/** Returns the SQL for the significant digits of a number, in the form of `ExactNumber.digits`. */
export function digitsSql(extract: Extract): string {
  const mantissa = `SUBSTRING_INDEX(LOWER(JSON_UNQUOTE(${extract()})), 'e', 1)`;
  return `TRIM(TRAILING '0' FROM TRIM(LEADING '0' FROM REPLACE(REPLACE(${mantissa}, '.', ''), '-', '')))`;
}

function containsSql(
  { path, value, exact }: JsonCondition & { readonly kind: 'json_contains' },
  name: string,
  params: BoundValue[],
): string {
  params.push(value);
  if (path !== null) params.push(path);
  const contains = path === null ? `JSON_CONTAINS(${name}, ?)` : `JSON_CONTAINS(${name}, ?, ?)`;
  if (exact === null) return contains;
  if (exact === 'never') return `(${contains} AND FALSE)`;
  return `(${contains} AND ${containmentSql(exact, name, path ?? '$', params)})`;
}

function containmentSql(containment: Containment, name: string, path: string, params: BoundValue[]): string {
  const extract = extractor(name, path, params);
  const matches = (patterns: readonly string[]): string =>
    patterns
      .map((pattern) => {
        const sql = `${extract()} REGEXP ?`;
        params.push(pattern);
        return sql;
      })
      .join(' AND ');
  switch (containment.kind) {
    case 'items':
      return matches(containment.patterns);
    case 'number': {
      const type = `JSON_TYPE(${extract()}) IN ${NUMBER_TYPES}`;
      const equal = numberSql(containment.value, '=', extract, params);
      return `CASE WHEN ${type} THEN ${equal} ELSE ${matches([containment.pattern])} END`;
    }
    case 'members': {
      const type = `JSON_TYPE(${extract()}) = 'OBJECT'`;
      const members = containment.members
        .map((member) => containmentSql(member.containment, name, path + member.path, params))
        .join(' AND ');
      return `CASE WHEN ${type} THEN ${members} ELSE ${matches(containment.inArray)} END`;
    }
  }
}
