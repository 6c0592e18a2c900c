import { describe, expect, it } from 'vitest';
import { describeError } from '../../test/blog.js';
import { JSON_MEMBERS_MAX, JSON_VALUES_MAX, parseJson, parseJsonInPieces } from './parse-json.js';
import { serializeJson } from './serialize-json.js';

function reject(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    return describeError(error).split(' ').slice(0, 2).join(' ');
  }
  return 'accepted';
}

describe('parseJson', () => {
  it.each([
    'null',
    'true',
    '"a\\"\\\\\\/\\b\\u00e9"',
    '[]',
    '{}',
    '[1,[2,{"a":[]}],{}]',
    '{"a":{"b":null},"c":[false]}',
    ' [ 1 , 2 ] ',
    '"😀 \u2028"',
  ])('parseJson returns for %s the result of JSON.parse', (text) => {
    expect(JSON.parse(serializeJson(parseJson(text)))).toEqual(JSON.parse(text));
  });

  it('parseJson preserves all digits of numbers', () => {
    const text = '{"n":[12345678901234567890,1.10,1e400,-0.0,0.1e-7]}';
    expect(serializeJson(parseJson(text))).toBe(text);
  });

  it('parseJson preserves the order and the names of members', () => {
    const value = parseJson('{"__proto__":1,"constructor":2,"b":3,"a":4}');
    expect([...(value as ReadonlyMap<string, unknown>).keys()]).toEqual([
      '__proto__',
      'constructor',
      'b',
      'a',
    ]);
  });

  it.each([
    '',
    ' ',
    '{',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '{"a"',
    '{"a":',
    '{"a":1,',
    '{"a":1,}',
    '{a:1}',
    "'a'",
    '01',
    '1.',
    '.5',
    '+1',
    '1e',
    'nul',
    'truex',
    '"',
    '"\\x"',
    '"\\u12g4"',
    '"\n"',
    '1 2',
    '[1}',
    '{"a":1]',
    'NaN',
    '\uFEFF1',
  ])('parseJson rejects the malformed text %j', (text) => {
    expect(reject(text)).toBe('400 request.malformed_json');
  });

  it('parseJson rejects duplicate members, lone surrogates and a depth above 64', () => {
    expect(reject('{"a":1,"a":2}')).toBe('422 body.invalid');
    expect(reject('["\\ud83d"]')).toBe('422 body.invalid');
    expect(reject('"\\ud83d\\ude00"')).toBe('accepted');
    expect(reject(`${'['.repeat(64)}${']'.repeat(64)}`)).toBe('accepted');
    expect(reject(`${'['.repeat(65)}${']'.repeat(65)}`)).toBe('422 body.invalid');
    expect(reject('{"a":'.repeat(100_000))).toBe('422 body.invalid');
  });

  it.each([
    '[{"a":1,"b":"x"},{"a":2,"b":"y"},{"a":3,"b":null}]',
    '[{"a":1,"b":2},{"b":3,"a":4},{"a":5},{"b":6},{}]',
    '[{"a":1},{"a":2,"b":3},{"a":4,"b":5,"c":6},{"c":7,"a":8}]',
    '[{"a":[{"x":1,"y":2},{"x":3,"y":4}],"b":1},{"a":[{"y":5,"x":6}],"b":2}]',
    '[{"":1,"ab":2},{"":3,"a":4},{"abc":5}]',
    '[{"a":1},7,{"a":"12"},["a",{"a":100}]]',
    '[{"a":1},{"\\u0061":2}]',
    '[{"a":1,"b":2},\n {"a":3,"b":4}]',
  ])('parseJson reads records with equal or different members like JSON.parse: %s', (text) => {
    expect(JSON.parse(serializeJson(parseJson(text)))).toEqual(JSON.parse(text));
  });

  it.each([
    '[{"a":1,"b":2},{"a":1,"a":2}]',
    '[{"a":1,"b":2},{"b":1,"b":2}]',
    '[{"a":1},{"a":1,"c":2,"c":3}]',
    '[{"a":1,"b":2},{"b":1,"a":2,"b":3}]',
    '[{"a":1},{"a":1,"\\u0061":2}]',
  ])('parseJson rejects a duplicate member in any record: %s', (text) => {
    expect(reject(text)).toBe('422 body.invalid');
  });

  it.each(['"a\\\\"', '"\\\\\\""', '["\\"","\\\\",""]', '{"\\n":"\\u0041\\/"}', '"\\u2028x\\t"'])(
    'parseJson decodes escapes like JSON.parse: %s',
    (text) => {
      expect(parseJson(text)).toEqual(
        text.startsWith('{') ? new Map(Object.entries(JSON.parse(text))) : JSON.parse(text),
      );
    },
  );

  it.each([
    ['["ab\\n\\x"]', 6],
    ['["\\u00e4\\u12g4"]', 8],
    [`["${'\\n'.repeat(5_000)}\u0001"]`, 10_002],
    ['["\\"', 4],
    ['"a\\', 2],
  ])('parseJson reports the position of the fault in %.12s', (text, position) => {
    expect(() => parseJson(text)).toThrow(
      expect.objectContaining({ detail: expect.stringContaining(`at character ${position}`) }),
    );
  });

  it('parseJson rejects a body with too many values', () => {
    expect(reject(`[${'0,'.repeat(JSON_VALUES_MAX)}0]`)).toBe('422 body.invalid');
    expect(reject(`[${'0,'.repeat(100_000)}0]`)).toBe('accepted');
  });

  it.each([
    ['{"a":[1,$]}', '["body","a",1]'],
    ['$', '["body"]'],
    ['[{"m0":1},$]', '["body",1]'],
  ])('parseJson rejects an object with too many members with its location: %s', (around, position) => {
    const object = (count: number): string =>
      `{${Array.from({ length: count }, (_, start) => `"m${start}":0`).join(',')}}`;
    expect(reject(around.replace('$', object(JSON_MEMBERS_MAX)))).toBe('accepted');
    expect(() => parseJson(around.replace('$', object(JSON_MEMBERS_MAX + 1)))).toThrow(
      expect.objectContaining({
        faults: [
          expect.objectContaining({
            loc: JSON.parse(position),
            type: 'too_many_members',
            msg: expect.stringContaining(`${JSON_MEMBERS_MAX}`),
          }),
        ],
      }),
    );
  });

  it('parseJson reports the location of a fault in a body', () => {
    try {
      parseJson('{"a": tru}');
    } catch (error) {
      expect(describeError(error)).toContain('at character 6');
    }
    expect.assertions(1);
  });
});

describe('parseJsonInPieces', () => {
  const TEXTS = [
    '7',
    '[1,[2,{"a":[]}],{}]',
    '[{"a":1,"b":"x"},{"a":2,"b":"y"},{"a":3,"b":null}]',
    '{"a":{"b":[1,2,3]},"c":"d"}',
  ];

  it.each([1, 2, 3, 5, 100])(
    'parseJsonInPieces returns the same value with pauses after %i values',
    async (values) => {
      for (const text of TEXTS) {
        let pauses = 0;
        const read = await parseJsonInPieces(text, values, async () => void (pauses += 1));
        expect(read).toEqual(parseJson(text));
        if (values === 1 || values === 100) expect(pauses > 0, text).toBe(values === 1 && text !== '7');
      }
    },
  );

  it('parseJsonInPieces pauses within long strings too', async () => {
    const text = JSON.stringify(Array.from({ length: 5 }, () => 'x'.repeat(300_000)));
    let pauses = 0;
    expect(await parseJsonInPieces(text, 1_000, async () => void (pauses += 1))).toEqual(parseJson(text));
    expect(pauses).toBeGreaterThanOrEqual(5);
  });

  it('parseJsonInPieces rejects faults at any position', async () => {
    const pause = (): Promise<void> => Promise.resolve();
    await expect(parseJsonInPieces('[1,2,3,}', 1, pause)).rejects.toMatchObject({
      code: 'request.malformed_json',
    });
    await expect(parseJsonInPieces('[1,2,3] 4', 2, pause)).rejects.toMatchObject({
      code: 'request.malformed_json',
    });
    await expect(
      parseJsonInPieces(`[${'0,'.repeat(JSON_VALUES_MAX)}0]`, 10_000, pause),
    ).rejects.toMatchObject({ code: 'body.invalid' });
  });
});
