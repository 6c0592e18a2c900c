import type { ColumnFormat } from '@rowhouse/schema-model';
import { isIpv4, isIpv6 } from './check-address.js';
import { isCalendarDate } from './calendar.js';
import { coerceDateTime } from './coerce-temporal.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** A label of a host name. */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Reports whether a text has the format that its column requires. Only the syntax is checked, so no host name
 * is looked up.
 */
export function matchesFormat(text: string, format: ColumnFormat): boolean {
  switch (format) {
    case 'email':
      return isEmail(text);
    case 'uri':
      return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/.test(text);
    case 'uuid':
      return isUuid(text);
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDate(text);
    case 'date-time':
      return text.length > 10 && coerceDateTime(text).kind === 'value';
    case 'ipv4':
      return isIpv4(text);
    case 'ipv6':
      return isIpv6(text);
    case 'hostname':
      return isHostname(text);
  }
}

function isEmail(text: string): boolean {
  const index = text.lastIndexOf('@');
  const local = text.slice(0, index);
  const domain = text.slice(index + 1);
  if (index < 1 || local.length > 64 || !/^[^\s@"(),:;<>[\]\\]+$/u.test(local)) return false;
  return !/^\.|\.$|\.\./.test(local) && domain.includes('.') && isHostname(domain);
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => LABEL.test(label));
}
