import { expect, it } from 'vitest';
import { isExactNumber, parseExactJson } from './exact-json.js';

const CAN = 'rawJSON' in JSON;

it.runIf(CAN)('parseExactJson keeps digits that a JavaScript number would lose, at any depth', () => {
  const text = '{"id":18446744073709551615,"price":2.50,"n":7,"data":{"big":[9007199254740993]}}';
  const read = parseExactJson(text) as { id: unknown; n: unknown };
  expect(isExactNumber(read.id)).toBe(true);
  expect(read.n).toBe(7);
  expect(JSON.stringify(read)).toBe(text);
});

it('parseExactJson parses other values like JSON.parse', () => {
  expect(parseExactJson('{"a":[1,"2",null,true],"b":{"rawJSON":"x"}}')).toEqual({
    a: [1, '2', null, true],
    b: { rawJSON: 'x' },
  });
  expect(isExactNumber({ rawJSON: '1' })).toBe(false);
  expect(() => parseExactJson('{')).toThrow(SyntaxError);
});
