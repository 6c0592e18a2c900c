import { expect, it } from 'vitest';
import { describeTime, writeClock, writeDay, writeExactTime } from './describe-time.js';

const NOW = Date.UTC(2026, 0, 15);

it.each([
  [NOW - 5_000, 'just now'],
  [NOW + 5_000, 'in a moment'],
  [NOW - 180_000, '3 minutes ago'],
  [NOW + 25 * 3_600_000, 'tomorrow'],
  [NOW + 95 * 86_400_000, 'in 3 months'],
  [NOW - 800 * 86_400_000, '2 years ago'],
])('the time %d is described as %s', (atMs, words) => {
  expect(describeTime(atMs, NOW)).toBe(words);
});

it('describeTime returns the same text as Intl.RelativeTimeFormat', () => {
  const own = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, lengthMs] of [
    ['minute', 60_000],
    ['hour', 3_600_000],
    ['day', 86_400_000],
    ['month', 2_592_000_000],
    ['year', 31_536_000_000],
  ] as const) {
    for (const count of [-11, -2, -1, 1, 2, 11])
      expect(describeTime(NOW + count * lengthMs, NOW)).toBe(own.format(count, unit));
  }
});

it('dates and times use the local time zone', () => {
  const date = new Date(2026, 11, 3, 9, 5, 7);
  expect([writeDay(date), writeClock(date), writeExactTime(date)]).toEqual([
    'Dec 3, 2026',
    '09:05',
    'Dec 3, 2026, 09:05:07',
  ]);
  expect(writeDay(new Date(2027, 0, 31))).toBe('Jan 31, 2027');
});
