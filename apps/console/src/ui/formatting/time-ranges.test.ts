import { expect, it } from 'vitest';
import { isTimeRange, toRangeStart } from './time-ranges.js';

it('a time range of the console starts at a full minute', () => {
  expect(toRangeStart('1h', Date.UTC(2026, 0, 1, 12, 30, 40))).toBe('2026-01-01T11:30:00.000Z');
});

it('a time range that the console does not offer is ignored', () => {
  expect(['15m', '7d', 'toString', 7, undefined].map(isTimeRange)).toEqual([true, true, false, false, false]);
});
