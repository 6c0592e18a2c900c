import { beforeAll, describe, expect, it } from 'vitest';
import { writeBlog, type Blog } from '../../support/schemas/blog.mjs';
import { signUp } from '../../support/control.mjs';
import { openApi, send, type HttpResponse, type Api } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';

const VARY = [
  'authorization',
  'x-api-key',
  'x-gibson-api-key',
  'accept',
  'accept-encoding',
  'prefer',
  'origin',
];
const EXPOSED = [
  'Link',
  'X-Has-More',
  'X-Truncated',
  'ETag',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'X-Generated-SQL',
  'X-Query-Source',
  'Server-Timing',
];

function listOf(value: unknown): string[] {
  return String(value ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase());
}

describe('HTTP behavior that clients rely on', () => {
  const product = readProduct();
  const base = product.gateways[0];
  let api: Api;
  let blog: Blog;

  beforeAll(async () => {
    const user = await signUp(product.control);
    api = openApi(base, user.key);
    blog = await writeBlog(api, 'surface');
  });

  it('a CORS preflight request without a key is answered with 204', async () => {
    const response = await send(base, 'OPTIONS', '/v1/-/posts', {
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization, x-api-key, traceparent',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(listOf(response.headers['access-control-allow-methods'])).toEqual(
      expect.arrayContaining(['get', 'head', 'post', 'put', 'patch', 'delete']),
    );
    expect(listOf(response.headers['access-control-allow-headers'])).toEqual([
      'authorization',
      'x-api-key',
      'traceparent',
    ]);
    expect(response.headers['access-control-max-age']).toBe('7200');
  });

  it('CORS and cache headers are sent with every response, including errors', async () => {
    const responses: [string, HttpResponse, RegExp][] = [
      ['list', await api.get('/posts'), /private, no-cache/],
      ['record', await api.get(`/posts/${blog.posts.first.id}`), /private, no-cache/],
      ['no key', await openApi(base, null).get('/posts'), /no-store/],
      ['no table', await api.get('/widgets'), /no-store/],
      ['bad parameter', await api.get('/posts?page=0'), /no-store/],
      ['query', await api.query('SELECT 1'), /no-store/],
      ['nowhere', await send(base, 'GET', '/nowhere'), /no-store/],
    ];
    for (const [name, response, cache] of responses) {
      expect(response.headers['access-control-allow-origin'], name).toBe('*');
      expect(response.headers['access-control-allow-credentials'], name).toBeUndefined();
      expect(listOf(response.headers['access-control-expose-headers']), name).toEqual(
        expect.arrayContaining(EXPOSED.map((header) => header.toLowerCase())),
      );
      expect(response.headers['cache-control'], name).toMatch(cache);
      expect(listOf(response.headers.vary), name).toEqual(expect.arrayContaining(VARY));
      expect(response.headers['x-request-id'], name).toMatch(/\S/);
      expect(response.headers['content-type'], name).toMatch(/^application\/json/);
    }
  });

  it('HEAD returns the status and headers of GET, without a body', async () => {
    for (const path of ['/posts?limit=1', `/posts/${blog.posts.first.id}`, '/schema', '/health']) {
      const get = await api.get(path);
      const head = await api.call('HEAD', path);
      expect(head.status, path).toBe(200);
      expect(head.text, path).toBe('');
      for (const header of ['content-type', 'etag', 'link', 'x-has-more'])
        expect(head.headers[header], `${path} ${header}`).toEqual(get.headers[header]);
    }
    expect((await api.call('HEAD', '/posts/999999')).status).toBe(404);
  });

  it('a conditional request for an unchanged response gets 304', async () => {
    for (const path of [`/posts/${blog.posts.first.id}`, '/schema', '/openapi.json']) {
      const tag = String((await api.get(path)).headers.etag);
      expect(tag, path).toMatch(/^(W\/)?"[^"]+"$/);
      const secondResponse = await api.get(path, { 'If-None-Match': tag });
      expect(secondResponse.status, path).toBe(304);
      expect(secondResponse.text, path).toBe('');
      expect((await api.get(path, { 'If-None-Match': '"other"' })).status, path).toBe(200);
    }
    const before = String((await api.get(`/posts/${blog.posts.second.id}`)).headers.etag);
    await api.put(`/posts/${blog.posts.second.id}`, { content: 'changed' });
    expect((await api.get(`/posts/${blog.posts.second.id}`, { 'If-None-Match': before })).status).toBe(200);
  });

  it('the X-Request-Id response header equals the request id of the error body', async () => {
    const response = await api.get('/widgets', { 'X-Request-Id': 'from-the-caller-1' });
    expect(response.headers['x-request-id']).toBe(response.json.request_id);
  });

  it('long responses are compressed, and short ones are not', async () => {
    await api.post('/posts', { title: 'Long', content: 'x'.repeat(5_000), user_id: blog.users.ann.id });
    const long = await api.get('/posts', { 'Accept-Encoding': 'gzip' });
    expect(long.headers['content-encoding']).toBe('gzip');
    const short = await api.get(`/tags/${blog.tags.news.id}`, { 'Accept-Encoding': 'gzip' });
    expect(short.headers['content-encoding']).toBeUndefined();
  });

  it('a request with a cookie succeeds, and its response sets no cookie', async () => {
    const response = await api.get('/posts', { Cookie: 'session=anything' });
    expect(response.status).toBe(200);
    expect(response.headers['set-cookie']).toBeUndefined();
  });
});

describe('/health and the index', () => {
  const product = readProduct();

  it('/health describes the process without a key, and the database with a key', async () => {
    const bare = await openApi(product.gateways[0], null).get('/health');
    expect(bare.status).toBe(200);
    expect(Object.keys(bare.json).sort()).toEqual(['status', 'time']);
    const user = await signUp(product.control);
    const own = await openApi(product.gateways[0], user.key).get('/health');
    expect(own.json).toMatchObject({
      status: 'ok',
      database: expect.anything(),
      schema_version: expect.any(Number),
      time: expect.any(String),
      limits: expect.any(Object),
    });
  });

  it('the index of the data API lists every table with a working link', async () => {
    const user = await signUp(product.control);
    const api = openApi(product.gateways[0], user.key);
    const index = await api.get('/');
    expect(index.status).toBe(200);
    for (const path of ['users', 'posts', 'comments', 'tags', 'post-tags']) {
      expect(index.text).toContain(`/v1/-/${path}"`);
      expect((await api.get(`/${path}`)).status).toBe(200);
    }
    for (const [name, href] of Object.entries(index.json.links as Record<string, string>))
      expect([name, (await api.get(href.slice('/v1/-'.length))).status]).toEqual([name, 200]);
    expect((await openApi(product.gateways[0], null).get('/')).status).toBe(401);
    expect((await openApi(product.gateways[0], null).get('/docs')).json).toMatchObject({
      code: 'request.not_found',
      hint: expect.stringContaining('links.docs'),
    });
  });

  it('the index of the data API hides the URL of the complete docs page from a restricted key', async () => {
    const user = await signUp(product.control);
    const make = async (body: object): Promise<string> =>
      (
        await user.control.call('POST', `/api/databases/${user.development.id}/keys`, {
          name: 'narrow',
          ...body,
        })
      ).json.secret;
    for (const key of [await make({ tables: { posts: ['read'] } }), await make({ scopes: ['read'] })]) {
      const { links } = (await openApi(product.gateways[0], key).get('/')).json;
      expect(Object.keys(links)).toEqual(['schema', 'query', 'health', 'openapi']);
    }
  });
});
