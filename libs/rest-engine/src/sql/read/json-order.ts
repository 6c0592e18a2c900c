import type { SortKey } from '../../plan/plan-parts.js';
import { readExactNumber } from '../../values/exact-number.js';
import { digitsSql, jsonSql, NUMBER_TYPES, type Extract } from '../condition/json-conditions.js';
import type { BoundValue } from '../../values/cell.js';
import { JSON_KEY_CHARACTERS, readJsonKey } from '../../values/json-key.js';

/**
 * The order of values inside JSON. NULL comes first, as in columns. Numbers follow, sorted by their exact
 * value, then texts by their code points, then false and true. Objects and arrays come last and are all
 * equal.
 */
const RANKS = { number: 1, text: 2, boolean: 3, other: 4 } as const;

/**
 * Returns the SQL for the rank of a value's type. `extract` returns the expression of the value, and each
 * call binds the path again. The rank is NULL for missing values and JSON null.
 */
export function jsonRankSql(extract: Extract): string {
  const numbers = ['INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL']
    .map((type) => `WHEN '${type}' THEN ${RANKS.number}`)
    .join(' ');
  return `CASE COALESCE(JSON_TYPE(${extract()}), 'NULL') WHEN 'NULL' THEN NULL ${numbers} WHEN 'STRING' THEN ${RANKS.text} WHEN 'BOOLEAN' THEN ${RANKS.boolean} ELSE ${RANKS.other} END`;
}

/**
 * Returns the ORDER BY expressions for a value inside JSON. With `isCut`, texts sort by their first
 * characters only, which is all that a cursor compares.
 */
export function jsonOrderSql(
  { reversesNulls }: Pick<SortKey, 'reversesNulls'>,
  extract: Extract,
  direction: 'ASC' | 'DESC',
  isCut: boolean,
): string {
  const opposite = direction === 'ASC' ? 'DESC' : 'ASC';
  const isNumber = (): string => `JSON_TYPE(${extract()}) IN ${NUMBER_TYPES}`;
  const nulls = reversesNulls ? [`${jsonRankSql(extract)} IS NULL ${direction}`] : [];
  const rank = `${jsonRankSql(extract)} ${direction}`;
  const double = `CASE WHEN ${isNumber()} THEN ${extract()} + 0e0 END ${direction}`;
  // Digits are only compared if the doubles are equal. For negative numbers, their order is reversed.
  const positive = `CASE WHEN ${isNumber()} AND ${extract()} + 0e0 >= 0 THEN ${magnitudeSql(extract)} END ${direction}`;
  const negative = `CASE WHEN ${isNumber()} AND ${extract()} + 0e0 < 0 THEN ${magnitudeSql(extract)} END ${opposite}`;
  const type = `JSON_TYPE(${extract()}) IN ('STRING', 'BOOLEAN')`;
  const text = `CASE WHEN ${type} THEN ${cut(`JSON_UNQUOTE(${extract()})`, isCut)} END ${direction}`;
  return [...nulls, rank, double, positive, negative, text].join(', ');
}

/**
 * Returns the SQL for a text that sorts numbers with the same double by their exact value. Such numbers can
 * only have different powers of ten if one begins with 9 and the other with 10.
 */
function magnitudeSql(extract: Extract): string {
  return `CONCAT(IF(${digitsSql(extract)} REGEXP '^1(0|$)', 'A', ''), ${digitsSql(extract)})`;
}

function cut(text: string, isCut: boolean): string {
  return isCut ? `LEFT(${text}, ${JSON_KEY_CHARACTERS})` : text;
}

/** Returns the SQL for the cell from which a cursor is created. An object or array is replaced with `{}`. */
export function jsonKeySql(extract: Extract): string {
  return `CASE WHEN JSON_TYPE(${extract()}) IN ('OBJECT', 'ARRAY') THEN '{}' ELSE CAST(${extract()} AS CHAR) END`;
}

/** Returns the SQL that compares a value inside JSON with the key of a cursor for equality. */
export function jsonKeyEqualSql(
  key: SortKey,
  name: string,
  extract: Extract,
  value: BoundValue,
  params: BoundValue[],
): string {
  const { kind, text } = readJsonKey(value);
  switch (kind) {
    case 'null':
      return `${jsonRankSql(extract)} IS NULL`;
    case 'other':
      return `${jsonRankSql(extract)} = ${RANKS.other}`;
    case 'number':
    case 'boolean':
      return compareSql(key, name, kind, '=', text, params);
    case 'text':
      return textSql(extract, '=', text, params);
  }
}

/**
 * Returns the SQL that tests whether a value inside JSON comes after the key of a cursor. The value is not
 * NULL.
 */
export function jsonKeyBehindSql(
  key: SortKey,
  name: string,
  extract: Extract,
  value: BoundValue,
  direction: 'ASC' | 'DESC',
  params: BoundValue[],
): string {
  const { kind, text } = readJsonKey(value);
  if (kind === 'null') return `${jsonRankSql(extract)} IS NOT NULL`;
  const sign = direction === 'ASC' ? '>' : '<';
  const own =
    kind === 'other'
      ? []
      : [
          kind === 'text'
            ? textSql(extract, sign, text, params)
            : compareSql(key, name, kind, sign, text, params),
        ];
  const further = `${jsonRankSql(extract)} ${sign} ${RANKS[kind]}`;
  return `(${[...own, further].join(' OR ')})`;
}

function compareSql(
  { column, jsonPath = '$' }: SortKey,
  name: string,
  kind: 'number' | 'boolean',
  operator: '=' | '>' | '<',
  text: string,
  params: BoundValue[],
): string {
  const base = { kind: 'json_compare', column, path: jsonPath, operator } as const;
  if (kind === 'boolean') return jsonSql({ ...base, as: 'boolean', value: text }, name, params);
  const value = readExactNumber(text);
  return value === null ? 'FALSE' : jsonSql({ ...base, as: 'number', value }, name, params);
}

function textSql(extract: Extract, operator: '=' | '>' | '<', text: string, params: BoundValue[]): string {
  const sql = `(JSON_TYPE(${extract()}) = 'STRING' AND ${cut(`JSON_UNQUOTE(${extract()})`, true)} ${operator} ?)`;
  params.push(text);
  return sql;
}
