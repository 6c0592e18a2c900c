import type { ColumnFormat } from '@rowhouse/schema-model';
import { isCalendarDate } from './calendar.js';
import { coerceDateTime } from './coerce-temporal.js';

/** The length of an IPv6 address with eight groups, the last two of which are written as an IPv4 address. */
const IPV6_LENGTH_MAX = 45;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Matches one label of a host name. */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Reports whether a text has the format that its column requires. Only the syntax is checked: no host name is
 * looked up.
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

/** Reports whether a text is four numbers from 0 to 255, joined by dots and without leading zeros. */
export function isIpv4(text: string): boolean {
  const parts = text.split('.', 5);
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

/**
 * Reports whether a text is an IPv6 address of eight groups. `::` may replace one run of groups, and the last
 * two groups may be written as an IPv4 address.
 */
export function isIpv6(text: string): boolean {
  if (text.length > IPV6_LENGTH_MAX) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const all = groups.flat();
  const last = all.at(-1);
  const hasIpv4 = last !== undefined && last.includes('.');
  const plain = hasIpv4 ? all.slice(0, -1) : all;
  if (hasIpv4 && (!isIpv4(last) || (groups.at(-1) ?? []).length === 0)) return false;
  if (!plain.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  const count = plain.length + (hasIpv4 ? 2 : 0);
  return halves.length === 2 ? count <= 7 : count === 8;
}

/** Returns all eight groups of an IPv6 address in lower case, with four digits each. */
export function expandIpv6(text: string): string {
  const [head = '', tail = null] = text.split('::') as [string?, (string | null)?];
  const [first, last] = [toGroups(head), toGroups(tail ?? '')];
  const between = tail === null ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...between, ...last].map((group) => group.toLowerCase().padStart(4, '0')).join(':');
}

function toGroups(half: string): string[] {
  if (half === '') return [];
  return half.split(':').flatMap((group) => {
    if (!group.includes('.')) return [group];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
  });
}
