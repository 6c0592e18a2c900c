import type { CompiledColumn, ValueKind } from '@rowhouse/schema-model';
import type { ColumnCondition, ComparisonSign, Condition } from '../../plan/filter/condition.js';
import type { KeyPart } from '../../plan/plan-parts.js';
import { isStoredDate } from '../../values/calendar.js';
import { isDayKind } from '../../values/coerce-temporal.js';
import { jsonSql } from './json-conditions.js';
import { comparePlaceholder, padToPowerOfTwo } from '../placeholder.js';
import { relatedCountSql, relatedSql } from './related.js';
import { placeColumn } from '../read/select-list.js';
import type { BoundValue } from '../../values/cell.js';

type Compare = ColumnCondition & { readonly kind: 'compare' };

/**
 * The maximum number of fractional digits of a stored time. The servers would truncate or round further
 * digits.
 */
const DIGITS_MAX = 6;

/** The kinds of columns that LIKE accepts directly. Other kinds are cast to text first. */
const TEXT_KINDS = new Set(['string', 'enum', 'set']);
const MOMENT_KINDS = new Set(['datetime', 'timestamp']);

/** Returns ` WHERE …`, or '' without conditions. Appends the bound values to `params`. */
export function whereSql(conditions: readonly Condition[], alias: string, params: BoundValue[]): string {
  if (conditions.length === 0) return '';
  return ` WHERE ${conditions.map((condition) => conditionSql(condition, alias, params)).join(' AND ')}`;
}

export function keySql(key: readonly KeyPart[], params: BoundValue[]): string {
  return key
    .map(({ column, value }) => {
      if (mustCompareText(column, value)) return compareTextSql(column, value, params);
      params.push(value);
      return `${column.quoted} = ${comparePlaceholder(column, value)}`;
    })
    .join(' AND ');
}

/**
 * Returns a cache name that identifies the SQL text of `keySql` for this key. Returns null if the text
 * depends on a value.
 */
export function nameKey(key: readonly KeyPart[]): string | null {
  let name = '';
  for (const { column } of key) {
    if (column.valueKind === 'decimal' || isMoment(column)) return null;
    name += `${column.position} `;
  }
  return name;
}

const MOMENTS: ReadonlySet<ValueKind> = new Set(['time', 'date', 'datetime', 'timestamp']);

function isMoment({ valueKind }: CompiledColumn): boolean {
  return MOMENTS.has(valueKind);
}

/**
 * Reports whether a time must be compared as text. This applies to a day that does not exist, which MySQL
 * only finds as text, and to a time with more fractional digits than the server compares.
 */
function mustCompareText(column: CompiledColumn, value: BoundValue): value is string {
  if (!isMoment(column) || typeof value !== 'string') return false;
  return isFinerThanStored(value) || (isDayKind(column) && !isStoredDate(value.slice(0, 10), 'filter'));
}

function compareTextSql(column: CompiledColumn, value: string, params: BoundValue[]): string {
  const digits = column.fraction ?? 0;
  const [whole = '', fraction = ''] = value.split('.');
  params.push(digits === 0 ? value : `${whole}.${fraction.padEnd(digits, '0')}`);
  return `CAST(${column.quoted} AS CHAR) = ?`;
}

/**
 * Returns the SQL of a condition. `depth` is the number of enclosing subqueries. The aliases of tables
 * contain it.
 */
export function conditionSql(condition: Condition, alias: string, params: BoundValue[], depth = 0): string {
  switch (condition.kind) {
    case 'group':
      return `(${condition.conditions.map((condition) => conditionSql(condition, alias, params, depth)).join(` ${condition.operator} `)})`;
    case 'not':
      return `NOT (${conditionSql(condition.condition, alias, params, depth)})`;
    case 'related':
      return relatedSql(condition, alias, params, depth, conditionSql);
    case 'related_count':
      return relatedCountSql(condition, alias, params, depth, conditionSql);
    case 'match': {
      // In a full-text search, an asterisk separates words here, as a space does. MariaDB treats a standalone
      // asterisk as a syntax error.
      params.push(condition.text.replaceAll('*', ' '));
      return `MATCH (${condition.columns.map((column) => placeColumn({ alias, column })).join(', ')}) AGAINST (? IN NATURAL LANGUAGE MODE)`;
    }
    case 'json_null':
    case 'json_compare':
    case 'json_like':
    case 'json_regex':
    case 'json_contains':
    case 'json_has_key':
      return jsonSql(condition, placeColumn({ alias, column: condition.column }), params);
    default: {
      const exact = MOMENTS.has(condition.column.valueKind) ? toExactMoments(condition) : null;
      return exact === null ? columnSql(condition, alias, params) : conditionSql(exact, alias, params, depth);
    }
  }
}

function columnSql(condition: ColumnCondition, alias: string, params: BoundValue[]): string {
  const { column } = condition;
  const name = placeColumn({ alias, column });
  switch (condition.kind) {
    case 'compare': {
      params.push(condition.value);
      return `${name} ${condition.operator} ${comparePlaceholder(column, condition.value)}`;
    }
    case 'in': {
      const values = padToPowerOfTwo(condition.values);
      params.push(...values);
      return `${name} ${condition.isNegated ? 'NOT IN' : 'IN'} (${values.map((value) => comparePlaceholder(column, value)).join(', ')})`;
    }
    case 'between': {
      params.push(condition.low, condition.high);
      const bounds = `${comparePlaceholder(column, condition.low)} AND ${comparePlaceholder(column, condition.high)}`;
      return `${name} ${condition.isNegated ? 'NOT BETWEEN' : 'BETWEEN'} ${bounds}`;
    }
    case 'null':
      return condition.isNull ? isNullSql(column, name) : `${name} IS NOT NULL`;
    case 'truth':
      return `${name} ${condition.value ? '<>' : '='} 0`;
    case 'within': {
      params.push(condition.area);
      // The server rejects an area whose SRID differs from that of the column's value. If the area is a
      // constant, the server can use an index.
      return `ST_Within(${name}, ST_GeomFromGeoJSON(?, 1, ${column.srid ?? `ST_SRID(${name})`}))`;
    }
    case 'columns':
      return columnsSql(condition, name, placeColumn({ alias, column: condition.other }));
    case 'now':
      return `${name} ${condition.operator} UTC_TIMESTAMP(6)`;
    case 'part': {
      params.push(String(condition.value));
      return `${condition.part}(${name}) = ?`;
    }
    case 'like':
      return likeSql(condition, name, params);
    case 'regex': {
      params.push(condition.pattern);
      return `${respondText(column, name)} REGEXP ?`;
    }
  }
}

/**
 * Returns the SQL that compares two columns. Bits are compared as numbers, and booleans by their truth value.
 */
function columnsSql(
  { column, other, operator, as }: ColumnCondition & { kind: 'columns' },
  left: string,
  right: string,
): string {
  if (as === 'truth') return `(${left} <> 0) ${operator} (${right} <> 0)`;
  const toNumber = (name: string, { valueKind }: CompiledColumn): string =>
    as === 'number' && valueKind === 'bit' ? `${name} + 0` : name;
  return `${toNumber(left, column)} ${operator} ${toNumber(right, other)}`;
}

function likeSql(condition: ColumnCondition & { kind: 'like' }, name: string, params: BoundValue[]): string {
  const { column } = condition;
  // A filter may separate date and time with a space. The compared text has a `T` instead.
  params.push(
    MOMENT_KINDS.has(column.valueKind) ? condition.pattern.replaceAll(' ', 'T') : condition.pattern,
  );
  const subject = respondText(column, name);
  const word = condition.isNegated ? 'NOT LIKE' : 'LIKE';
  if (condition.mode === 'collation' || isCaseBlind(column)) return `${subject} ${word} ?`;
  return `LOWER(CONVERT(${subject} USING utf8mb4)) ${word} LOWER(?) COLLATE utf8mb4_bin`;
}

/** Returns the SQL for a value as text, in the form that responses have. */
function respondText(column: CompiledColumn, name: string): string {
  if (TEXT_KINDS.has(column.valueKind)) return name;
  // Removes the leading zeros that ZEROFILL adds to numbers.
  if (column.valueKind === 'integer' || column.valueKind === 'decimal')
    return `CAST(${isZerofill(column) ? `${name} + 0` : name} AS CHAR)`;
  const text = `CAST(${name} AS CHAR)`;
  if (!MOMENT_KINDS.has(column.valueKind)) return text;
  return column.valueKind === 'timestamp'
    ? `CONCAT(REPLACE(${text}, ' ', 'T'), 'Z')`
    : `REPLACE(${text}, ' ', 'T')`;
}

function isZerofill(column: CompiledColumn): boolean {
  return / zerofill\b/i.test(column.sqlType);
}

function isCaseBlind(column: CompiledColumn): boolean {
  return column.collation !== null && column.collation.endsWith('_ci');
}

/**
 * Returns the SQL that tests for NULL. On both engines, `IS NULL` also matches zero dates in a NOT NULL
 * column. `<=> NULL` does not match them, but matches the NULLs of an outer join.
 */
export function isNullSql(column: CompiledColumn, name: string): string {
  return !column.nullable && isDayKind(column) ? `${name} <=> NULL` : `${name} IS NULL`;
}

/**
 * Rewrites a condition that contains a time with more fractional digits than the server compares. A time
 * between two microseconds equals no stored value. In a comparison by order, the neighboring microsecond
 * replaces it. Returns null if the condition contains no such time.
 */
function toExactMoments(condition: ColumnCondition): Condition | null {
  switch (condition.kind) {
    case 'compare':
      return isFinerThanStored(condition.value)
        ? compare(condition, condition.operator, String(condition.value))
        : null;
    case 'between': {
      const { low, high } = condition;
      if (!isFinerThanStored(low) && !isFinerThanStored(high)) return null;
      const range: Condition = {
        kind: 'group',
        operator: 'AND',
        conditions: [one(condition, '>=', low), one(condition, '<=', high)],
      };
      return condition.isNegated ? { kind: 'not', condition: range } : range;
    }
    case 'in': {
      const values = condition.values.filter((value) => !isFinerThanStored(value));
      if (values.length === condition.values.length) return null;
      if (values.length > 0) return { ...condition, values };
      return one(condition, condition.isNegated ? '<>' : '=', condition.values[0] ?? null);
    }
    default:
      return null;
  }
}

function one({ column }: ColumnCondition, operator: ComparisonSign, value: BoundValue): Condition {
  const compared: Compare = { kind: 'compare', column, operator, value };
  return isFinerThanStored(value) ? compare(compared, operator, String(value)) : compared;
}

/** Reports whether the time has more than six fractional digits, so that no column can store it. */
function isFinerThanStored(value: BoundValue): boolean {
  if (typeof value !== 'string') return false;
  const point = value.lastIndexOf('.');
  return point >= 0 && value.length - point - 1 > DIGITS_MAX;
}

/**
 * Returns a comparison with the value truncated to microseconds. The operator changes accordingly: truncation
 * makes a negative time greater and any other time less.
 */
function compare({ column }: Compare, operator: ComparisonSign, value: string): Condition {
  const cut = value.slice(0, value.lastIndexOf('.') + 1 + DIGITS_MAX).replace(/\.?0+$/, '');
  const isIncreased = value.startsWith('-');
  const toCut = (sign: ComparisonSign): Condition => ({
    kind: 'compare',
    column,
    operator: sign,
    value: cut,
  });
  switch (operator) {
    // No value is equal to `v`. The condition `x < v AND x > v` is never true, but is NULL for a NULL column,
    // as `x = v` would be.
    case '=':
      return { kind: 'group', operator: 'AND', conditions: [toCut('<'), toCut('>')] };
    case '<>':
      return { kind: 'group', operator: 'OR', conditions: [toCut('<='), toCut('>')] };
    case '>':
    case '>=':
      return toCut(isIncreased ? '>=' : '>');
    case '<':
    case '<=':
      return toCut(isIncreased ? '<' : '<=');
  }
}
