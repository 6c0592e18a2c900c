import { ownMember } from './own-member.js';
import type { ValueKind } from './types.js';

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
 * Returns the kind of JSON value for a column. `sqlType` is COLUMN_TYPE. `isJson` marks a text column with
 * the check `json_valid`, which is how MariaDB stores JSON. Unknown types are sent as text.
 */
export function toValueKind(type: string, sqlType: string, isJson = false): ValueKind {
  if (isJson && type === 'longtext') return 'json';
  if (/^(tinyint|bit)\(1\)$/i.test(sqlType.trim())) return 'boolean';
  return ownMember(KINDS, type) ?? 'string';
}
