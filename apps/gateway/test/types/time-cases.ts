import fc from 'fast-check';
import { EVERY_CODE_PATH, pad, type TypeCase, type Written } from './type-case.js';

function quote(text: string): string {
  return JSON.stringify(text);
}

/** Returns the first `digits` of the microseconds, with a leading point. */
function fractionText(micros: number, digits: number): string {
  return digits === 0 ? '' : `.${pad(micros, 6).slice(0, digits)}`;
}

/** Truncates microseconds to the `digits` that the column stores. */
function cut(micros: number, digits: number): number {
  const unit = 10 ** (6 - digits);
  return Math.floor(micros / unit) * unit;
}

function dateCase(): TypeCase {
  const toWritten = (text: string): Written => ({ json: quote(text), read: quote(text), raw: text });
  return {
    name: 'date',
    type: 'date',
    engine: 'both',
    raw: 'CAST(v AS CHAR)',
    compare: 'exact',
    codePaths: EVERY_CODE_PATH,
    edges: ['1000-01-01', '0001-01-01', '0999-12-31', '1970-01-01', '2024-02-29', '9999-12-31'].map(
      toWritten,
    ),
    values: fc
      .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => toWritten(date.toISOString().slice(0, 10))),
  };
}

function momentCase(type: 'datetime' | 'timestamp', digits: number): TypeCase {
  const zone = type === 'timestamp' ? 'Z' : '';
  const toWritten = (seconds: string, micros: number, form: number): Written => {
    const stored = fractionText(cut(micros, digits), digits);
    const sent =
      [
        `${seconds}${fractionText(micros, 6)}${zone}`,
        `${seconds}${stored}Z`,
        `${seconds.replace('T', ' ')}${stored}`,
      ][form] ?? '';
    return {
      json: quote(sent),
      read: quote(`${seconds}${stored}${zone}`),
      raw: `${seconds.replace('T', ' ')}${stored}`,
    };
  };
  const [min, max] =
    type === 'timestamp'
      ? ['1970-01-01T00:00:01', '2038-01-19T03:14:07']
      : ['1000-01-01T00:00:00', '9999-12-31T23:59:59'];
  const seconds = fc
    .date({ min: new Date(`${min}Z`), max: new Date(`${max}Z`), noInvalidDate: true })
    .map((date) =>
      date
        .toISOString()
        .replace(/^[+]0+/, '')
        .slice(0, 19),
    );
  return {
    name: `${type}${digits}`,
    type: `${type}(${digits})`,
    engine: 'both',
    raw: 'CAST(v AS CHAR)',
    compare: 'exact',
    codePaths: EVERY_CODE_PATH,
    edges: [
      toWritten(min, 0, 1),
      toWritten(max, 999_999, 0),
      toWritten('2024-02-29T23:59:59', 999_999, 0),
      toWritten('2024-03-31T02:30:00', 5, 0),
      toWritten('2024-03-31T02:30:00', 100_000, 2),
    ],
    values: fc
      .tuple(seconds, fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 2 }))
      .map(([text, micros, form]) => toWritten(text, micros, form)),
  };
}

function timeCase(digits: number): TypeCase {
  const toWritten = (sign: string, seconds: number, micros: number): Written => {
    const clock = `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`;
    const retainedCount = cut(micros, digits);
    const stored = `${seconds === 0 && retainedCount === 0 ? '' : sign}${clock}${fractionText(retainedCount, digits)}`;
    return { json: quote(`${sign}${clock}${fractionText(micros, 6)}`), read: quote(stored), raw: stored };
  };
  const maximum = 838 * 3600 + 59 * 60 + 59;
  return {
    name: `time${digits}`,
    type: `time(${digits})`,
    engine: 'both',
    raw: 'CAST(v AS CHAR)',
    compare: 'exact',
    codePaths: EVERY_CODE_PATH,
    edges: [
      toWritten('', 0, 0),
      toWritten('-', 0, 1),
      toWritten('-', 0, 999_999),
      toWritten('', maximum, 0),
      toWritten('-', maximum, 0),
      toWritten('', 86_399, 999_999),
      toWritten('', 86_400, 5),
      toWritten('-', 86_400, 100_000),
      toWritten('', 359_999, 0),
    ],
    values: fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.integer({ min: 0, max: maximum - 1 }),
        fc.integer({ min: 0, max: 999_999 }),
      )
      .map(([sign, seconds, micros]) => toWritten(sign, seconds, micros)),
  };
}

export const TIME_CASES: readonly TypeCase[] = [
  dateCase(),
  ...[0, 3, 6].map((digits) => momentCase('datetime', digits)),
  ...[0, 3, 6].map((digits) => momentCase('timestamp', digits)),
  ...[0, 1, 6].map(timeCase),
];
