import { describe, expect, it } from 'vitest';
import { digest, ALL, firstStatement, plan, resultOf, run, type FakeDatabase } from '../../test/blog.js';
import { createRowSink } from './row-sink.js';
import type { Cell } from '../values/cell.js';
import { toResponse } from './to-response.js';
import { writeFloat } from '../sql/value-writer.js';

const tags =
  (count: number): FakeDatabase =>
  () => ({ rows: Array.from({ length: count }, (_, index) => [index + 1, `t${index + 1}`, null]) });

/** Returns how a cell of a column of the table `types` is written as JSON. */
function written(name: string, cell: Cell, numbers: 'json' | 'string' = 'json'): string {
  const result = resultOf(firstStatement(`GET /types?_select=${name}`), { rows: [[cell]] }, numbers);
  return result.membersText(0).slice(name.length + 3);
}

describe('values', () => {
  it.each<[string, Cell, string]>([
    ['id', '18446744073709551615', '18446744073709551615'],
    ['tiny', -5, '-5'],
    ['price', '10.50', '10.50'],
    ['ratio', Math.fround(1.1), '1.1'],
    ['ratio', Math.fround(16777216), '16777216'],
    ['mass', 1.7976931348623157e308, '1.7976931348623157e+308'],
    ['mass', -0, '-0'],
    ['flag', new Uint8Array([1]), 'true'],
    ['flag', new Uint8Array([0]), 'false'],
    ['bits', new Uint8Array([1, 255]), '511'],
    ['name', 'a"b\n\u2028', '"a\\"b\\n\u2028"'],
    ['state', 'new', '"new"'],
    ['marks', 'a,c', '["a","c"]'],
    ['marks', '', '[]'],
    ['day', '2026-01-31', '"2026-01-31"'],
    ['day', '0000-00-00', '"0000-00-00"'],
    ['at', '2026-01-31 10:00:00', '"2026-01-31T10:00:00.000"'],
    ['at', '2026-01-31 10:00:00.500', '"2026-01-31T10:00:00.500"'],
    ['stamp', '2026-01-31 10:00:00', '"2026-01-31T10:00:00Z"'],
    ['span', '-838:59:59', '"-838:59:59"'],
    ['year', 2026, '2026'],
    ['data', '{"a": 1.10}', '{"a": 1.10}'],
    ['data', 'no json', '"no json"'],
    ['raw', new Uint8Array([255, 0]), '"/wA="'],
    ['guid', '123e4567-e89b-12d3-a456-426614174000', '"123e4567-e89b-12d3-a456-426614174000"'],
    ['address', '::1', '"::1"'],
    ['place', '{"type":"Point"}', '{"type":"Point"}'],
    ['name', null, 'null'],
  ])('makeValueWriter writes a value of the type %s as %s', (name, cell, expected) => {
    expect(written(name, cell)).toBe(expected);
  });

  it('numbers=string quotes numbers that clients would round', () => {
    expect(written('id', '18446744073709551615', 'string')).toBe('"18446744073709551615"');
    expect(written('price', '1.50', 'string')).toBe('"1.50"');
    expect(written('flag', 1, 'string')).toBe('true');
    expect(written('year', 2026, 'string')).toBe('2026');
  });

  it('a computed column has the number of fractional digits that its type states', () => {
    const columns = [{ name: 'at', kind: 'datetime', isOutput: true, column: null, fraction: 2 }] as const;
    const result = resultOf(
      { role: { kind: 'records' }, sql: '', params: [], shape: { columns, keys: [] } },
      { rows: [['2026-01-31 10:00:00.25']] },
    );
    expect(result.membersText(0)).toBe('"at":"2026-01-31T10:00:00.25"');
  });

  it('a response preserves every 32-bit float', () => {
    const view = new DataView(new ArrayBuffer(4));
    let bits = 1;
    for (let round = 0; round < 5000; round += 1) {
      bits = (Math.imul(bits, 1_664_525) + 1_013_904_223) >>> 0;
      view.setUint32(0, bits);
      const value = view.getFloat32(0);
      if (Number.isFinite(value)) expect(Math.fround(Number(writeFloat(value)))).toBe(value);
    }
  });

  it('a response beyond the maximum size is rejected', () => {
    const sink = createRowSink(firstStatement('GET /tags'), { numbers: 'json', textMax: 100 });
    expect(() => {
      for (let row = 0; row < 10; row += 1) sink.row([row, 'a long enough name', null]);
    }).toThrow(expect.objectContaining({ code: 'limit.response_size' }));
  });
});

describe('lists', () => {
  it('X-Has-More reports further records of a list', () => {
    const { response } = run('GET /tags?page=2&limit=2&name__ne=x', tags(3));
    expect(response.status).toBe(200);
    expect(response.body).toBe(
      '[{"id":1,"name":"t1","description":null},{"id":2,"name":"t2","description":null}]',
    );
    expect(response.headers).toMatchObject({
      'X-Has-More': 'true',
      Link: '</v1/-/tags?name__ne=x&page=3&limit=2>; rel="next", </v1/-/tags?name__ne=x&page=1&limit=2>; rel="prev", </v1/-/tags?name__ne=x&page=1&limit=2>; rel="first"',
    });
  });

  it('X-Truncated reports that the default limit has cut the list', () => {
    expect(run('GET /tags', tags(1001)).response.headers).toMatchObject({
      'X-Has-More': 'true',
      'X-Truncated': 'true',
      Link: expect.stringContaining('page=2&limit=1000') as string,
    });
    const whole = run('GET /tags', tags(3)).response.headers;
    expect(whole).toMatchObject({ 'X-Has-More': 'false' });
    expect(Object.keys(whole)).not.toContain('Link');
    expect(run('GET /tags?limit=2', tags(3)).response.headers).not.toHaveProperty('X-Truncated');
  });

  it('a list with limit=0 is an empty array', () => {
    expect(run('GET /tags', tags(0)).response.body).toBe('[]');
    expect(run('GET /tags?limit=0', tags(1)).response).toMatchObject({
      body: '[]',
      headers: { 'X-Has-More': 'true' },
    });
  });

  it('the Link header escapes characters that a URL cannot contain', () => {
    const answer: FakeDatabase = ({ role }) =>
      role.kind === 'count'
        ? { rows: [['12345']] }
        : {
            rows: [
              [1, 'a', null],
              [2, 'b', null],
            ],
          };
    const { headers } = run('GET /tags?limit=1&_count=exact&name__ne=\u00c3\u00a4>"', answer).response;
    expect(headers['X-Total-Count']).toBe('12345');
    expect(headers['Link']).toContain('name__ne=%C3%A4%3E%22');
  });

  it('the Link header has no page beyond the maximum depth of lists', () => {
    expect(run('GET /tags?page=100&limit=1000', tags(1001)).response.headers['Link']).not.toContain('next');
    expect(run('GET /tags?_offset=10&limit=5', tags(6)).response.headers['Link']).toContain(
      '_offset=15&limit=5>; rel="next", </v1/-/tags?_offset=5&limit=5>; rel="prev"',
    );
  });

  it('a record that many parents refer to is built once and appears in each of them', () => {
    const posts = [
      [1, 7],
      [2, 8],
      [3, 7],
      [4, 9],
    ];
    const { response } = run('GET /posts?include=user&_select=id', ({ role }) =>
      role.kind === 'records'
        ? { rows: posts }
        : {
            rows: [
              [7, 7, 'Zoë', 'z@x', null],
              [8, 8, 'b', 'b@x', null],
            ],
          },
    );
    const names = (
      JSON.parse(String(response.body)) as { id: number; user: Record<string, unknown> | null }[]
    ).map(({ id, user }) => [id, user === null ? null : Object.values(user).includes('Zoë')]);
    expect(names).toEqual([
      [1, true],
      [2, false],
      [3, true],
      [4, null],
    ]);
  });

  it('an included record replaces a column of the same name in the response', () => {
    const { response } = run('GET /posts/1?include=user&_omit=user_id', ({ role }) =>
      role.kind === 'records' ? { rows: [[1, 't', 'c', 0, '2026-01-01 00:00:00', 7]] } : { rows: [] },
    );
    expect(response.body).toBe(
      '{"id":1,"title":"t","content":"c","published":false,"created_at":"2026-01-01T00:00:00Z","user":null}',
    );
  });
});

describe('single records', () => {
  it('a missing record is reported as 404 for every method', () => {
    const none: FakeDatabase = () => ({ rows: [], affectedRows: 0 });
    for (const [call, body] of [
      ['GET /tags/1', undefined],
      ['PUT /tags/1', { name: 'x' }],
      ['PUT /tags/1', {}],
      ['DELETE /tags/1', undefined],
    ] as const) {
      expect(() => run(call, none, { body })).toThrow(expect.objectContaining({ code: 'record.not_found' }));
    }
  });

  it('a create returns the Location header of the record', () => {
    const created: FakeDatabase = () => ({ rows: [[5, 'x', null]], affectedRows: 1 });
    expect(run('POST /tags', created, { body: { name: 'x' } }).response).toEqual({
      status: 201,
      body: '{"id":5,"name":"x","description":null}',
      headers: {
        Location: '/v1/-/tags/5',
        ETag: `"1.${digest(['5', 'x', null])}"`,
        'Content-Type': 'application/json; charset=utf-8',
      },
    });
    expect(
      run('POST /post-tags', () => ({ rows: [[3, 7]] }), { body: { post_id: 3, tag_id: 7 } }).response
        .headers['Location'],
    ).toBe('/v1/-/post-tags/3,7');
    expect(
      run('POST /countries', () => ({ rows: [['a,/', 'x']] }), { body: { code: 'a,/', title: 'x' } }).response
        .headers['Location'],
    ).toBe('/v1/-/countries/a%2C%2F');
    expect(
      run('POST /logs', () => ({ affectedRows: 1 }), { body: { at: '2026-01-01', text: '' } }).response,
    ).toMatchObject({ status: 201, body: '{"created":1}' });
  });

  it('a write returns a minimal response on request, or without the right to read', () => {
    const key: FakeDatabase = () => ({ rows: [[5]], affectedRows: 1 });
    expect(
      run('POST /tags', key, { body: { name: 'x' }, headers: { prefer: 'return=minimal' } }).response,
    ).toMatchObject({ body: '{"id":5}', headers: { 'Preference-Applied': 'return=minimal' } });
    expect(
      run('POST /tags', key, { body: { name: 'x' }, rights: { ...ALL, verbs: ['write'] } }).response.body,
    ).toBe('{"id":5}');
    const rejected = run('POST /tags', key, {
      body: { name: 'x' },
      rights: { ...ALL, verbs: ['write'] },
      headers: { prefer: 'return=representation' },
    }).response;
    expect(rejected.headers).not.toHaveProperty('Preference-Applied');
    expect(
      run('PUT /tags/5', key, { body: { name: 'x' }, headers: { prefer: 'return=minimal' } }).response,
    ).toMatchObject({ status: 204, body: null });
    expect(run('DELETE /tags/5', () => ({ affectedRows: 1 })).response).toMatchObject({
      status: 204,
      body: null,
    });
  });

  it('an update of several records returns them in the order of their keys', () => {
    expect(
      run(
        'PUT /tags/5',
        ({ role }) => (role.kind === 'write' ? { affectedRows: 1 } : { rows: [[5, 'new', null]] }),
        { body: { name: 'new' } },
      ).response,
    ).toMatchObject({ status: 200, body: '{"id":5,"name":"new","description":null}' });
    let id = 0;
    const each: FakeDatabase = (statement) => ({
      rows: Array.from({ length: statement.params.length }, () => [(id += 1), 'x', null]),
    });
    const { response } = run('POST /tags', each, { body: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    expect((JSON.parse(String(response.body)) as { id: number }[]).map((tag) => tag.id)).toEqual([1, 2, 3]);
  });
});

describe('the memory of results', () => {
  /**
   * Returns a result that reports whether it was released, and whose JSON array is bytes that the result
   * owns.
   */
  function watched(endpoint: string, body?: unknown): { released: () => boolean; answer: () => unknown } {
    let isReleased = false;
    const result = resultOf(firstStatement(endpoint, { body }), { rows: [[1, 'a', null]], affectedRows: 1 });
    const results = [
      { ...result, arrayText: () => Buffer.from('[held]'), release: () => void (isReleased = true) },
    ];
    return {
      released: () => isReleased,
      answer: () => toResponse(plan(endpoint, { body }), results, digest).body,
    };
  }

  it('toResponse releases the results of a text response, but not bytes still in use', () => {
    for (const [call, body] of [
      ['POST /tags', { name: 'a' }],
      ['GET /tags/1', undefined],
    ] as const) {
      const { released, answer } = watched(call, body);
      expect([typeof answer(), released()]).toEqual(['string', true]);
    }
    for (const [call, body] of [
      ['POST /tags', [{ name: 'a' }]],
      ['GET /tags', undefined],
    ] as const) {
      const { released, answer } = watched(call, body);
      expect([String(answer()), released()]).toEqual(['[held]', false]);
    }
  });

  it('several results of one response body form one array', () => {
    const [first, none, last] = [
      [
        [1, 'a', null],
        [2, 'b', null],
      ],
      [],
      [[3, 'c', null]],
    ].map((rows) => resultOf(firstStatement('GET /tags'), { rows }));
    expect([first, none, last]).not.toContain(undefined);
    expect(String(first?.arrayTextAnd([none, last].filter((resultSet) => resultSet !== undefined)))).toBe(
      '[{"id":1,"name":"a","description":null},{"id":2,"name":"b","description":null},{"id":3,"name":"c","description":null}]',
    );
  });
});
