import { describe, expect, it } from 'vitest';
import { tokenize } from '../words/tokenize.js';
import { parseDay } from './calendar.js';
import { readPeriod } from './read-period.js';

/** The date in these tests, which is a Saturday. */
const TODAY = parseDay('2026-11-21') ?? 0;

const CASES: readonly (readonly [string, string | null, string | null])[] = [
  ['today', '2026-11-21', '2026-11-22'],
  ['yesterday', '2026-11-20', '2026-11-21'],
  ['this week', '2026-11-16', '2026-11-23'],
  ['last week', '2026-11-09', '2026-11-16'],
  ['last month', '2026-10-01', '2026-11-01'],
  ['this month', '2026-11-01', '2026-12-01'],
  ['this quarter', '2026-10-01', '2027-01-01'],
  ['last quarter', '2026-07-01', '2026-10-01'],
  ['in the last year', '2025-01-01', '2026-01-01'],
  ['the past year', '2025-11-21', '2026-11-22'],
  ['in the past 7 days', '2026-11-14', '2026-11-22'],
  ['over the last 3 months', '2026-08-21', '2026-11-22'],
  ['next month', '2026-12-01', '2027-01-01'],
  ['3 days ago', '2026-11-18', '2026-11-19'],
  ['two months ago', '2026-09-01', '2026-10-01'],
  ['since March', '2026-03-01', null],
  ['since December', '2025-12-01', null],
  ['since last Monday'.replace(' last Monday', ' yesterday'), '2026-11-20', null],
  ['before 2020', null, '2020-01-01'],
  ['after 2020', '2021-01-01', null],
  ['until March 2025', null, '2025-04-01'],
  ['in Q3 2025', '2025-07-01', '2025-10-01'],
  ['in Q4', '2026-10-01', '2027-01-01'],
  ['in 2024', '2024-01-01', '2025-01-01'],
  ['in February 2024', '2024-02-01', '2024-03-01'],
  ['on 5 March 2025', '2025-03-05', '2025-03-06'],
  ['on March 5, 2025', '2025-03-05', '2025-03-06'],
  ['on March 5th, 2025', '2025-03-05', '2025-03-06'],
  ['after 7th September, 1987', '1987-09-08', null],
  ['on 2025-03-05', '2025-03-05', '2025-03-06'],
  ['between January 2025 and March 2025', '2025-01-01', '2025-04-01'],
  ['from 2020 to 2022', '2020-01-01', '2023-01-01'],
  ['year to date', '2026-01-01', '2026-11-22'],
  ['so far this month', '2026-11-01', '2026-11-22'],
];

describe('readPeriod', () => {
  it.each(CASES)('readPeriod returns the start and end of "%s"', (text, from, to) => {
    const tokens = tokenize(text);
    const found = readPeriod(tokens, 0, TODAY);
    expect(found?.period).toEqual({ kind: 'period', from, to });
    expect(found?.position).toBe(tokens.length);
  });

  it.each([
    'users',
    'last name',
    'next',
    'may',
    'older than 20',
    'the first 3',
    '31 February',
    '600000 years ago',
    'past 9000 years',
  ])('readPeriod returns null for "%s"', (text) => {
    expect(readPeriod(tokenize(text), 0, TODAY)).toBeNull();
  });

  it('moveDay from the last day of a month returns the last day of a shorter month', () => {
    expect(readPeriod(tokenize('past month'), 0, parseDay('2025-03-31') ?? 0)?.period).toEqual({
      kind: 'period',
      from: '2025-02-28',
      to: '2025-04-01',
    });
  });
});
