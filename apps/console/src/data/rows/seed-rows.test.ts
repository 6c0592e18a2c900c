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
    'Added 40 sample rows to 2 tables.',
  ],
  [
    {
      rows: 1,
      tables: [
        { name: 'users', rows: 1, reason: null },
        { name: 'tags', rows: 0, reason: 'it already has rows' },
      ],
    },
    'Added 1 sample row to 1 table.',
  ],
  [
    { rows: 0, tables: [{ name: 'badges', rows: 0, reason: 'it needs rows in employees, which is empty' }] },
    'No sample rows added. badges: it needs rows in employees, which is empty.',
  ],
  [{ rows: 0, tables: [] }, 'No sample rows added.'],
])('the sample row result %j is described as %s', (answer, message) => {
  expect(describeSeed(answer)).toBe(message);
});
