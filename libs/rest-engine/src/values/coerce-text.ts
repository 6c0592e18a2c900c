import type { CompiledColumn } from '@rowhouse/schema-model';
import { isUuid, expandIpv6, isIpv4, isIpv6 } from './check-format.js';
import { coerceBinary } from './coerce-binary.js';
import { fits, reject, type Coerced, type Purpose } from './coerced.js';
import { coerceEnum, coerceSet, SET_LABELS_MAX } from './coerce-label.js';
import { coerceDecimal, coerceFloat, coerceInteger } from './coerce-number.js';
import { coerceString } from './coerce-string.js';
import { coerceDate, coerceDateTime, coerceTime, coerceYear } from './coerce-temporal.js';

/** Converts a value to the type of its column. The value is a text, from a URL or a JSON string. */
export function coerceText(column: CompiledColumn, text: string, purpose: Purpose): Coerced {
  switch (column.valueKind) {
    case 'integer':
    case 'bit':
      return coerceInteger(column, text, purpose, false);
    case 'decimal':
      return coerceDecimal(column, text, purpose);
    case 'float':
    case 'double':
      return coerceFloat(column, text, purpose);
    case 'boolean':
      return coerceBoolean(text);
    case 'string':
      return coerceString(column, text, purpose);
    case 'enum':
      return coerceEnum(column, text, false, purpose);
    case 'set':
      return coerceSet(column, text === '' ? [] : text.split(',', SET_LABELS_MAX + 1));
    case 'date':
      return coerceDate(text, purpose);
    case 'datetime':
    case 'timestamp':
      return coerceDateTime(text, retainedDigits(column, purpose), purpose);
    case 'time':
      return coerceTime(text, retainedDigits(column, purpose));
    case 'year':
      return coerceYear(text, purpose);
    case 'binary':
      return coerceBinary(column, text, purpose);
    case 'uuid':
      return isUuid(text) ? fits(text.toLowerCase()) : reject('This is not a UUID.', 'uuid_parsing');
    case 'inet':
      return coerceInet(column, text);
    case 'json':
    case 'vector':
    case 'geometry':
      return reject(`A ${column.valueKind} column cannot be compared with text.`, 'not_comparable');
  }
}

function coerceBoolean(text: string): Coerced {
  if (text === 'true' || text === '1') return fits(1);
  if (text === 'false' || text === '0') return fits(0);
  return reject('The value must be true or false.', 'bool_parsing');
}

/**
 * Returns the maximum number of fractional digits of a written value. For filters, returns undefined: such a
 * value keeps all its digits, and equals no stored value if the column has fewer.
 */
function retainedDigits(column: CompiledColumn, purpose: Purpose): number | undefined {
  return purpose === 'write' ? (column.fraction ?? 0) : undefined;
}

/** Converts an IP address to the notation that the column stores. Equal addresses have equal texts. */
function coerceInet(column: CompiledColumn, text: string): Coerced {
  if (isIpv4(text)) return fits(column.type === 'inet6' ? expandIpv6(`::ffff:${text}`) : text);
  if (column.type === 'inet6' && isIpv6(text)) return fits(expandIpv6(text));
  return reject(`This is not an ${column.type === 'inet6' ? 'IPv6' : 'IPv4'} address.`, 'ip_parsing');
}
