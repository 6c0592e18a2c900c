import { expect, it } from 'vitest';
import { describeTime } from './describe-time.js';

const NOW = Date.UTC(2026, 0, 15);

it.each([
  [NOW - 5_000, 'just now'],
  [NOW + 5_000, 'in a moment'],
  [NOW - 180_000, '3 minutes ago'],
  [NOW + 25 * 3_600_000, 'tomorrow'],
  [NOW + 95 * 86_400_000, 'in 3 months'],
  [NOW - 800 * 86_400_000, '2 years ago'],
])('describes %d as %s', (atMs, words) => {
  expect(describeTime(atMs, NOW)).toBe(words);
});
