import type { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { plan, rejection } from '../../test/blog.js';
import type { DeletePlan } from '../plan/plan.js';
import { decodePercent } from './decode-percent.js';
import { parseQueryKey } from './parse-query-key.js';

function hintOf(endpoint: string): string | undefined {
  try {
    plan(endpoint);
  } catch (error) {
    return (error as AppError).hint;
  }
  return undefined;
}

describe('decodePercent', () => {
  it('parseRequest decodes escapes, raw bytes and plus signs of a query string', () => {
    expect(decodePercent('a+b%20c', true)).toBe('a b c');
    expect(decodePercent('a+b', false)).toBe('a+b');
    expect(decodePercent('%F0%9F%98%80\u00c3\u00a4', true)).toBe('😀ä');
  });

  it.each(['%', '%4', '%zz', '%ff', '%c0%80', '%ed%a0%80', '%f4%90%80%80', '%e2%82', '\u4e00', '\u00e4'])(
    'parseRequest rejects the URL %s',
    (raw) => {
      expect(() => decodePercent(raw, true)).toThrow();
    },
  );
});

describe('parseQueryKey', () => {
  it.each([
    ['status', { kind: 'filter', path: ['status'], operator: 'eq' }],
    ['price__gte', { kind: 'filter', path: ['price'], operator: 'gte' }],
    ['score__gt__lt', { kind: 'filter', path: ['score__gt'], operator: 'lt' }],
    ['odd__name', { kind: 'filter', path: ['odd__name'], operator: 'eq' }],
    ['limit__eq', { kind: 'filter', path: ['limit'], operator: 'eq' }],
    ['`limit`', { kind: 'filter', path: ['limit'], operator: 'eq' }],
    ['`a``b c.d`__like', { kind: 'filter', path: ['a`b c.d'], operator: 'like' }],
    ['user.name__in', { kind: 'filter', path: ['user', 'name'], operator: 'in' }],
    ['_id__eq', { kind: 'filter', path: ['_id'], operator: 'eq' }],
    ['a-b', { kind: 'filter', path: ['a-b'], operator: 'eq' }],
    ['größe', { kind: 'filter', path: ['größe'], operator: 'eq' }],
    ['limit', { kind: 'control', control: 'limit' }],
    ['_filter', { kind: 'control', control: '_filter' }],
    ['__proto__', { kind: 'refused' }],
  ])('parseRequest reads the query key of %s', (key, expected) => {
    expect(parseQueryKey(key)).toMatchObject(expected);
  });

  it.each(['name__empty', 'name__iregex'])('parseRequest reports the reserved query key %s', (key) => {
    expect(parseQueryKey(key).kind).toBe('reserved');
  });

  it.each(['_id', '__eq', 'a b', 'a..b', '.a', 'a.', '`a', '`a`b', '``', 'x[]', 'x[a]', '', "a'b"])(
    'parseRequest rejects the query key %j',
    (key) => {
      expect(parseQueryKey(key).kind).toBe('refused');
    },
  );
});

describe('paths', () => {
  it('parseRequest finds a table by its path, its exact name or under _tables', () => {
    for (const path of ['/post-tags', '/post_tags', '/_tables/post_tags', '/post%2Dtags'])
      expect(plan(`GET ${path}`).table.name).toBe('post_tags');
  });

  it.each([
    ['GET /nothing', '404 table.not_found Entity nothing does not exist'],
    ['GET /posts/', '404 request.not_found'],
    ['POST /posts/', '404 request.not_found'],
    ['GET /', '404 request.not_found'],
    ['GET /posts/1/2', '404 request.not_found'],
    ['GET /..', '404 request.not_found'],
    ['GET /posts/%2e%2E', '404 request.not_found'],
    ['GET /query', '404 request.not_found'],
    ['GET /_batch', '404 request.not_found'],
    ['GET /_tables', '404 request.not_found'],
    ['GET /__proto__', '404 request.not_found'],
    ['GET /_tables/__proto__', '404 table.not_found'],
    ['GET /posts/%zz', '400 request.bad_escape'],
    ['GET /logs/1', '404 table.no_key'],
    ['POST /recent-posts', '405 table.read_only'],
    ['DELETE /posts', '422 params.invalid ["query"] missing'],
    ['DELETE /recent-posts?id=1', '405 table.read_only'],
    ['PUT /posts', '422 body.invalid ["body"] missing'],
    ['POST /posts/1', '405 request.method_not_allowed'],
    ['TRACE /posts', '405 request.method_not_allowed'],
  ])('parseRequest rejects the request %s: %s', (endpoint, expected) => {
    expect(rejection(endpoint)).toContain(expected);
  });

  it('a record key in a path must have the strict form of its column', () => {
    expect(rejection('GET /posts/1')).toBe('accepted');
    for (const id of ['1abc', '%201', '1.0', '01', '+1', '0x1', '1,2', 'true'])
      expect(rejection(`GET /posts/${id}`)).toContain('422 key.invalid');
    expect(rejection('GET /posts/99999999999')).toContain('404 record.not_found');
    expect(rejection('GET /post-tags/1')).toContain('422 key.invalid');
    expect(rejection('GET /post-tags/1%2C2')).toContain('422 key.invalid');
  });

  it('composite keys in a path are split before decoding, and a UUID may replace a number', () => {
    expect(plan('GET /post-tags/3,7')).toMatchObject({ key: [{ value: '3' }, { value: '7' }] });
    expect(plan('GET /countries/a%2Cb')).toMatchObject({ key: [{ value: 'a,b' }] });
    expect(plan('GET /types/11111111-2222-4333-8444-55555555555A')).toMatchObject({
      key: [{ column: { name: 'uuid' }, value: '11111111-2222-4333-8444-55555555555a' }],
    });
  });
});

describe('headers', () => {
  it('parsePreferences ignores unknown preferences and rejects invalid values', () => {
    expect(
      plan('POST /tags', {
        body: { name: 'x' },
        headers: { prefer: 'return=minimal; x=1, foo=bar, numbers="string"' },
      }).preferences,
    ).toMatchObject({ result: 'minimal', numbers: 'string' });
    expect(rejection('GET /tags', { headers: { prefer: 'numbers=maybe' } })).toContain(
      '422 params.invalid ["header","Prefer"]',
    );
  });

  it('a request whose Accept header excludes JSON is rejected with 406', () => {
    expect(rejection('GET /tags', { headers: { accept: 'text/html' } })).toContain('406');
    expect(rejection('GET /tags/1', { headers: { accept: 'text/csv' } })).toContain('406');
    expect(rejection('GET /tags', { headers: { accept: 'application/json;q=0' } })).toContain('406');
    expect(rejection('GET /tags', { headers: { accept: 'text/html, */*;q=0.8' } })).toBe('accepted');
  });

  it('a write with a conditional header that it does not support is rejected', () => {
    expect(rejection('POST /tags', { body: { name: 'x' }, headers: { 'if-match': '"1.a"' } })).toContain(
      '["header","If-Match"] no_meaning',
    );
    for (const key of ['', 'x'.repeat(256), 'ä', 'a\u0007'])
      expect(rejection('POST /tags', { body: { name: 'x' }, headers: { 'idempotency-key': key } })).toContain(
        '["header","Idempotency-Key"] idempotency_key',
      );
    expect(rejection('POST /tags', { body: { name: 'x' }, headers: { 'idempotency-key': 'k 1' } })).toBe(
      'accepted',
    );
    expect(rejection('GET /tags/1', { headers: { 'if-none-match': '"1.a"' } })).toBe('accepted');
  });
});

describe('If-Match', () => {
  const digest = 'A'.repeat(22);
  const match = (header: string): unknown =>
    (plan('DELETE /tags/1', { headers: { 'if-match': header } }) as DeletePlan).conditions?.ifMatch;

  it('an If-Match tag that this server did not create matches no record', () => {
    expect(match('*')).toEqual({ kind: 'any' });
    for (const header of [`"1.${digest}"`, `"1.${digest}.${'b'.repeat(22)}"`, `"other", "1.${digest}"`])
      expect(match(header)).toMatchObject({ kind: 'versions', versions: [{ digest }] });
    for (const header of [`W/"1.${digest}"`, '"1.short"', '""', `"7.${digest}"`])
      expect(match(header)).toEqual({ kind: 'versions', versions: [] });
  });

  it.each([
    '',
    'x',
    '"a',
    `1.${digest}`,
    '"a" "b"',
    '*, "a"',
    Array.from({ length: 51 }, () => '"a"').join(),
  ])('parsePreferences rejects the Prefer header %j', (header) => {
    expect(rejection('DELETE /tags/1', { headers: { 'if-match': header } })).toContain(
      '["header","If-Match"] etag',
    );
  });
});

describe('If-None-Match of a write', () => {
  const tag = `1.${'A'.repeat(22)}`;
  const conditions = (headers: Record<string, string>): unknown =>
    (plan('DELETE /tags/1', { headers }) as DeletePlan).conditions;

  it('If-None-Match of a write accepts weak tags', () => {
    expect(conditions({})).toBeNull();
    expect(conditions({ 'if-none-match': '*' })).toEqual({ ifMatch: null, ifNoneMatch: { kind: 'any' } });
    expect(conditions({ 'if-match': '*', 'if-none-match': `W/"${tag}"` })).toMatchObject({
      ifMatch: { kind: 'any' },
      ifNoneMatch: { versions: [{ digest: 'A'.repeat(22) }] },
    });
    expect(rejection('PUT /tags/1', { body: {}, headers: { 'if-none-match': 'x' } })).toContain(
      '["header","If-None-Match"] etag',
    );
  });

  it('If-Match is rejected for a write of several records', () => {
    expect(rejection('POST /tags', { body: { name: 'x' }, headers: { 'if-none-match': '*' } })).toContain(
      '["header","If-None-Match"] no_meaning',
    );
    expect(rejection('DELETE /tags?name=x', { headers: { 'if-none-match': '*' } })).toContain('no_meaning');
    expect(rejection('GET /tags', { headers: { 'if-match': '"x"' } })).toContain(
      '412 record.precondition_failed',
    );
    for (const headers of [{ 'if-match': '*' }, { 'if-none-match': '*' }])
      expect(rejection('GET /tags', { headers: headers as unknown as Record<string, string> })).toBe(
        'accepted',
      );
  });
});

describe('query parameters', () => {
  it('a repeated equality filter is rejected, and other comparisons may be repeated', () => {
    const rejected = (query: string): string => rejection(`GET /posts?${query}`);
    for (const query of [
      'id__in=1&id__in=2',
      'id=1&id=2',
      'id=1&id__eq=1',
      'title__iexact=a&title__iexact=b',
      'created_at__year=2024&created_at__year=2025',
      'limit=1&limit=2',
      'sort=id&sort=title',
      'include[comments][id__in]=1&include[comments][id__in]=2&include=comments',
    ]) {
      expect(rejected(query), query).toContain('repeated');
    }
    for (const query of [
      'title__contains=a&title__contains=b',
      'id__not_in=1&id__not_in=2',
      'id__gt=1&id__gt=2',
      'id=1&id__in=1,2',
    ])
      expect(rejected(query), query).toBe('accepted');
  });

  it('a hint suggests a list if brackets or repetitions ask for several values', () => {
    const hints = {
      'id__in[]=1': 'id__in=a,b',
      'id[]=1': 'id__in=a,b',
      'id__eq[]=1': 'id__in=a,b',
      'id__not_in[]=1': 'id__not_in=a,b',
      'id__in=1&id__in=2': 'id__in=a,b',
    };
    for (const [query, hint] of Object.entries(hints))
      expect(hintOf(`GET /posts?${query}`), query).toBe(`Send several values as ${hint}.`);
  });

  it('an unknown query parameter is never ignored', () => {
    expect(rejection('GET /posts?titel=x&nope__bar=1&status[]=a&_x=1&where=1')).toContain(
      '422 params.invalid',
    );
    expect(rejection('GET /posts/1?title=x')).toContain('["query","title"] unknown_parameter');
    expect(rejection('DELETE /posts/1?include=user')).toContain('unknown_parameter');
    expect(rejection('GET /posts?_on_conflict=id')).toContain('["query","_on_conflict"] unknown_parameter');
    for (const control of [
      'limit=1',
      'page=1',
      'sort=id',
      'include=user',
      '_select=id',
      '_count=exact',
      '_on_conflict=id',
    ]) {
      expect(rejection(`DELETE /posts?title=x&${control}`)).toContain('unknown_parameter');
      if (!control.startsWith('_on'))
        expect(rejection(`POST /posts?${control}`, { body: {} })).toContain('unknown_parameter');
    }
  });

  it('repeated control parameters are rejected, and repeated conditions are combined with AND', () => {
    expect(rejection('GET /posts?limit=1&limit=2')).toContain('["query","limit"] repeated');
    expect(rejection('GET /posts?id=1&id__eq=2')).toContain('["query","id__eq"] repeated');
    expect(rejection('GET /posts?id__gt=1&id__gt=2')).toBe('accepted');
  });
});
