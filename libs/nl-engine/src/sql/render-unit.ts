import type { TimeUnit } from '../types.js';

/** Renders the day, month or year of a time, which is both shown and grouped by. */
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
