import type { Literal, Token } from '../types.js';
import {
  formatDay,
  moveDay,
  parseDay,
  startOf,
  toDayNumber,
  toDayParts,
  type DayNumber,
  type Unit,
} from './calendar.js';
import { wordSet } from '../words/word-set.js';

type Period = Extract<Literal, { kind: 'period' }>;
type OpenPeriod = 'from' | 'after' | 'before' | 'until';

interface Range {
  readonly position: number;
  /** The first day of the range. */
  readonly from: DayNumber;
  /** The day after the last day of the range. */
  readonly to: DayNumber;
}

/** The range of dates that the database servers support. */
const [FIRST_DAY, LAST_DAY] = [toDayNumber(1_000, 1, 1), toDayNumber(9_999, 12, 31)];
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries<Unit>({
    day: 'day',
    days: 'day',
    week: 'week',
    weeks: 'week',
    month: 'month',
    months: 'month',
    quarter: 'quarter',
    quarters: 'quarter',
    year: 'year',
    years: 'year',
  }),
);
const OPENINGS: ReadonlyMap<string, OpenPeriod> = new Map(
  Object.entries<OpenPeriod>({
    since: 'from',
    after: 'after',
    before: 'before',
    until: 'until',
    till: 'until',
  }),
);
const BEFORE_PERIOD = wordSet('in on during within over for from the at of made created by');

/**
 * Parses a period that begins at `position`, such as `last month`, `the past 7 days`, `since March` or `in Q3
 * 2025`. Returns null if the tokens are not a period.
 *
 * The period includes its first day and excludes its last. A month without a year is the most recent one that
 * has begun.
 */
export function readPeriod(
  tokens: readonly Token[],
  position: number,
  today: DayNumber,
): { readonly position: number; readonly period: Period } | null {
  const open = OPENINGS.get(wordOf(tokens, position));
  if (open !== undefined) {
    const range = readRange(tokens, skipPrepositions(tokens, position + 1), today);
    return range === null ? null : { position: range.position, period: toOpenPeriod(open, range) };
  }
  const between = readBetween(tokens, position, today);
  if (between !== null) return { position: between.position, period: toPeriod(between.from, between.to) };
  const range = readRange(tokens, skipPrepositions(tokens, position), today);
  return range === null ? null : { position: range.position, period: toPeriod(range.from, range.to) };
}

function toPeriod(from: DayNumber | null, to: DayNumber | null): Period {
  return {
    kind: 'period',
    from: from === null ? null : formatDay(from),
    to: to === null ? null : formatDay(to),
  };
}

function toOpenPeriod(open: OpenPeriod, range: Range): Period {
  if (open === 'from') return toPeriod(range.from, null);
  if (open === 'after') return toPeriod(range.to, null);
  return toPeriod(null, open === 'before' ? range.from : range.to);
}

function readBetween(tokens: readonly Token[], position: number, today: DayNumber): Range | null {
  const word = wordOf(tokens, position);
  if (word !== 'between' && word !== 'from') return null;
  const first = readRange(tokens, skipPrepositions(tokens, position + 1), today);
  if (first === null || !['and', 'to', 'until', 'through'].includes(wordOf(tokens, first.position)))
    return null;
  const second = readRange(tokens, skipPrepositions(tokens, first.position + 1), today);
  return second === null || second.to <= first.from
    ? null
    : { position: second.position, from: first.from, to: second.to };
}

function readRange(tokens: readonly Token[], position: number, today: DayNumber): Range | null {
  const range =
    readRelative(tokens, position, today) ??
    readToDate(tokens, position, today) ??
    readAgo(tokens, position, today) ??
    readCalendarDate(tokens, position, today);
  return range !== null && range.from >= FIRST_DAY && range.to <= LAST_DAY ? range : null;
}

/** Parses a period relative to today, such as `today`, `last month`, `this year` or `the past 7 days`. */
function readRelative(tokens: readonly Token[], position: number, today: DayNumber): Range | null {
  const word = wordOf(tokens, position);
  const offset = { today: 0, yesterday: -1, tomorrow: 1 }[word];
  if (offset !== undefined) return { position: position + 1, from: today + offset, to: today + offset + 1 };
  const step = { this: 0, current: 0, last: -1, previous: -1, past: -1, next: 1 }[word];
  if (step === undefined) return null;
  const number = tokens[position + 1]?.kind === 'number' ? (tokens[position + 1]?.value ?? 0) : null;
  const unit = UNITS.get(wordOf(tokens, number === null ? position + 1 : position + 2));
  if (unit === undefined) return null;
  if (number === null) {
    if (word === 'past') return { position: position + 2, from: moveDay(today, unit, -1), to: today + 1 };
    return { position: position + 2, from: startOf(today, unit, step), to: startOf(today, unit, step + 1) };
  }
  if (step >= 0 || !Number.isInteger(number) || number < 1 || number > 10_000) return null;
  return { position: position + 3, from: moveDay(today, unit, -number), to: today + 1 };
}

/** Parses a period from the start of a unit until today, such as `year to date` or `so far this month`. */
function readToDate(tokens: readonly Token[], position: number, today: DayNumber): Range | null {
  const unit = UNITS.get(wordOf(tokens, position));
  if (unit !== undefined && wordOf(tokens, position + 1) === 'to' && wordOf(tokens, position + 2) === 'date')
    return { position: position + 3, from: startOf(today, unit), to: today + 1 };
  const toDateUnit = UNITS.get(wordOf(tokens, position + 3));
  if (
    wordOf(tokens, position) === 'so' &&
    wordOf(tokens, position + 1) === 'far' &&
    wordOf(tokens, position + 2) === 'this' &&
    toDateUnit !== undefined
  )
    return { position: position + 4, from: startOf(today, toDateUnit), to: today + 1 };
  return null;
}

/** Parses a complete day, week, month or year before today, as in `3 days ago`. */
function readAgo(tokens: readonly Token[], position: number, today: DayNumber): Range | null {
  const number =
    tokens[position]?.kind === 'number'
      ? (tokens[position]?.value ?? 0)
      : wordOf(tokens, position) === 'a'
        ? 1
        : null;
  const unit = UNITS.get(wordOf(tokens, position + 1));
  if (
    number === null ||
    unit === undefined ||
    wordOf(tokens, position + 2) !== 'ago' ||
    !Number.isInteger(number)
  )
    return null;
  const start = startOf(moveDay(today, unit, -number), unit);
  return { position: position + 3, from: start, to: startOf(start, unit, 1) };
}

/**
 * Parses a date, month, quarter or year, such as `2025-03-05`, `March 5, 2025`, `March 2025`, `March`, `Q3
 * 2025` or `2025`.
 */
function readCalendarDate(tokens: readonly Token[], position: number, today: DayNumber): Range | null {
  const token = tokens[position];
  if (token === undefined) return null;
  if (token.kind === 'date') {
    const day = parseDay(token.text.slice(0, 10));
    return day === null ? null : { position: position + 1, from: day, to: day + 1 };
  }
  const quarter = /^q([1-4])$/.exec(token.lower)?.[1];
  if (quarter !== undefined) return readQuarter(tokens, position + 1, Number(quarter), today);
  const first = toDayOfMonth(token);
  const named = findMonth(wordOf(tokens, position + 1));
  if (first > 0 && named > 0)
    return readDayOfMonth(
      tokens,
      wordOf(tokens, position + 2) === ',' && isYear(tokens[position + 3]) ? position + 3 : position + 2,
      named,
      first,
      today,
    );
  if (token.kind === 'number') {
    return isYear(token)
      ? {
          position: position + 1,
          from: toDayNumber(token.value, 1, 1),
          to: toDayNumber(token.value + 1, 1, 1),
        }
      : null;
  }
  const month = token.isCapital || token.lower !== 'may' ? findMonth(token.lower) : 0;
  if (month === 0) return null;
  const next = tokens[position + 1];
  const day = next === undefined ? 0 : toDayOfMonth(next);
  if (day > 0)
    return readDayOfMonth(
      tokens,
      wordOf(tokens, position + 2) === ',' ? position + 3 : position + 2,
      month,
      day,
      today,
    );
  const year = isYear(next) ? next.value : latestYear(month, today);
  return {
    position: isYear(next) ? position + 2 : position + 1,
    from: toDayNumber(year, month, 1),
    to: toDayNumber(year, month + 1, 1),
  };
}

function readQuarter(tokens: readonly Token[], position: number, quarter: number, today: DayNumber): Range {
  const start = skipOf(tokens, position);
  const token = tokens[start];
  const hasYear = token !== undefined && isYear(token);
  const year = hasYear ? token.value : latestYear(quarter * 3 - 2, today);
  return {
    position: hasYear ? start + 1 : position,
    from: toDayNumber(year, quarter * 3 - 2, 1),
    to: toDayNumber(year, quarter * 3 + 1, 1),
  };
}

function readDayOfMonth(
  tokens: readonly Token[],
  position: number,
  month: number,
  day: number,
  today: DayNumber,
): Range | null {
  const token = tokens[position];
  const hasYear = token !== undefined && isYear(token);
  const found = toDayNumber(hasYear ? token.value : latestYear(month, today), month, day);
  return toDayParts(found).month === month
    ? { position: hasYear ? position + 1 : position, from: found, to: found + 1 }
    : null;
}

/** Returns the most recent year in which the month has begun. */
function latestYear(month: number, today: DayNumber): number {
  const now = toDayParts(today);
  return month <= now.month ? now.year : now.year - 1;
}

function findMonth(word: string): number {
  if (word.length < 3) return 0;
  return (
    MONTHS.findIndex(
      (month) =>
        month === word ||
        (word.length === 3 && month.startsWith(word) && word !== 'mar' && word !== 'may') ||
        (word === 'mar' && month === 'march') ||
        (word === 'may' && month === 'may') ||
        (word === 'sept' && month === 'september'),
    ) + 1
  );
}

function isYear(token: Token | undefined): token is Token {
  return (
    token?.kind === 'number' && Number.isInteger(token.value) && token.value >= 1_700 && token.value <= 2_100
  );
}

/** Returns the day of the month for a token such as `7` or `7th`. Returns 0 for any other token. */
function toDayOfMonth({ kind, lower, value }: Token): number {
  const day = kind === 'number' ? value : Number(/^(\d{1,2})(?:st|nd|rd|th)$/.exec(lower)?.[1] ?? 0);
  return Number.isInteger(day) && day >= 1 && day <= 31 ? day : 0;
}

const skipOf = (tokens: readonly Token[], position: number): number =>
  wordOf(tokens, position) === 'of' ? position + 1 : position;

function skipPrepositions(tokens: readonly Token[], from: number): number {
  let position = from;
  while (BEFORE_PERIOD.has(wordOf(tokens, position))) position += 1;
  return position;
}

function wordOf(tokens: readonly Token[], position: number): string {
  const token = tokens[position];
  return token === undefined || token.kind === 'quoted' || token.kind === 'date' ? '' : token.lower;
}
