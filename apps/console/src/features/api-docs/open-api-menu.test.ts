import { expect, it } from 'vitest';
import { parseExactJson } from '../../data/gateway/exact-json.js';
import { writeYaml } from './open-api-menu.js';

it('the YAML of the API description is indented by nesting depth', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Corner shop', tags: [] },
    paths: {
      '/posts/{id}': {
        get: {
          parameters: [{ name: 'id', schema: { type: ['integer', 'null'], maximum: 5 } }, { name: 'x' }],
          responses: { 200: {} },
        },
      },
    },
    matrix: [[1, 2], []],
  };
  expect(writeYaml(document)).toBe(`openapi: "3.1.0"
info:
  title: "Corner shop"
  tags: []
paths:
  "/posts/{id}":
    get:
      parameters:
        - name: id
          schema:
            type:
              - integer
              - "null"
            maximum: 5
        - name: x
      responses:
        "200": {}
matrix:
  - - 1
    - 2
  - []
`);
});

it.each([
  ['yes', '"yes"'],
  ['No', '"No"'],
  ['', '""'],
  ['- a', '"- a"'],
  ['a: b', '"a: b"'],
  ['a #b', '"a #b"'],
  ['two\nlines', '"two\\nlines"'],
  ['1e3', '"1e3"'],
  ['*a', '"*a"'],
  ['é', '"é"'],
  ['posts', 'posts'],
  ['#/x', '"#/x"'],
  ['/v1/-/posts', '/v1/-/posts'],
  [null, 'null'],
  [true, 'true'],
  [1.5, '1.5'],
])('writeYaml writes the value %j as %s', (value, text) => {
  expect(writeYaml({ a: value })).toBe(`a: ${text}\n`);
  expect(writeYaml(value)).toBe(`${text}\n`);
});

it.runIf('rawJSON' in JSON)('writeYaml preserves every digit of large numbers', () => {
  expect(writeYaml(parseExactJson('{"maximum":18446744073709551615,"of":[9007199254740993]}'))).toBe(
    'maximum: 18446744073709551615\nof:\n  - 9007199254740993\n',
  );
});
