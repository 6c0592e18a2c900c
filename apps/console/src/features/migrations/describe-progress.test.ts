import { describe, expect, it } from 'vitest';
import { describeDuration, describeProgress } from './describe-state.js';

describe('describeProgress', () => {
  const at = (rows_done: number | null, rows_total: number | null, eta_seconds: number | null = null) =>
    describeProgress({ rows_done, rows_total, eta_seconds, progress: 0 });

  it('a migration that copies no rows has no progress', () => {
    expect(at(null, null)).toBeNull();
    expect(at(0, 0)).toBeNull();
  });

  it('the progress of a copy contains its rows and remaining time', () => {
    expect(at(250_000, 1_000_000, 95)).toEqual({
      share: 0.25,
      text: '250,000 of about 1,000,000 rows copied (25 %), about 1 min 35 s left',
    });
  });

  it('the progress of a migration never exceeds 100 %', () => {
    expect(at(1_200, 1_000)).toEqual({ share: 1, text: '1,200 of about 1,200 rows copied (100 %)' });
  });
});

it.each([
  [340, '340 ms'],
  [4_210, '4.2 s'],
  [42_000, '42 s'],
  [180_000, '3 min'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
])('the duration of %d ms is described as %s', (durationMs, words) => {
  expect(describeDuration(durationMs)).toBe(words);
});
