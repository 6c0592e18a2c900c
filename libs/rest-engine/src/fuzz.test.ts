import { AppError } from '@rowhouse/errors';
import { QUERY_CONTROLS } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { ALL, compile, sealText, SNAPSHOT } from '../test/blog.js';
import { createRandom } from '../test/random.js';
import { authorizePlan, parseJson, parseRequest, planRequest, toStatements } from './index.js';

const SEED = 20_261_121;

const columns = SNAPSHOT.tables.flatMap((table) => table.columns.map((column) => column.name));
const relationships = SNAPSHOT.tables.flatMap((table) =>
  table.relationships.map((relationship) => relationship.name),
);
const words = [
  ...columns,
  ...relationships,
  ...QUERY_CONTROLS,
  '_etag',
  'count',
  'sum',
  'max',
  'n:sum:',
  'count:comments',
  'count_comments',
  'n:count:',
  ':nulls_last',
  ':desc:nulls_first',
  '.desc.nullslast',
  'created_at:month',
  '{"count__gt":1}',
  '__proto__',
  'constructor',
  'eq',
  'in',
  'not_in',
  'between',
  'isnull',
  'like',
  'icontains',
  'on',
  'year',
  'regex',
  'exists',
  '1',
  '0',
  '-1',
  'true',
  'null',
  '18446744073709551616',
  '1e999',
  '2026-01-01',
  '2026-02-30T25:00:00Z',
  'AQ==',
  '::1',
];
const marks = [
  '=',
  '=',
  '=',
  '&',
  '&',
  '__',
  '__',
  '.',
  ',',
  '-',
  ':',
  '`',
  '"',
  '[',
  ']',
  '{',
  '}',
  '%',
  '%25',
  '%00',
  '%ff',
  '%F0%9F%98%80',
  '+',
  ' ',
  '\\',
  "'",
  ';',
  '->',
  '_',
  '\u00e4',
  '\u4e00',
  '\ud800',
  '?',
  '#',
  '/',
];
const numbers = [
  '0',
  '1',
  '-1',
  '1.5',
  '1e400',
  '12345678901234567890',
  'null',
  'true',
  '""',
  '"a"',
  '"2026-01-01"',
  '[]',
  '{}',
  '[1,"a"]',
  '{"$inc":1}',
  '{"$inc":null}',
  '"\\ud800"',
  '{"a":{"a":1,"a":2}}',
  '"AQI="',
];

describe('random requests', () => {
  it('a random read request is planned or rejected with an error below 500', () => {
    const random = createRandom(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const text = (parts: number): string =>
      Array.from({ length: Math.floor(random() * parts) }, () =>
        random() < 0.6 ? pick(words) : pick(marks),
      ).join('');
    const pairs = (): string =>
      Array.from(
        { length: Math.floor(random() * 4) },
        () => `${pick(words)}${random() < 0.5 ? `__${pick(words)}` : ''}=${text(4)}`,
      ).join('&');
    const compiled = compile();
    const outcomes = { planned: 0, refused: 0 };
    for (let round = 0; round < 20_000; round += 1) {
      const method = pick(['GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
      const table = pick(SNAPSHOT.tables);
      const rawPath = `/${random() < 0.9 ? table.path : text(3)}${random() < 0.4 ? `/${random() < 0.7 ? pick(['1', '1,2', 'a']) : text(3)}` : ''}`;
      const rawQuery = random() < 0.5 ? pairs() : text(12);
      const body = `{${table.columns
        .filter(() => random() < 0.3)
        .map((column) => `${JSON.stringify(column.name)}:${pick(numbers)}`)
        .join(',')}}`;
      try {
        const raw = {
          method,
          rawPath,
          rawQuery: method === 'GET' || random() < 0.2 ? rawQuery : '',
          headers: random() < 0.1 ? { prefer: text(5), accept: text(3) } : {},
        };
        const request = parseRequest({ ...raw, body: parseJson(body) }, compiled, { prefix: '/v1/-' });
        const plan = authorizePlan(
          planRequest(request, {
            unknownFields: 'reject',
            requireLimit: false,
            regexEnabled: true,
            storedColumnsAt: () => null,
            makeUuid: () => 'u',
            sealText,
          }),
          ALL,
          ['query'],
        );
        for (const statement of toStatements(plan, { insertReturning: round % 2 === 0 }, () => '').first
          .statements) {
          expect(statement.sql.split('?').length - 1, statement.sql).toBe(statement.params.length);
        }
        outcomes.planned += 1;
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500)
          throw new Error(`seed ${SEED}, round ${round}: ${method} ${rawPath}?${rawQuery} ${body}`, {
            cause: error,
          });
        outcomes.refused += 1;
      }
    }
    // The random requests test both outcomes well only if neither outcome is rare.
    expect(outcomes.planned).toBeGreaterThan(1500);
    expect(outcomes.refused).toBeGreaterThan(1500);
  });
});
