import type { CompiledColumn } from '@rowhouse/schema-model';
import type { ColumnCondition, Condition, KeyPart } from '../plan/plan.js';
import { isStoredDate } from '../plan/values/calendar.js';
import { isDayKind } from '../plan/values/coerce-temporal.js';
import { jsonSql } from './json-conditions.js';
import { comparePlaceholder, padToPowerOfTwo } from './placeholder.js';
import { relatedCountSql, relatedSql } from './related.js';
import { placeColumn } from './select-list.js';
import type { BoundValue } from './statement.js';

/** Kinds that LIKE takes as they are; the others are cast to text first. */
const TEXT_KINDS = new Set(['string', 'enum', 'set']);

/** ` WHERE …` or nothing; what is bound is appended to `params`. */
export function whereSql(conditions: readonly Condition[], alias: string, params: BoundValue[]): string {
  if (conditions.length === 0) return '';
  return ` WHERE ${conditions.map((condition) => conditionSql(condition, alias, params)).join(' AND ')}`;
}

export function keySql(key: readonly KeyPart[], params: BoundValue[]): string {
  return key
    .map(({ column, value }) => {
      if (isOddDay(column, value)) return oddDaySql(column, value, params);
      params.push(value);
      return `${column.quoted} = ${comparePlaceholder(column, value)}`;
    })
    .join(' AND ');
}

/** The same for all keys whose `keySql` is the same text; null where a value has a part in it. */
export function nameKey(key: readonly KeyPart[]): string | null {
  let name = '';
  for (const { column } of key) {
    if (column.valueKind === 'decimal' || isDayKind(column)) return null;
    name += `${column.position} `;
  }
  return name;
}

/** A day that there is not: MySQL finds it by its text alone. */
function isOddDay(column: CompiledColumn, value: BoundValue): value is string {
  return isDayKind(column) && typeof value === 'string' && !isStoredDate(value.slice(0, 10), 'filter');
}

function oddDaySql(column: CompiledColumn, value: string, params: BoundValue[]): string {
  const digits = column.fraction ?? 0;
  const [whole = '', fraction = ''] = value.split('.');
  params.push(digits === 0 ? value : `${whole}.${fraction.padEnd(digits, '0')}`);
  return `CAST(${column.quoted} AS CHAR) = ?`;
}

/** `depth`: of sub-queries around it, from which their aliases are made. */
export function conditionSql(condition: Condition, alias: string, params: BoundValue[], depth = 0): string {
  switch (condition.kind) {
    case 'group': return `(${condition.conditions.map((one) => conditionSql(one, alias, params, depth)).join(` ${condition.operator} `)})`;
    case 'not': return `NOT (${conditionSql(condition.condition, alias, params, depth)})`;
    case 'related': return relatedSql(condition, alias, params, depth, conditionSql);
    case 'related_count': return relatedCountSql(condition, alias, params, depth, conditionSql);
    case 'match': {
      // A star parts words here as a blank does; standing alone, MariaDB takes it for a fault of syntax.
      params.push(condition.text.replaceAll('*', ' '));
      return `MATCH (${condition.columns.map((column) => placeColumn({ alias, column })).join(', ')}) AGAINST (? IN NATURAL LANGUAGE MODE)`;
    }
    case 'json_null': case 'json_compare': case 'json_like': case 'json_regex': case 'json_contains': case 'json_has_key':
      return jsonSql(condition, placeColumn({ alias, column: condition.column }), params);
    default: return columnSql(condition, alias, params);
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
    case 'null': return `${name} IS ${condition.isNull ? '' : 'NOT '}NULL`;
    case 'truth': return `${name} ${condition.value ? '<>' : '='} 0`;
    case 'within': {
      params.push(condition.area);
      // An area of another reference system than the value's is refused; a constant one lets an index serve.
      return `ST_Within(${name}, ST_GeomFromGeoJSON(?, 1, ${column.srid ?? `ST_SRID(${name})`}))`;
    }
    case 'now': return `${name} ${condition.operator} UTC_TIMESTAMP(6)`;
    case 'part': {
      params.push(String(condition.value));
      return `${condition.part}(${name}) = ?`;
    }
    case 'like': return likeSql(condition, name, params);
    case 'regex': {
      params.push(condition.pattern);
      return `${TEXT_KINDS.has(column.valueKind) ? name : `CAST(${name} AS CHAR)`} REGEXP ?`;
    }
  }
}

function likeSql(condition: ColumnCondition & { kind: 'like' }, name: string, params: BoundValue[]): string {
  const { column } = condition;
  params.push(condition.pattern);
  const subject = TEXT_KINDS.has(column.valueKind) ? name : `CAST(${name} AS CHAR)`;
  const word = condition.isNegated ? 'NOT LIKE' : 'LIKE';
  if (condition.mode === 'collation' || isCaseBlind(column)) return `${subject} ${word} ?`;
  return `LOWER(CONVERT(${subject} USING utf8mb4)) ${word} LOWER(?) COLLATE utf8mb4_bin`;
}

function isCaseBlind(column: CompiledColumn): boolean {
  return column.collation !== null && column.collation.endsWith('_ci');
}
