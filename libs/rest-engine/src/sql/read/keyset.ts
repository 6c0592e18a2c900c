import { extractor } from '../condition/json-conditions.js';
import { jsonKeyBehindSql, jsonKeyEqualSql, jsonOrderSql, jsonRankSql } from './json-order.js';
import { isNullSql } from '../condition/where.js';
import { BITS_PLACEHOLDER, comparePlaceholder } from '../placeholder.js';
import type { BoundValue } from '../../values/cell.js';
import type { CompiledColumn } from '@rowhouse/schema-model';
import type { TieBreak, CursorPlan, SortKey } from '../../plan/plan-parts.js';
import { placeColumn } from './select-list.js';

/** Returns the SQL expression of a sort key and appends its bound values to `params`. */
export type NameKey = (key: SortKey, params: BoundValue[]) => string;

/**
 * Returns the direction in which the statement sorts by a key. To read the previous page, all directions are
 * reversed.
 */
export function directionOf(key: SortKey, cursor: CursorPlan | null): 'ASC' | 'DESC' {
  const isForward = cursor?.direction !== 'prev';
  return (key.direction === 'ASC') === isForward ? 'ASC' : 'DESC';
}

/**
 * Returns the ORDER BY expressions of one sort key. If NULLs need another position than the server's default,
 * an expression for NULLs comes first. With `isCut`, texts inside JSON sort by their first characters.
 */
export function orderSql(
  key: SortKey,
  name: string,
  direction: 'ASC' | 'DESC',
  params: BoundValue[],
  isCut = false,
): string {
  if (key.jsonPath !== undefined)
    return jsonOrderSql(key, extractor(name, key.jsonPath, params), direction, isCut);
  const subject = key.column.valueKind === 'set' ? sortSubject(key, name) : name;
  const order = `${subject} ${direction}`;
  return key.reversesNulls ? `${name} IS NULL ${direction}, ${order}` : order;
}

/**
 * Returns the condition for the records after the cursor: they are equal in the first keys and greater in the
 * next one. Returns '' for the first page. In ascending order, NULL comes first unless the key reverses this.
 */
export function keysetSql(
  sort: readonly SortKey[],
  cursor: CursorPlan,
  nameOf: NameKey,
  params: BoundValue[],
): string {
  if (cursor.after === null) return '';
  const values = cursor.after;
  const terms: string[] = [];
  sort.forEach((key, position) => {
    const own: BoundValue[] = [];
    const equal = sort
      .slice(0, position)
      .map((before, index) => equalSql(before, nameOf(before, own), values[index] ?? null, own));
    const following = afterSql(
      key,
      nameOf(key, own),
      values[position] ?? null,
      directionOf(key, cursor),
      own,
    );
    if (following === null) return;
    terms.push([...equal, following].join(' AND '));
    params.push(...own);
  });
  return terms.length === 0 ? 'FALSE' : `(${terms.map((term) => `(${term})`).join(' OR ')})`;
}

function equalSql(key: SortKey, name: string, value: BoundValue, params: BoundValue[]): string {
  if (key.jsonPath !== undefined)
    return jsonKeyEqualSql(key, name, extractor(name, key.jsonPath, params), value, params);
  if (value === null) return isNullSql(key.column, name);
  params.push(value);
  return `${subject(key, name)} = ${placeholder(key, value)}`;
}

/**
 * Returns the condition for values after the cursor's value of this key. Returns null if no value can come
 * after it.
 */
function afterSql(
  key: SortKey,
  name: string,
  value: BoundValue,
  direction: 'ASC' | 'DESC',
  params: BoundValue[],
): string | null {
  const isNullLast = (direction === 'DESC') !== key.reversesNulls;
  if (key.jsonPath !== undefined) return behindJsonSql(key, name, value, direction, isNullLast, params);
  if (value === null) return isNullLast ? null : `${name} IS NOT NULL`;
  params.push(value);
  const sign = direction === 'ASC' ? '>' : '<';
  const compared = `${subject(key, name)} ${sign} ${placeholder(key, value)}`;
  const mayBeNull = key.column.nullable || key.path.length > 0;
  return isNullLast && mayBeNull ? `(${compared} OR ${isNullSql(key.column, name)})` : compared;
}

function behindJsonSql(
  key: SortKey,
  name: string,
  value: BoundValue,
  direction: 'ASC' | 'DESC',
  isNullLast: boolean,
  params: BoundValue[],
): string | null {
  if (value === null && isNullLast) return null;
  const extract = extractor(name, key.jsonPath ?? '$', params);
  const compared = jsonKeyBehindSql(key, name, extract, value, direction, params);
  return isNullLast ? `(${compared} OR ${jsonRankSql(extract)} IS NULL)` : compared;
}

/**
 * Returns the expression to sort by. MySQL treats the bit of a SET's 64th label as a sign, and would sort
 * values with this label first.
 */
function sortSubject(key: SortKey, name: string): string {
  const isFull = key.column.labels?.length === 64;
  return isFull ? subject(key, name) : name;
}

/**
 * Reports whether the key is an ENUM or SET column. Their values sort by index, but are compared by text
 * unless they are cast to numbers.
 */
function isLabel(key: SortKey): boolean {
  return key.column.valueKind === 'enum' || key.column.valueKind === 'set';
}

function subject(key: SortKey, name: string): string {
  // CAST is used instead of `+ 0`, which would convert the value to a double. A SET has up to 64 bits.
  return isLabel(key) ? `CAST(${name} AS UNSIGNED)` : name;
}

function placeholder(key: SortKey, value: BoundValue): string {
  if (key.count !== null) return 'CAST(? AS UNSIGNED)';
  return isLabel(key) ? BITS_PLACEHOLDER : comparePlaceholder(key.column, value);
}

/** Returns the ORDER BY expressions that break ties after the sort keys. */
export function tieBreakSql(ties: TieBreak, alias: string): string[] {
  const name = (column: CompiledColumn): string => placeColumn({ alias, column });
  return [
    ...ties.columns.map(name),
    ...(ties.digested.length === 0 ? [] : [digestSql(ties.digested.map(name))]),
  ];
}

/** Returns the SQL for a digest of several values. It changes if any byte of them changes. */
export function digestSql(expressions: readonly string[]): string {
  const [only = '', ...others] = expressions.map((expression) => `SHA2(${expression}, 256)`);
  if (others.length === 0) return `UNHEX(${only})`;
  return `UNHEX(SHA2(CONCAT(${[only, ...others].map((digest) => `IFNULL(${digest}, '-')`).join(', ')}), 256))`;
}
