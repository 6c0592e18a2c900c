import { expect, it } from 'vitest';
import { isTimeRange, toRangeStart } from './time-ranges.js';

it('begins a range at a whole minute', () => {
  expect(toRangeStart('1h', Date.UTC(2026, 0, 1, 12, 30, 40))).toBe('2026-01-01T11:30:00.000Z');
});

it('knows its ranges and nothing else', () => {
  expect(['15m', '7d', 'toString', 7, undefined].map(isTimeRange)).toEqual([true, true, false, false, false]);
});
