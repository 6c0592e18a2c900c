import type { CompiledColumn } from '@rowhouse/schema-model';
import { fits, reject, type Coerced, type Purpose } from './coerced.js';
import { shiftToUtc, isStoredDate } from './calendar.js';

/**
 * The number of fractional digits of values in filters. It is more than any column stores, and all of these
 * digits are compared.
 */
const SOUGHT_DIGITS = 12;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?(?: ?(Z|z|[+-]\d{2}(?::?\d{2})?))?$/;
/** Matches a time with an offset whose `+` was decoded as a space, as in a URL. */
const LOST_SIGN = /\d [01]\d:?[0-5]\d$/;
const TIME = /^(-?)(\d{1,3}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?$/;

/** Converts a date such as `2026-01-31`. A date with a time is accepted if that time is midnight. */
export function coerceDate(text: string, purpose: Purpose = 'write'): Coerced {
  const parts = DATE.exec(text) === null ? readDateTime(text, SOUGHT_DIGITS, purpose) : text;
  if (parts === null || !isStoredDate(parts.slice(0, 10), purpose))
    return reject('This is not a date like 2026-01-31.', 'date_parsing');
  if (parts.length > 10 && !/^ 00:00:00(\.0+)?$/.test(parts.slice(10)))
    return reject('This is a date with a time, but the column stores dates.', 'date_parsing');
  return fits(parts.slice(0, 10));
}

/**
 * Converts a date and time in ISO 8601, with or without a fraction and an offset. It also accepts a space
 * instead of `T`, and a date alone. A time with an offset is converted to UTC. Fractional digits beyond
 * `digits` are truncated, because one of the engines would round them, even to the next day.
 */
export function coerceDateTime(text: string, digits = SOUGHT_DIGITS, purpose: Purpose = 'write'): Coerced {
  if (DATE.test(text))
    return isStoredDate(text, purpose)
      ? fits(`${text} 00:00:00`)
      : reject('This day does not exist.', 'datetime_parsing');
  const value = readDateTime(text, digits, purpose);
  if (value !== null) return fits(value);
  const hint = LOST_SIGN.test(text) ? 'In a URL, write a plus sign as %2B.' : undefined;
  return reject('This is not a date and time like 2026-01-31T12:00:00Z.', 'datetime_parsing', hint);
}

/**
 * Returns `YYYY-MM-DD HH:MM:SS[.ffffff]` in UTC. Equal times have equal texts. Returns null if the text is
 * not a date and time.
 */
function readDateTime(text: string, digits: number, purpose: Purpose): string | null {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return null;
  const [, date = '', hour = '', minute = '', second = '00', fraction = '', offset = ''] = parts;
  if (!isStoredDate(date, purpose) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return null;
  const moment = shiftToUtc(`${date} ${hour}:${minute}:${second}`, offset);
  return moment === null ? null : moment + toFraction(fraction, digits);
}

function toFraction(fraction: string, digits: number): string {
  const significant = fraction.slice(0, digits).replace(/0+$/, '');
  return significant === '' ? '' : `.${significant}`;
}

/** Converts a time of the form `[-]HHH:MM[:SS[.f]]`, up to 838:59:59. Equal times have equal texts. */
export function coerceTime(text: string, digits = SOUGHT_DIGITS): Coerced {
  const parts = TIME.exec(text);
  const [, sign = '', hours = '', minutes = '', seconds = '00', fraction = ''] = parts ?? [];
  if (parts === null || Number(minutes) > 59 || Number(seconds) > 59)
    return reject('This is not a time like 12:30:00.', 'time_parsing');
  const isTooLong =
    Number(hours) > 838 ||
    (hours === '838' && minutes === '59' && seconds === '59' && /[1-9]/.test(fraction));
  if (isTooLong) return reject('A time must be between -838:59:59 and 838:59:59.', 'out_of_range');
  const time = `${String(Number(hours)).padStart(2, '0')}:${minutes}:${seconds}${toFraction(fraction, digits)}`;
  return fits(/[1-9]/.test(time) ? sign + time : time);
}

export function coerceYear(text: string, purpose: Purpose): Coerced {
  if (!/^\d{1,4}$/.test(text)) return reject('This is not a year like 2026.', 'year_parsing');
  const year = Number(text);
  const isShort = year > 0 && year < 100;
  // A year of two digits is not accepted, because the servers interpret 26 as 2026, even in comparisons.
  if (isShort || (purpose === 'write' && year !== 0 && (year < 1901 || year > 2155)))
    return reject('A year must be between 1901 and 2155.', 'out_of_range');
  return fits(text.padStart(4, '0'));
}

/** Reports whether the values of the column contain a date. */
export function isDayKind(column: CompiledColumn): boolean {
  return column.valueKind === 'date' || column.valueKind === 'datetime' || column.valueKind === 'timestamp';
}
