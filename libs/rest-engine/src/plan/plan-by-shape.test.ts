import type { CompiledSnapshot, Rights } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { ALL, compile, describeError, digest, resultOf, sealText } from '../../test/blog.js';
import {
  authorizePlan,
  cacheShape,
  parseJson,
  parseRequest,
  planByShape,
  planRequest,
  toResponse,
  toStatements,
  type Plan,
  type PlanOptions,
  type RawRequest,
  type ResultSet,
  type Statement,
} from '../index.js';
import { SHAPES_MAX } from './plan-by-shape.js';
import type { Cell } from '../values/cell.js';

const SEED = 20_261_122;
const NARROW: Rights = {
  tables: { posts: ['read'], users: ['read'], types: ['read', 'write'], tags: ['write'] },
  verbs: ['read', 'write'],
  hiddenColumns: { posts: ['content'], users: ['email'], types: ['name', 'price'] },
};

function createRandom(seed: number): <T>(from: readonly T[]) => T {
  let state = seed;
  return (from) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from[Math.floor((state / 4_294_967_296) * from.length)] as never;
  };
}

const toRaw = (endpoint: string, headers: RawRequest['headers'] = {}): RawRequest => {
  const [rawPath = '', rawQuery = ''] = endpoint.split(/\?(.*)/s);
  return { method: 'GET', rawPath, rawQuery, headers, body: undefined };
};

const optionsWith = (requireLimit: boolean, own: Partial<PlanOptions> = {}): PlanOptions => ({
  unknownFields: 'reject',
  requireLimit,
  regexEnabled: false,
  storedColumnsAt: () => null,
  sealText,
  makeUuid: () => 'u',
  now: () => 0,
  ...own,
});

/**
 * Returns the cells of a row, with values that fit the kind of each column. They are numbers if the JSON
 * value is a number.
 */
function rowOf(statement: Statement, row: number): Cell[] {
  return (statement.shape?.columns ?? []).map(({ kind }) => {
    if (kind === 'integer' || kind === 'boolean' || kind === 'year') return row;
    if (kind === 'timestamp' || kind === 'datetime') return '2026-01-31 12:00:00';
    return kind === 'date'
      ? '2026-01-31'
      : kind === 'binary' || kind === 'bit'
        ? new Uint8Array([row])
        : kind === 'vector'
          ? [row]
          : kind === 'json'
            ? '{}'
            : '1';
  });
}

/** Returns the statements and the response of a plan. A client can observe nothing else. */
function runPlan(plan: Plan, rights: Rights, insertReturning = true): unknown {
  const program = toStatements(authorizePlan(plan, rights, []), { insertReturning }, digest);
  const results: ResultSet[] = [];
  for (
    let round = program.first as typeof program.first | null;
    round !== null;
    round = program.next(results)
  ) {
    results.push(
      ...round.statements.map((statement) =>
        resultOf(statement, {
          rows: statement.shape === null ? [] : [rowOf(statement, 1), rowOf(statement, 2)],
          affectedRows: 1,
          insertId: '1',
        }),
      ),
    );
  }
  return {
    statements: results.map(({ statement: { sql, params, isShort, shape, point } }) => ({
      sql,
      params,
      isShort,
      shape,
      many: point?.sqlOf(4),
    })),
    response: toResponse(plan, results, digest),
    touches: plan.touches,
  };
}

function attempt(callback: () => unknown): unknown {
  try {
    return callback();
  } catch (error) {
    return describeError(error);
  }
}

/** Plans a request with the cache of shapes, in the same way as the gateway. */
function planCached(
  raw: RawRequest,
  compiled: CompiledSnapshot,
  options: PlanOptions,
  onHit: () => void,
): Plan {
  const known = planByShape(raw, compiled, '/v1/-', options);
  if (known !== null) {
    onHit();
    return known;
  }
  const request = parseRequest(raw, compiled, { prefix: '/v1/-' });
  const plan = planRequest(request, options);
  cacheShape(raw, request, plan, compiled, options);
  return plan;
}

const planLong = (raw: RawRequest, compiled: CompiledSnapshot, options: PlanOptions): Plan =>
  planRequest(parseRequest(raw, compiled, { prefix: '/v1/-' }), options);

const columns =
  compile()
    .findByName('types')
    ?.columns.map((column) => column.name) ?? [];
const tables: readonly (readonly [string, readonly string[]])[] = [
  [
    'posts',
    [
      'id',
      'title',
      'user_id',
      'published',
      'id',
      'title',
      'content',
      'created_at',
      'user.username',
      'nothing',
    ],
  ],
  ['users', ['id', 'username', 'email']],
  ['types', columns],
  ['tags', ['id', 'name']],
  ['posts', ['id', 'user_id']],
  ['users', ['id', 'username']],
  ['countries', ['code', 'title']],
  ['logs', ['at']],
  ['recent_posts', ['id']],
];
const operators = [
  '',
  '',
  '',
  '',
  '',
  '',
  '',
  '__ne',
  '__gt',
  '__lte',
  '__between',
  '__not_between',
  '__isnull',
  '__like',
  '__icontains',
  '__startswith',
  '__on',
  '__after',
  '__year',
  '__in',
  '__regex',
  '__exists',
  '__nothing',
];
const values = [
  ...Array.from({ length: 8 }, () => ['1', '2', '30']).flat(),
  '-1',
  '1.5',
  '007',
  'true',
  'false',
  'null',
  'a',
  'a%25b',
  'b+c',
  '%41',
  '%zz',
  '',
  '1,2',
  '2026-01-31',
  '2026-02-30',
  '2026-01-31T12:00:00Z',
  '11111111-2222-4333-8444-555555555555',
  '18446744073709551616',
  'gte.5',
  'AQ==',
  '::1',
  "x'--",
  '%00',
];
const controls = [
  '_select=label:id,id::string',
  ...Array.from({ length: 4 }, () => [
    'limit=20',
    'sort=-id',
    '_omit=id',
    '_count=exact',
    '_select=*,_etag',
  ]).flat(),
  'limit=20',
  'limit=5',
  'limit=0',
  'limit=x',
  'limit=1001',
  'sort=-id',
  'sort=id',
  'sort=title,-id',
  'sort=user_id:nulls_last',
  'include=count:comments',
  'sort=-count_comments',
  'include=count:comments&sort=-count_comments,title',
  'sort=-bio:nulls_first',
  'sort=name:nulls_last',
  'sort=nothing',
  'order=desc',
  'include=user',
  'include=comments.user',
  '_select=id',
  '_select=*,_etag',
  '_omit=id',
  '_count=exact',
  'page=2',
  '_offset=3',
  '_cursor=',
  'where=id%3D1',
  '_filter=%7B%7D',
  'created_after=2026-01-01',
  'include[user][username]=a',
  '_distinct=id',
  '_aggregate=count',
  '_explain=true',
  'limit',
  '&',
  'select=id',
];

const memberValues = [
  1,
  2,
  -1,
  0,
  1.5,
  300,
  true,
  false,
  null,
  'a',
  '',
  '7',
  '2026-01-31',
  '2026-01-31T12:00:00Z',
  '12:00:00',
  'new',
  'AQ==',
  '::1',
  '11111111-2222-4333-8444-555555555555',
  'x'.repeat(300),
  ['a'],
  [],
  {},
  { a: 1 },
  { a: 1, b: [2] },
  { $inc: 1 },
  { $ref: '0.id' },
  { $value: { $inc: 1 } },
  { type: 'Point', coordinates: [1, 2] },
];

/** Expects that random requests reached every outcome often. */
function expectEnough(counts: Readonly<Record<string, number>>): void {
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(500);
}

describe('plans by shape', () => {
  it('a plan from the shape cache equals a new plan for all values, rights and settings', () => {
    const pick = createRandom(SEED);
    const views = [
      { rights: ALL, compiled: compile() },
      { rights: NARROW, compiled: compile(NARROW) },
    ] as const;
    // A few shapes of requests, which are used many times with different values.
    const shapes = Array.from({ length: 90 }, () => {
      const [table, names] = pick(tables);
      const filters = Array.from({ length: pick([0, 1, 1, 2, 3]) }, () => `${pick(names)}${pick(operators)}`);
      const parts = [
        ...filters.map((filter) => [filter, true] as const),
        ...Array.from({ length: pick([0, 1, 2]) }, () => [pick(controls), false] as const),
      ].sort(() => pick([-1, 1]));
      return { table, isRecord: pick([true, false, false]), parts };
    });
    let hits = 0;
    let answered = 0;
    let rejected = 0;
    for (let round = 0; round < 5_000; round += 1) {
      const { table, isRecord, parts } = pick(shapes);
      const query = parts.map(([text, isFilter]) => (isFilter ? `${text}=${pick(values)}` : text)).join('&');
      const raw = toRaw(
        `/${table}${isRecord ? `/${pick(values)}` : ''}${query === '' || (isRecord && pick([true, false])) ? '' : `?${query}`}`,
        pick([
          {},
          {},
          {},
          {},
          {},
          {},
          { accept: '*/*' },
          { accept: 'application/x-ndjson' },
          { prefer: 'numbers=string' },
        ]),
      );
      const { rights, compiled } = pick(views);
      const options = optionsWith(pick([false, false, true]));
      const retained = attempt(() =>
        runPlan(
          planCached(raw, compiled, options, () => void (hits += 1)),
          rights,
        ),
      );
      const alone = attempt(() => runPlan(planLong(raw, compiled, options), rights));
      expect(retained, `seed ${SEED}, round ${round}: ${raw.rawPath}?${raw.rawQuery}`).toEqual(alone);
      if (typeof alone === 'string') rejected += 1;
      else answered += 1;
    }
    expectEnough({ hits, answered, rejected });
  });

  it.each<[string, boolean]>([
    ['/types?_select=label:name,price::string,data->a&sort=-data->b&limit=5&id__gt=1', true],
    ['/types?_select=x:data->a&sort=data->b&_cursor=', true],
    ['/types/1?_select=label:name,data->a', true],
    ['/types?where=at%20%3E%20NOW()%20-%20INTERVAL%201%20DAY', false],
    ['/types?_filter=%7B%22at__gt%22%3A%7B%22$expr%22%3A%22CURRENT_DATE()%22%7D%7D', false],
    ['/types?tiny__gt_column=big', false],
  ])('the shape cache stores a shape for %s: %s', (endpoint, isRetained) => {
    const compiled = compile();
    let hits = 0;
    for (let time = 0; time < 3; time += 1)
      planCached(toRaw(endpoint), compiled, optionsWith(false), () => void (hits += 1));
    expect(hits).toBe(isRetained ? 2 : 0);
  });

  it('a write from the shape cache equals a new plan for all bodies, rights and settings', () => {
    const pick = createRandom(SEED + 1);
    const views = [
      { rights: ALL, compiled: compile() },
      { rights: NARROW, compiled: compile(NARROW) },
    ] as const;
    const names = (table: string): readonly string[] =>
      compile()
        .findByName(table)
        ?.columns.map((column) => column.name) ?? [];
    const members = {
      posts: names('posts'),
      users: names('users'),
      types: columns,
      tags: names('tags'),
      countries: names('countries'),
      'post-tags': names('post_tags'),
      logs: names('logs'),
      'recent-posts': ['id'],
    };
    const paths = [
      ...Array.from({ length: 4 }, () => ['posts', 'types', 'tags'] as const).flat(),
      ...(Object.keys(members) as (keyof typeof members)[]),
    ];
    const makeBody = (table: keyof typeof members): string => {
      const whole = {
        posts: { title: 'a', content: 'b', user_id: 1 },
        users: { username: 'u', email: 'a@b.co' },
        types: { tiny: 1 },
        tags: { name: 'x' },
        countries: { code: 'de', title: 'x' },
        'post-tags': { post_id: 1, tag_id: 2 },
        logs: { at: '2026-01-31T12:00:00Z', text: 'x' },
        'recent-posts': {},
      }[table];
      const others = Array.from(
        { length: pick([0, 0, 0, 0, 0, 1, 1, 2]) },
        () =>
          [
            pick([
              ...members[table],
              ...members[table],
              ...members[table],
              'nothing',
              'user',
              'comments',
              'limit',
            ]),
            pick(memberValues),
          ] as const,
      );
      const entries = Object.entries({
        ...(pick([true, true, true, true, false]) ? whole : {}),
        ...Object.fromEntries(others),
      });
      return JSON.stringify(Object.fromEntries(pick([true, false]) ? entries : entries.reverse()));
    };
    let hits = 0;
    let answered = 0;
    let rejected = 0;
    for (let round = 0; round < 3_000; round += 1) {
      const table = pick(paths);
      const method = pick(['POST', 'POST', 'PATCH', 'PUT', 'DELETE'] as const);
      const hasKey = pick([true, true, true, true, true, false]) !== (method === 'POST');
      const rawPath = `/${table}${hasKey ? `/${pick([...Array.from({ length: 6 }, () => ['1', '2', '30']).flat(), 'x', '1,2', '-1', '99999999999', '%31', '11111111-2222-4333-8444-555555555555', '', 'de'])}` : ''}`;
      const body = pick([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
      const text =
        body === 0
          ? makeBody(table)
          : body === 1
            ? `[${makeBody(table)}]`
            : pick(['1', 'null', '"a"', '[]', '{}']);
      const headers = pick([
        ...Array.from({ length: 24 }, () => ({})),
        { accept: '*/*' },
        { accept: 'text/html' },
        { prefer: 'return=minimal' },
        { prefer: 'tx=rollback' },
        { 'if-match': '*' },
        { 'idempotency-key': 'a' },
      ]);
      const raw: RawRequest = {
        method,
        rawPath,
        rawQuery: pick([...Array.from({ length: 16 }, () => ''), 'id=1', '_on_conflict=id']),
        headers,
        body:
          pick([true, true, true, true, true, true, true, false]) || method !== 'DELETE'
            ? parseJson(text)
            : undefined,
      };
      const { rights, compiled } = pick(views);
      const options = optionsWith(
        false,
        pick([{}, {}, {}, { requireIfMatch: ['posts'] }, { unknownFields: 'ignore' }] as const),
      );
      const hasReturning = pick([true, false]);
      const retained = attempt(() =>
        runPlan(
          planCached(raw, compiled, options, () => void (hits += 1)),
          rights,
          hasReturning,
        ),
      );
      const alone = attempt(() => runPlan(planLong(raw, compiled, options), rights, hasReturning));
      expect(
        retained,
        `round ${round}: ${method} ${raw.rawPath}?${raw.rawQuery} ${text} ${JSON.stringify(headers)}`,
      ).toEqual(alone);
      if (typeof alone === 'string') rejected += 1;
      else answered += 1;
    }
    expectEnough({ hits, answered, rejected });
  });

  const isKnown = (
    endpoint: string,
    compiled: CompiledSnapshot,
    headers: RawRequest['headers'] = {},
    options = optionsWith(false),
  ): boolean => {
    let isHit = false;
    attempt(() => planCached(toRaw(endpoint, headers), compiled, options, () => void (isHit = true)));
    return isHit;
  };

  it('a write from the shape cache does not contain the values of earlier requests', () => {
    const compiled = compile();
    const isWritten = (
      method: string,
      rawPath: string,
      body?: unknown,
      headers: RawRequest['headers'] = {},
    ): boolean => {
      let isHit = false;
      attempt(() =>
        planCached(
          {
            method,
            rawPath,
            rawQuery: '',
            headers,
            body: body === undefined ? undefined : parseJson(JSON.stringify(body)),
          },
          compiled,
          optionsWith(false),
          () => void (isHit = true),
        ),
      );
      return isHit;
    };
    expect([
      isWritten('POST', '/tags', { name: 'a' }),
      isWritten('POST', '/tags', { description: 'c', name: 'b' }),
      isWritten('POST', '/tags', { nothing: 1 }),
      isWritten('POST', '/tags', [{ name: 'a' }]),
    ]).toEqual([false, true, false, false]);
    expect([
      isWritten('PATCH', '/tags/1', { name: 'a' }),
      isWritten('PUT', '/tags/2', {}),
      isWritten('PATCH', '/tags/2', { id: 2 }),
      isWritten('PATCH', '/tags/2', { name: 'a' }, { 'if-match': '*' }),
    ]).toEqual([false, true, false, false]);
    expect([
      isWritten('DELETE', '/tags/1'),
      isWritten('DELETE', '/tags/2'),
      isWritten('DELETE', '/tags/2', undefined, { prefer: 'tx=rollback' }),
      isWritten('DELETE', '/posts/2'),
    ]).toEqual([false, true, false, false]);
  });

  it.each([
    ['/posts/1', '/posts/2'],
    ['/posts?limit=20', '/posts?limit=20'],
    ['/posts?id__lt=5&sort=-id&limit=20', '/posts?id__lt=77&sort=-id&limit=20'],
    ['/posts?title__like=a%25', '/posts?title__like=b%25'],
    ['/posts?published=true&include=user', '/posts?published=false&include=user'],
    ['/types?price__between=1,2', '/types?price__between=1.55,2'],
    ['/posts/1?include=comments', '/posts/2?include=comments'],
    ['/posts?_cursor=', '/posts?_cursor='],
    ['/posts?published=true&_cursor=', '/posts?published=false&_cursor='],
  ])('the cached shape of %s is used for %s', (first, second) => {
    const compiled = compile();
    expect([isKnown(first, compiled), isKnown(second, compiled)]).toEqual([false, true]);
  });

  it.each([
    ['/posts?limit=20', '/posts?limit=21'],
    ['/posts?id=1', '/posts?id=x'],
    ['/posts?id=1', '/posts?user_id=1'],
    ['/posts?id=1', '/users?id=1'],
    ['/posts/1', '/posts'],
    ['/posts?id__in=1', '/posts?id__in=2'],
    ['/posts?page=1', '/posts?page=1'],
    ['/posts?where=id%3D1', '/posts?where=id%3D1'],
    ['/posts?user.username=a', '/posts?user.username=a'],
    ['/posts?_aggregate=count', '/posts?_aggregate=count'],
  ])('the cached shape of %s is not used for %s', (first, second) => {
    const compiled = compile();
    expect([isKnown(first, compiled), isKnown(second, compiled)]).toEqual([false, false]);
  });

  it.each([
    '',
    'published=true&',
    'title__like=%C3%A4%25&sort=-title,id&',
    'sort=-created_at&include=user&_select=id&',
  ])('a list from the shape cache with a cursor (%s) leads to the same pages as a new plan', (requested) => {
    const [compiled, options] = [compile(), optionsWith(false)];
    const walk = (cursor: string, method: 'next' | 'prev', steps: number): void => {
      const raw = toRaw(`/posts?${requested}limit=1&_cursor=${cursor}`);
      let hits = 0;
      const retained = runPlan(
        planCached(raw, compiled, options, () => (hits += 1)),
        ALL,
      );
      expect(retained).toEqual(runPlan(planLong(raw, compiled, options), ALL));
      expect(hits).toBe(seen++ === 0 ? 0 : 1);
      const link =
        (retained as { response: { headers: Record<string, string> } }).response.headers['Link'] ?? '';
      const onward = new RegExp(`_cursor=([\\w.-]+)>; rel="${method}"`).exec(link)?.[1];
      expect(onward).toBeDefined();
      if (steps > 0) walk(onward ?? '', method, steps - 1);
      else if (method === 'next') walk(onward ?? '', 'prev', 2);
    };
    let seen = 0;
    walk('', 'next', 2);
  });

  it('a list from the shape cache rejects the cursor of another list', () => {
    const [compiled, options] = [compile(), optionsWith(false)];
    const first = runPlan(
      planCached(toRaw('/posts?user_id=1&limit=1&_cursor='), compiled, options, () => undefined),
      ALL,
    ) as { response: { headers: Record<string, string> } };
    const cursor = first.response.headers['X-Next-Cursor'] ?? '';
    const onlyHits = (query: string, planOptions = options): number => {
      let hits = 0;
      attempt(() =>
        planCached(toRaw(`/posts?${query}&_cursor=${cursor}`), compiled, planOptions, () => (hits += 1)),
      );
      return hits;
    };
    expect(onlyHits('user_id=1&limit=1')).toBe(1);
    expect(onlyHits('user_id=2&limit=1')).toBe(0);
    // Another database has other settings and another key for `sealText`.
    expect(
      onlyHits('user_id=1&limit=1', optionsWith(false, { sealText: (text) => sealText(`other${text}`) })),
    ).toBe(0);
  });

  it('a cached shape belongs to one schema, one set of rights and one setting', () => {
    const compiled = compile();
    expect(isKnown('/posts/1', compiled)).toBe(false);
    expect([
      isKnown('/posts/1', compile()),
      isKnown('/posts/1', compile(NARROW)),
      isKnown('/posts/1', compiled, {}, optionsWith(true)),
      isKnown('/posts/1', compiled, { prefer: 'numbers=string' }),
    ]).toEqual([false, false, false, false]);
    expect(isKnown('/posts/1', compiled)).toBe(true);
  });

  it('the shape cache removes the least recently used shape above its maximum size', () => {
    const compiled = compile();
    isKnown('/posts?limit=0', compiled);
    for (let limit = 1; limit <= SHAPES_MAX; limit += 1) {
      isKnown(`/posts?limit=${limit}`, compiled);
      expect(isKnown('/posts?limit=0', compiled)).toBe(true);
    }
    expect(isKnown('/posts?limit=1', compiled)).toBe(false);
  });
});
