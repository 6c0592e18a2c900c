import { expect, it } from 'vitest';
import { describeSeed } from './seed-rows.js';

it.each([
  [
    {
      rows: 40,
      tables: [
        { name: 'users', rows: 20, reason: null },
        { name: 'posts', rows: 20, reason: 'it has fewer' },
      ],
    },
    '40 sample rows in 2 tables.',
  ],
  [
    {
      rows: 1,
      tables: [
        { name: 'users', rows: 1, reason: null },
        { name: 'tags', rows: 0, reason: 'it has rows already' },
      ],
    },
    '1 sample row in 1 table.',
  ],
  [
    { rows: 0, tables: [{ name: 'badges', rows: 0, reason: 'it needs rows of employees, which has none' }] },
    'No sample rows were made. badges: it needs rows of employees, which has none.',
  ],
  [{ rows: 0, tables: [] }, 'No sample rows were made.'],
])('%j is described as %s', (answer, message) => {
  expect(describeSeed(answer)).toBe(message);
});
