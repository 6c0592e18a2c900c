import type { ColumnView } from '../schema/read-tables.js';
import { kindOf } from './column-kinds.js';

/** The attributes of the browser's own input for a date or a time. */
export interface TimeInput {
  readonly type: 'date' | 'datetime-local' | 'time';
  /** The smallest step in seconds. Undefined for dates. */
  readonly step: string | undefined;
  readonly value: string;
}

const DATE = /^[1-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
/** The browser's inputs support at most milliseconds. MySQL stores times up to 838 hours. */
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?$/;

/**
 * Returns the browser's input for a value of a date or time column. Returns null for other columns, and for
 * values that the input cannot represent, such as `0000-00-00`.
 */
export function toTimeInput(column: ColumnView, text: string): TimeInput | null {
  const kind = kindOf(column);
  if (kind === 'date')
    return text === '' || DATE.test(text) ? { type: 'date', step: undefined, value: text } : null;
  if (kind !== 'datetime' && kind !== 'time') return null;
  const value = text.replace(/Z$/, '');
  const [date, time] = kind === 'time' ? ['', value] : value.split('T', 2);
  const isSupported = value === '' || (TIME.test(time ?? '') && (kind === 'time' || DATE.test(date ?? '')));
  if (!isSupported) return null;
  const step = value.includes('.') || /\([1-6]\)/.test(column.type) ? '0.001' : '1';
  return { type: kind === 'time' ? 'time' : 'datetime-local', step, value };
}

/**
 * Returns the text of a date or time as the data API writes it. The browser omits seconds that are zero, and
 * a TIMESTAMP is in UTC.
 */
export function fromTimeInput(column: ColumnView, value: string): string {
  if (value === '' || kindOf(column) === 'date') return value;
  const whole = /(^|T)\d\d:\d\d$/.test(value) ? `${value}:00` : value;
  return column.valueKind === 'timestamp' ? `${whole}Z` : whole;
}
