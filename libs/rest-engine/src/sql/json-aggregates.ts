import type { AggregateFunction } from '../plan/aggregate/aggregate-plan.js';
import { digitsSql, NUMBER_TYPES, type Extract } from './json-conditions.js';

/** Numbers below this are summed exactly. A DECIMAL has 35 digits before the point, and sums grow. */
const EXACT_BELOW = '1e25';
const EXACT_TYPE = 'DECIMAL(65,30)';

/**
 * Returns a short text that is equal for all notations of a value inside JSON. It is NULL for a value that
 * counts as NULL.
 */
export function jsonGroupKeySql(extract: Extract): string {
  const isNumber = `JSON_TYPE(${extract()}) IN ${NUMBER_TYPES}`;
  const number = `IF(${digitsSql(extract)} = '', 'n', CONCAT('n', ${extract()} + 0e0, ' ', ${digitsSql(extract)}))`;
  const isText = `JSON_TYPE(${extract()}) = 'STRING'`;
  const text = `CONCAT('s', JSON_UNQUOTE(${extract()}))`;
  const exists = `COALESCE(JSON_TYPE(${extract()}), 'NULL') <> 'NULL'`;
  return `SHA2(CASE WHEN ${isNumber} THEN ${number} WHEN ${isText} THEN ${text} WHEN ${exists} THEN CONCAT('j', ${extract()}) END, 256)`;
}

/**
 * Returns the value that a group shows. If a number has several notations, this is the first in text order.
 */
export function jsonGroupSql(extract: Extract): string {
  return `MIN(CAST(${extract()} AS CHAR))`;
}

/**
 * Aggregates values inside JSON. Sums, averages and extremes use numbers only. Their results are texts, so
 * that exact numbers keep their digits and others their magnitude.
 */
export function jsonAggregateSql(name: AggregateFunction, extract: Extract): string {
  if (name === 'count')
    return `COUNT(CASE WHEN COALESCE(JSON_TYPE(${extract()}), 'NULL') <> 'NULL' THEN 1 END)`;
  if (name === 'count_distinct') return `COUNT(DISTINCT ${jsonGroupKeySql(extract)})`;
  const word = name.toUpperCase();
  const double = (): string =>
    `CASE WHEN JSON_TYPE(${extract()}) IN ${NUMBER_TYPES} THEN ${extract()} + 0e0 END`;
  const isExact = `MAX(ABS(${double()})) < ${EXACT_BELOW}`;
  const decimal = `CASE WHEN ABS(${double()}) < ${EXACT_BELOW} THEN CAST(JSON_UNQUOTE(${extract()}) AS ${EXACT_TYPE}) END`;
  const exact = `CAST(CAST(${word}(${decimal}) AS ${EXACT_TYPE}) AS CHAR)`;
  return `CASE WHEN ${isExact} THEN TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${exact})) ELSE CAST(${word}(${double()}) AS CHAR) END`;
}

/** Converts the text of a sum to a number that compares exactly. */
export function jsonSumSql(member: string): string {
  return `CAST(${member} AS ${EXACT_TYPE})`;
}
