/**
 * The number of days in each month. Dates are computed with integers, because JavaScript's Date misinterprets
 * years below 100 and uses local time.
 */
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Reports whether a text of the form `YYYY-MM-DD` is an existing date. */
export function isCalendarDate(date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= daysOfMonth(year, month);
}

/**
 * Reports whether a column may contain a date of the form `YYYY-MM-DD`. Old rows may have a month or day of
 * zero, or days that do not exist. Writes accept neither, filters accept a month or day of zero, and keys
 * accept both.
 */
export function isStoredDate(date: string, purpose: 'write' | 'filter' | 'key'): boolean {
  if (purpose === 'write' || isCalendarDate(date)) return isCalendarDate(date);
  const [, month = 13, day = 32] = date.split('-').map(Number);
  return month <= 12 && day <= 31 && (purpose === 'key' || month === 0 || day === 0);
}

function daysOfMonth(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}

/**
 * Converts `YYYY-MM-DD HH:MM:SS` with an offset ('', 'Z', '+02', '+0200' or '+02:00') to UTC. Returns null if
 * the offset or the result is invalid.
 */
export function shiftToUtc(moment: string, offset: string): string | null {
  if (offset === '' || offset.toUpperCase() === 'Z') return moment;
  if (!isCalendarDate(moment.slice(0, 10))) return null;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || '0');
  if (hours > 18 || minutes > 59) return null;
  const shift = (offset.startsWith('-') ? 1 : -1) * (hours * 60 + minutes);
  return addMinutes(moment, shift);
}

function addMinutes(moment: string, minutes: number): string | null {
  const total = Number(moment.slice(11, 13)) * 60 + Number(moment.slice(14, 16)) + minutes;
  const date = addDays(moment.slice(0, 10), Math.floor(total / 1440));
  if (date === null) return null;
  const inDay = ((total % 1440) + 1440) % 1440;
  return `${date} ${pad(Math.floor(inDay / 60), 2)}:${pad(inDay % 60, 2)}${moment.slice(16)}`;
}

/** Adds `days`, which is -1, 0 or 1, to a date. Returns null if the result is outside the years 0 to 9999. */
function addDays(date: string, days: number): string | null {
  let [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  day += days;
  if (day < 1) {
    month -= 1;
    if (month < 1) [year, month] = [year - 1, 12];
    day += daysOfMonth(year, month);
  } else if (day > daysOfMonth(year, month)) {
    day -= daysOfMonth(year, month);
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
  }
  return year < 0 || year > 9999 ? null : `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
