import { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../test/random.js';
import { JsonRecord } from './json-value.js';
import type { JsonValue } from './json-value.js';
import { JSON_VALUES_MAX, parseJson } from './parse-json.js';
import { serializeJson } from './serialize-json.js';

const SEED = 20_261_126;

/**
 * Parses the items of an array. With `together`, they are parsed as records. With `apart`, an object with
 * other members comes first, so each item is parsed separately.
 */
function readItems(items: string, method: 'together' | 'apart'): readonly JsonValue[] {
  return method === 'together'
    ? (parseJson(`[${items}]`) as readonly JsonValue[])
    : (parseJson(`[{},${items}]`) as readonly JsonValue[]).slice(1);
}

/**
 * Returns the parsed items, or the fault with its location. With `apart`, locations are shifted to those of
 * `together`.
 */
function outcome(items: string, method: 'together' | 'apart'): string {
  const shift = method === 'together' ? 0 : 1;
  try {
    return readItems(items, method).map(serializeJson).join('\n');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const detail = error.detail.replace(
      /at character (\d+)/,
      (_, at) => `at character ${Number(at) - 3 * shift}`,
    );
    const faults = (error.faults ?? []).map(
      ({ loc, msg, type }) =>
        `${JSON.stringify(loc.map((step, position) => (position === 1 && typeof step === 'number' ? step - shift : step)))} ${msg} ${type}`,
    );
    return `${error.code} ${detail} ${faults.join('; ')}`;
  }
}

const isRecord = (value: JsonValue | undefined): boolean => value instanceof JsonRecord;

describe('records with the same members', () => {
  it('readJsonRecord preserves names, digits and texts', () => {
    const [first, second] = readItems(
      '{"a":"x","b":1.10,"__proto__":null},{"a":"ü😀","b":12345678901234567890,"__proto__":true}',
      'together',
    );
    expect([isRecord(first), isRecord(second)]).toEqual([false, true]);
    const record = second as ReadonlyMap<string, JsonValue>;
    expect([...record]).toEqual([
      ['a', 'ü😀'],
      ['b', { kind: 'number', text: '12345678901234567890' }],
      ['__proto__', true],
    ]);
    expect([[...record.keys()], [...record.values()], [...record.entries()], record.size]).toEqual([
      ['a', 'b', '__proto__'],
      ['ü😀', { kind: 'number', text: '12345678901234567890' }, true],
      [...record],
      3,
    ]);
    expect([
      record.get('a'),
      record.get('constructor'),
      record.has('__proto__'),
      record.has('toString'),
      record.get('__proto__'),
    ]).toEqual(['ü😀', undefined, true, false, true]);
    const messages: unknown[] = [];
    record.forEach((value, name, of) => messages.push([name, value, of === record]));
    expect(messages).toEqual([...record].map(([name, value]) => [name, value, true]));
  });

  it.each([
    '{"a":1},{"b":1}',
    '{"a":1,"b":2},{"b":2,"a":1}',
    '{"a":1},{"a":1,"b":2}',
    '{"a":1,"b":2},{"a":1}',
    '{"a":1},{"a":[1]}',
    '{"a":1},{"a":"\\n"}',
    '{"a":1},{"a":\n1}',
    '{"\\u0061":1},{"a":1,"\\u0061":2}',
    '{"a":1},{}',
  ])('parseJson reads a record with other members by its general parser: %s', (items) => {
    expect(outcome(items, 'together')).toBe(outcome(items, 'apart'));
  });

  it('readJsonRecord is not tried again after four records with other members', () => {
    const methods = readItems(`{"a":1},${'{"b":1},'.repeat(4)}{"a":2}`, 'together').map(isRecord);
    expect(methods).toEqual([false, false, false, false, false, false]);
    expect(
      readItems(`{"a":1},${'{"b":1},'.repeat(3)}{"a":2}`, 'together')
        .map(isRecord)
        .at(-1),
    ).toBe(true);
  });

  it('readJsonRecord reads at most as many members as a table has columns', () => {
    const wide = (count: number): string =>
      `{${Array.from({ length: count }, (_, position) => `"m${position}":0`).join(',')}}`;
    expect(
      [4_096, 4_097].map((count) => readItems(`${wide(count)},${wide(count)}`, 'together').map(isRecord)),
    ).toEqual([
      [false, true],
      [false, false],
    ]);
  });

  it('records that readJsonRecord reads count towards the maximum number of values', () => {
    const records = (count: number): string => Array.from({ length: count }, () => '{"a":1}').join(',');
    // Each item counts as two values, and the array itself as one.
    const maximum = (JSON_VALUES_MAX - 1) / 2;
    expect(() => parseJson(`[${records(Math.floor(maximum))}]`)).not.toThrow();
    expect(() => parseJson(`[${records(Math.floor(maximum) + 1)}]`)).toThrow();
  });

  it('readJsonRecord returns the same results and faults as the general parser for random texts', () => {
    const random = createRandom(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const names = ['a', 'b', 'ab', '', '__proto__', 'constructor', 'ü', '\\u0061', 'a\\"b', ':', '\\"'];
    const scalars = [
      '0',
      '1',
      '10',
      '-1',
      '-0',
      '01',
      '1.',
      '1.50',
      '.5',
      '1e5',
      '1E+400',
      '9007199254740993',
      '12345678901234567890',
      'true',
      'false',
      'null',
      'nul',
      'truex',
      '""',
      '"x"',
      '"ü"',
      '"😀"',
      '"\\ud83d"',
      '"\\ud83d\\ude00"',
      '"a\\nb"',
      '"\u0001"',
      '"}"',
      '"\\""',
      '",\\"a\\":"',
      '\ud83d',
      '"\ud83d"',
      '[]',
      '[1,{"a":1},{"a":2}]',
      '{}',
      '{"a":1}',
      '+1',
      'NaN',
      '',
    ];
    const good = ['1', '20', '0', '-3', '1.50', '"x"', '"some text"', 'true', 'null', '"ü😀"'];
    const spaces = ['', '', '', '', '', ' ', '  ', '\n', '\t'];
    const space = (): string => (random() < 0.9 ? '' : pick(spaces));
    const found = { together: 0, refused: 0, read: 0 };
    for (let round = 0; round < 20_000; round += 1) {
      const order = Array.from({ length: Math.floor(random() * 4) }, () => pick(names));
      const gap = random() < 0.3 ? ' ' : '';
      const member = (name: string): string =>
        `${space()}"${name}"${space()}:${gap}${space()}${random() < 0.97 ? pick(good) : pick(scalars)}${space()}`;
      const record = (): string =>
        `{${(random() < 0.93 ? order : [...order, pick(names)].sort(() => random() - 0.5)).map(member).join(`,${gap}`)}}`;
      const items = Array.from({ length: 2 + Math.floor(random() * 5) }, () =>
        random() < 0.97 ? record() : pick(scalars),
      );
      let text = items.join(',');
      if (random() < 0.2) {
        // The position is never 0, because the text before the items differs between the two ways of parsing.
        const position = 1 + Math.floor(random() * (text.length - 1));
        text = `${text.slice(0, position)}${random() < 0.5 ? '' : pick([',', '"', '}', '{', '\\', ':', ' ', '0', '\u0000', ']'])}${text.slice(position + (random() < 0.5 ? 1 : 0))}`;
      }
      const together = outcome(text, 'together');
      expect(together, JSON.stringify(text)).toBe(outcome(text, 'apart'));
      if (/^[a-z]+\.[a-z_]+ /.test(together)) found.refused += 1;
      else {
        found.read += 1;
        if (readItems(text, 'together').some(isRecord)) found.together += 1;
      }
    }
    expect(found.together).toBeGreaterThan(3_000);
    expect(found.refused).toBeGreaterThan(2_000);
  }, 60_000);
});
