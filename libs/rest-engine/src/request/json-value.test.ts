import { expect, it } from 'vitest';
import { isWithinValues } from './json-value.js';
import { parseJson } from './parse-json.js';

it.each([
  ['1', 1],
  ['null', 1],
  ['[]', 1],
  ['{}', 1],
  ['[1,"a",null]', 4],
  ['{"a":1,"b":[true,{}]}', 5],
  ['[{"a":1},{"a":2},{"a":[3]}]', 8],
  ['[[[[[]]]]]', 5],
])('the JSON value %s counts as %i values', (text, count) => {
  const value = parseJson(text);
  expect([isWithinValues(value, count), isWithinValues(value, count - 1)]).toEqual([true, false]);
});
