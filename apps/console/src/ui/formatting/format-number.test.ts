import { expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatMilliseconds,
  formatShortCount,
  formatCountOf,
} from './format-number.js';

it('numbers and byte sizes are grouped or shortened', () => {
  expect([formatCount(12_345), formatShortCount(12_345)]).toEqual(['12,345', '12.3K']);
  expect([0, 1_023, 1_536, 150 * 1_024 ** 2, 10 * 1_024 ** 3].map(formatBytes)).toEqual([
    '0 bytes',
    '1023 bytes',
    '1.5 KiB',
    '150 MiB',
    '10 GiB',
  ]);
  expect([0.84, 12.4, 999, 1_254].map(formatMilliseconds)).toEqual(['0.8 ms', '12 ms', '999 ms', '1.25 s']);
});

it('a formatted count includes its noun', () => {
  expect([
    formatCountOf(0, 'row'),
    formatCountOf(1, 'row'),
    formatCountOf(1_200, 'row'),
    formatCountOf(1, 'change was', 'changes were'),
    formatCountOf(2, 'change was', 'changes were'),
  ]).toEqual(['0 rows', '1 row', '1,200 rows', '1 change was', '2 changes were']);
});

it('a formatted count uses the correct plural', () => {
  const [long, short] = [
    new Intl.NumberFormat('en'),
    new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }),
  ];
  for (const count of [
    0, 7, 999, 1_000, 1_049, 9_950, 12_345, 999_949, 999_950, 1_000_000, 1_250_000_000, 7_000_000_000_000,
  ]) {
    expect([formatCount(count), formatShortCount(count)]).toEqual([long.format(count), short.format(count)]);
  }
});
