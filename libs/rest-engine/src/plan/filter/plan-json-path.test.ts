import { describe, expect, it } from 'vitest';
import { firstStatement, rejection } from '../../../test/blog.js';

function whereOf(query: string, table = 'types'): string {
  const { sql, params } = firstStatement(`GET /${table}?_select=id&${query}`);
  return `${/ WHERE (.*) ORDER BY/.exec(sql)?.[1] ?? ''} ${JSON.stringify(params.slice(0, -1))}`;
}

const tree = (value: unknown): string => `_filter=${encodeURIComponent(JSON.stringify(value))}`;
const AT = 'JSON_EXTRACT(`data`, ?)';
const caseOf = (type: string, compared: string): string =>
  `CASE WHEN JSON_TYPE(${AT}) ${type} THEN ${compared} WHEN JSON_TYPE(${AT}) <> 'NULL' THEN FALSE END`;
const TEXT = caseOf("= 'STRING'", `JSON_UNQUOTE(${AT}) = ?`);
const DIGITS = `TRIM(TRAILING '0' FROM TRIM(LEADING '0' FROM REPLACE(REPLACE(SUBSTRING_INDEX(LOWER(JSON_UNQUOTE(${AT})), 'e', 1), '.', ''), '-', '')))`;
const NUMBER = "IN ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL')";
const EQUAL = caseOf(NUMBER, `(${AT} + 0e0 = ? AND ${DIGITS} = ?)`);
const AT_LEAST = caseOf(
  NUMBER,
  `(${AT} + 0e0 > ? OR ${AT} + 0e0 = ? AND CONCAT(IF(LEFT(${DIGITS}, 1) = ?, ?, ''), ${DIGITS}) >= ?)`,
);
const textParams = (path: string, value: string): unknown[] => [path, path, value, path];
const equalParams = (path: string, approximate: number, digits: string): unknown[] => [
  path,
  path,
  approximate,
  path,
  digits,
  path,
];
const [A, AB] = ['$."a"', '$."a"."b"'];

describe('conditions inside JSON', () => {
  it.each([
    ['data->a.b__gte=5', `${AT_LEAST} ${JSON.stringify([AB, AB, 5, AB, 5, AB, '-', '', AB, '5', AB])}`],
    ['data->a=x', `${TEXT} ${JSON.stringify(textParams(A, 'x'))}`],
    [
      'data->a=9007199254740993',
      `(${EQUAL} OR ${TEXT}) ${JSON.stringify([...equalParams(A, 9007199254740992, '9007199254740993'), ...textParams(A, '9007199254740993')])}`,
    ],
    [
      'data->a.0=5',
      `(${EQUAL} OR ${TEXT}) ${JSON.stringify([...equalParams('$."a"[0]', 5, '5'), ...textParams('$."a"[0]', '5')])}`,
    ],
    [
      'data->`a.b"`.`0`__isnull=true',
      'COALESCE(JSON_TYPE(JSON_EXTRACT(`data`, ?)), \'NULL\') = \'NULL\' ["$.\\"a.b\\\\\\"\\".\\"0\\""]',
    ],
    [
      'data->a__contains=x%25',
      `CASE WHEN JSON_TYPE(${AT}) <> 'NULL' THEN JSON_UNQUOTE(${AT}) END LIKE ? ${JSON.stringify([A, A, '%x\\%%'])}`,
    ],
    ['data->_a__ne=x', `NOT (${TEXT}) ${JSON.stringify(textParams('$."_a"', 'x'))}`],
    ['data__json_contains={"a":1}', 'JSON_CONTAINS(`data`, ?) ["{\\"a\\":1}"]'],
    ['data->l__json_contains=1', 'JSON_CONTAINS(`data`, ?, ?) ["1","$.\\"l\\""]'],
    ['data__json_has_key=a', 'JSON_CONTAINS_PATH(`data`, \'one\', ?) ["$.\\"a\\""]'],
    [tree({ 'data->a': 5 }), `${EQUAL} ${JSON.stringify(equalParams(A, 5, '5'))}`],
    [tree({ 'data->a': '5' }), `${TEXT} ${JSON.stringify(textParams(A, '5'))}`],
    [
      tree({ 'data->a': null, data__json_contains: { b: [1] } }),
      '(COALESCE(JSON_TYPE(JSON_EXTRACT(`data`, ?)), \'NULL\') = \'NULL\' AND JSON_CONTAINS(`data`, ?)) ["$.\\"a\\"","{\\"b\\":[1]}"]',
    ],
    [
      'place__within=0,0,3,4',
      'ST_Within(`place`, ST_GeomFromGeoJSON(?, 1, 0)) ["{\\"type\\":\\"Polygon\\",\\"coordinates\\":[[[0,0],[3,0],[3,4],[0,4],[0,0]]]}"]',
    ],
  ])('the filter on a value inside JSON has the expected SQL: %s', (query, expected) => {
    expect(whereOf(query)).toBe(expected);
  });

  it('several filters on values inside JSON are joined with AND', () => {
    expect(whereOf('data->a__in=x,y')).toBe(
      `(${TEXT} OR ${TEXT}) ${JSON.stringify([...textParams(A, 'x'), ...textParams(A, 'y')])}`,
    );
    expect(whereOf('data->a__between=1,2')).toContain(' AND ');
  });

  it.each([
    'name->a=1',
    'data->=1',
    'data->a+b=1',
    'data->a__on=2026-01-01',
    'data->a__in=',
    'data->a__between=1',
    'data->a__isnull=x',
    'data__json_contains=x',
    'data__json_has_key=',
    'name__json_has_key=a',
    'data->a=1&data->a=2',
    'place__within=1,1,1,2',
    'place__within=x',
    'place__within={"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}',
    'name__within=0,0,1,1',
    'name__search=x',
    '_q=x',
    tree({ 'data->a': [1] }),
    tree({ 'data->a__gt': true }),
    tree({ data__json_has_key: 5 }),
  ])('the filter on a value inside JSON is rejected with its location: %s', (query) => {
    expect(rejection(`GET /types?${query}`)).toContain('422 params.invalid');
  });
});

describe('full text', () => {
  it('_q searches only the FULLTEXT indexes that the key may see', () => {
    expect(whereOf('_q=two%20words', 'articles')).toBe(
      '(MATCH (`title`, `body`) AGAINST (? IN NATURAL LANGUAGE MODE) OR MATCH (`body`) AGAINST (? IN NATURAL LANGUAGE MODE)) ["two words","two words"]',
    );
    expect(whereOf('body__search=x', 'articles')).toBe(
      'MATCH (`body`) AGAINST (? IN NATURAL LANGUAGE MODE) ["x"]',
    );
    const hidden = { tables: null, verbs: ['read'], hiddenColumns: { articles: ['title'] } } as const;
    expect(firstStatement('GET /articles?_q=x', { rights: hidden }).sql).not.toContain('title');
    for (const query of ['title__search=x', '_q=', `_q=${'x'.repeat(1001)}`])
      expect(rejection(`GET /articles?${query}`)).toContain('422');
  });
});
