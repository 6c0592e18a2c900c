import { ownMember } from '../compile/with-number-columns.js';
import type { Column, ValueKind } from '../types.js';

/** The number of bits of each integer type. */
export const INTEGER_BITS: Readonly<Record<string, number>> = {
  tinyint: 8,
  smallint: 16,
  mediumint: 24,
  int: 32,
  integer: 32,
  bigint: 64,
};

/** The largest number of bits for which a double represents every integer exactly. */
export const DOUBLE_BITS = 53;

const KINDS: Readonly<Record<string, ValueKind>> = {
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  integer: 'integer',
  bigint: 'integer',
  decimal: 'decimal',
  numeric: 'decimal',
  float: 'float',
  double: 'double',
  real: 'double',
  bit: 'bit',
  char: 'string',
  varchar: 'string',
  tinytext: 'string',
  text: 'string',
  mediumtext: 'string',
  longtext: 'string',
  enum: 'enum',
  set: 'set',
  date: 'date',
  datetime: 'datetime',
  timestamp: 'timestamp',
  time: 'time',
  year: 'year',
  json: 'json',
  binary: 'binary',
  varbinary: 'binary',
  tinyblob: 'binary',
  blob: 'binary',
  mediumblob: 'binary',
  longblob: 'binary',
  uuid: 'uuid',
  inet4: 'inet',
  inet6: 'inet',
  vector: 'vector',
  geometry: 'geometry',
  point: 'geometry',
  linestring: 'geometry',
  polygon: 'geometry',
  multipoint: 'geometry',
  multilinestring: 'geometry',
  multipolygon: 'geometry',
  geometrycollection: 'geometry',
  geomcollection: 'geometry',
};

/**
 * Returns the kind of a column's values in JSON. `sqlType` is COLUMN_TYPE. `isJson` marks a text column with
 * the check `json_valid`, in which MariaDB stores JSON. The values of unknown types are returned as text.
 */
export function toValueKind(type: string, sqlType: string, isJson = false): ValueKind {
  if (isJson && type === 'longtext') return 'json';
  if (/^(tinyint|bit)\(1\)$/i.test(sqlType.trim())) return 'boolean';
  return ownMember(KINDS, type) ?? 'string';
}

/** Reports whether the column may contain integers that a double cannot represent exactly. */
export function isWide(column: Pick<Column, 'valueKind' | 'type' | 'precision'>): boolean {
  return (
    (column.valueKind === 'integer' && column.type === 'bigint') ||
    (column.valueKind === 'bit' && (column.precision ?? 64) > DOUBLE_BITS)
  );
}

/** Returns the smallest and the largest value of an integer column. */
export function integerRange(column: Pick<Column, 'type' | 'unsigned'>): { low: bigint; high: bigint } {
  const bits = BigInt(INTEGER_BITS[column.type] ?? 64);
  if (column.unsigned) return { low: 0n, high: 2n ** bits - 1n };
  return { low: -(2n ** (bits - 1n)), high: 2n ** (bits - 1n) - 1n };
}
