import type { TimeUnit } from '../types.js';

/** The day, month or year that a time lies in, as groups are shown and kept apart. */
export function renderUnit(column: string, unit: TimeUnit | undefined): string {
  switch (unit) {
    case undefined:
      return column;
    case 'day':
      return `DATE(${column})`;
    case 'month':
      return `DATE_FORMAT(${column}, '%Y-%m')`;
    case 'year':
      return `YEAR(${column})`;
  }
}
