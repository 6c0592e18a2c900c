import { describe, expect, it } from 'vitest';
import { firstStatement, plan, rejection } from '../../../../test/blog.js';
import { evaluateMoment, toLocalText, toUtcText } from './moment-expression.js';
import { readMoment } from './take-moment.js';

/** Returns the time that an expression means at an instant, in UTC and in the expression's time zone. */
function mean(text: string, now: string): readonly string[] {
  const taken = readMoment(text);
  const moment = taken.kind === 'moment' ? evaluateMoment(taken.expression, Date.parse(now)) : null;
  return moment === null ? [] : [toUtcText(moment), toLocalText(moment)];
}

describe('a relative date', () => {
  it.each([
    ['NOW() - INTERVAL 7 DAY', '2026-03-05T10:20:30.400Z', '2026-02-26 10:20:30.400'],
    ['NOW() - INTERVAL 1 MONTH', '2026-03-31T10:00:00Z', '2026-02-28 10:00:00'],
    ['NOW() + INTERVAL 1 YEAR', '2024-02-29T00:00:00Z', '2025-02-28 00:00:00'],
    ["now() - interval '90 minutes'", '2026-01-01T01:00:00Z', '2025-12-31 23:30:00'],
    // In a URL, a plus sign is decoded as a space.
    ['NOW()   INTERVAL 2 WEEKS', '2026-01-01T00:00:00Z', '2026-01-15 00:00:00'],
    ['CURRENT_DATE()', '2026-01-01T23:59:59Z', '2026-01-01 00:00:00'],
    ["DATE_TRUNC('week', NOW())", '2026-11-29T12:00:00Z', '2026-11-23 00:00:00'],
    ["DATE_TRUNC('quarter', NOW()) - INTERVAL 1 QUARTER", '2026-02-10T12:00:00Z', '2025-10-01 00:00:00'],
    ["DATE_TRUNC('year', NOW() - INTERVAL 40 DAY)", '2026-02-01T00:00:00Z', '2025-01-01 00:00:00'],
    ["DATE_TRUNC('hour', NOW(), '+05:30')", '2026-02-01T00:45:00Z', '2026-02-01 00:30:00'],
    ["DATE_TRUNC('day', NOW(), 'Europe/Amsterdam')", '2026-06-30T22:30:00Z', '2026-06-30 22:00:00'],
    ["DATE_TRUNC('month', NOW(), 'America/New_York')", '2026-03-20T12:00:00Z', '2026-03-01 05:00:00'],
    // Days follow the calendar of the time zone. On the day when clocks are set back, a day has 25 hours.
    [
      "DATE_TRUNC('day', NOW(), 'Europe/Amsterdam') + INTERVAL 1 DAY",
      '2026-10-25T10:00:00Z',
      '2026-10-25 23:00:00',
    ],
    [
      "DATE_TRUNC('day', NOW(), 'Europe/Amsterdam') + INTERVAL 24 HOUR",
      '2026-10-25T10:00:00Z',
      '2026-10-25 22:00:00',
    ],
    // On the day when clocks are set forward in Havana, midnight does not exist.
    ["DATE_TRUNC('day', NOW(), 'America/Havana')", '2026-03-08T12:00:00Z', '2026-03-08 05:00:00'],
  ])('the relative date %s at the time %s is %s', (text, now, utc) => {
    expect(mean(text, now)[0]).toBe(utc);
  });

  it('a relative date is compared with a DATE column by its date in the time zone', () => {
    const options = { options: { now: () => Date.parse('2026-06-30T22:30:00Z') } };
    const where = (text: string): readonly unknown[] => {
      const { sql, params } = firstStatement(`GET /types?where=${encodeURIComponent(text)}`, options);
      return [/WHERE (.*) ORDER/.exec(sql)?.[1]?.replaceAll('`', ''), ...params.slice(0, -1)];
    };
    expect(where("day >= DATE_TRUNC('day', NOW(), 'Europe/Amsterdam')")).toEqual(['day >= ?', '2026-07-01']);
    expect(where("at >= DATE_TRUNC('day', NOW(), 'Europe/Amsterdam')")).toEqual([
      'at >= ?',
      '2026-06-30 22:00:00',
    ]);
    expect(where('day >= NOW() - INTERVAL 1 DAY')).toEqual(['day > ?', '2026-06-29']);
    expect(where('day = NOW() - INTERVAL 1 DAY')).toEqual([
      '(day < ? AND day > ?)',
      '2026-06-29',
      '2026-06-29',
    ]);
    expect(where('at BETWEEN CURRENT_DATE() AND NOW()')).toEqual([
      '(at >= ? AND at <= UTC_TIMESTAMP(6))',
      '2026-06-30 00:00:00',
    ]);
  });

  it('all relative dates of a request use the same current time', () => {
    let reads = 0;
    const now = (): number => (reads += 1);
    plan(
      `GET /types?where=${encodeURIComponent('at > NOW() - INTERVAL 1 DAY AND at < NOW() + INTERVAL 1 DAY')}&_filter=${encodeURIComponent('{"day__gt":{"$expr":"CURRENT_DATE()"}}')}`,
      { options: { now } },
    );
    expect(reads).toBe(1);
  });

  it.each([
    ['at > NOW() - INTERVAL 1 DECADE', 'where_parsing'],
    ['at > NOW() - INTERVAL DAY', 'where_parsing'],
    ["at > DATE_TRUNC('day')", 'where_parsing'],
    ["at > DATE_TRUNC('day', NOW(), 'Europe/Nowhere')", 'where_parsing'],
    ["at > DATE_TRUNC('day', NOW(), 'UTC') OR SLEEP(9)", 'where_parsing'],
    [
      "at > DATE_TRUNC('day', DATE_TRUNC('day', DATE_TRUNC('day', DATE_TRUNC('day', NOW()))))",
      'where_parsing',
    ],
    ['at > NOW() - INTERVAL 9000 YEAR', 'out_of_range'],
    ['name > NOW() - INTERVAL 1 DAY', 'not_comparable'],
    [`at > NOW()${' - INTERVAL 1 DAY'.repeat(9)}`, 'where_parsing'],
    ['at > SYSDATE()', 'where_parsing'],
  ])('readMoment rejects the relative date %s', (where, type) => {
    expect(rejection(`GET /types?where=${encodeURIComponent(where)}`, { options: { now: () => 0 } })).toBe(
      `422 params.invalid ["query","where"] ${type}`,
    );
  });
});
