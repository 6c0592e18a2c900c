import { beforeAll, describe, expect, it } from 'vitest';
import { writeBlog, type Blog } from '../../support/schemas/blog.mjs';
import { signUp } from '../../support/control.mjs';
import { openApi, send, type HttpResponse, type Api } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';

/** Expects a 422 response in the format that client programs parse: a list of locations and reasons. */
function expectFaults(response: HttpResponse, code: string, loc: (string | number)[]): void {
  expect({ status: response.status, code: response.json?.code }, response.text).toEqual({
    status: 422,
    code,
  });
  expect(response.json.detail, response.text).toEqual(
    expect.arrayContaining([{ loc, msg: expect.stringMatching(/\S/), type: expect.stringMatching(/\S/) }]),
  );
  expect(response.json.request_id).toEqual(expect.any(String));
}

function expectRejection(response: HttpResponse, status: number, code: string): void {
  expect({ status: response.status, code: response.json?.code }, response.text).toEqual({ status, code });
  expect(response.json.detail).toEqual(expect.stringMatching(/\S/));
  expect(response.json.request_id).toEqual(expect.any(String));
}

describe('strict validation', () => {
  const product = readProduct();
  let api: Api;
  let blog: Blog;

  beforeAll(async () => {
    const user = await signUp(product.control);
    api = openApi(product.gateways[0], user.key);
    blog = await writeBlog(api, 'strict');
  });

  it('each error of a request body is reported with its location', async () => {
    expectFaults(await api.post('/posts', { content: 'x', user_id: 1 }), 'body.invalid', ['body', 'title']);
    expectFaults(await api.post('/posts', { title: 'x', content: 'x', user_id: 'one' }), 'body.invalid', [
      'body',
      'user_id',
    ]);
    expectFaults(await api.post('/posts', { title: 'x', content: 'x', user_id: 1.5 }), 'body.invalid', [
      'body',
      'user_id',
    ]);
    expectFaults(await api.post('/posts', { title: 7, content: 'x', user_id: 1 }), 'body.invalid', [
      'body',
      'title',
    ]);
    expectFaults(
      await api.post('/posts', { title: 'x'.repeat(256), content: 'x', user_id: 1 }),
      'body.invalid',
      ['body', 'title'],
    );
    expectFaults(await api.post('/posts', { title: null, content: 'x', user_id: 1 }), 'body.invalid', [
      'body',
      'title',
    ]);
    expectFaults(
      await api.post('/posts', { title: 'x', content: 'x', user_id: 1, published: 'yes' }),
      'body.invalid',
      ['body', 'published'],
    );
    expectFaults(await api.post('/users', { username: 'x', email: 'no address' }), 'body.invalid', [
      'body',
      'email',
    ]);
    expectFaults(await api.put(`/posts/${blog.posts.first.id}`, { title: null }), 'body.invalid', [
      'body',
      'title',
    ]);
    expectFaults(await api.put(`/posts/${blog.posts.first.id}`, { id: 999 }), 'body.invalid', ['body', 'id']);
  });

  it('several errors of a request body are reported in one response', async () => {
    const response = await api.post('/posts', { titel: 'x', user_id: 'one' });
    const locations = response.json.detail.map((fault: { loc: string[] }) => fault.loc.join('.'));
    expect(locations).toEqual(
      expect.arrayContaining(['body.titel', 'body.title', 'body.content', 'body.user_id']),
    );
  });

  it('an unknown field is rejected with the closest name', async () => {
    const response = await api.post('/posts', { titel: 'x', title: 'x', content: 'x', user_id: 1 });
    expectFaults(response, 'body.invalid', ['body', 'titel']);
    expect(response.text).toMatch(/"hint":"[^"]*title/);
  });

  it('a request body that is not an object is rejected', async () => {
    for (const body of ['7', '"x"', 'null', 'true']) {
      const response = await api.call('POST', '/tags', { body });
      expect([400, 422], `${body}: ${response.text}`).toContain(response.status);
    }
    expectRejection(await api.call('POST', '/tags', { body: '{"name": ' }), 400, 'request.malformed_json');
    expectFaults(
      await api.call('POST', '/tags', { body: '', headers: { 'Content-Type': 'application/json' } }),
      'body.invalid',
      ['body'],
    );
  });

  it('unknown and malformed query parameters are rejected', async () => {
    const cases: [string, string][] = [
      ['/posts?nonsense=1', 'nonsense'],
      ['/posts?titel=x', 'titel'],
      ['/posts?title__lik=x', 'title__lik'],
      ['/posts?page=0', 'page'],
      ['/posts?page=x', 'page'],
      ['/posts?limit=-1', 'limit'],
      ['/posts?limit=1001', 'limit'],
      ['/posts?limit=1.5', 'limit'],
      ['/posts?order=sideways', 'order'],
      ['/posts?sort=nonsense', 'sort'],
      ['/posts?include=nonsense', 'include'],
      ['/posts?include=comments.nonsense', 'include'],
      ['/posts?user_id=one', 'user_id'],
      ['/posts?user_id=1.5', 'user_id'],
      ['/posts?published=maybe', 'published'],
      ['/posts?created_after=yesterday', 'created_after'],
      ['/posts?_nonsense=1', '_nonsense'],
      ['/posts?page=1&page=2', 'page'],
      ['/posts?title=a&title=b', 'title'],
    ];
    for (const [path, name] of cases) {
      const response = await api.get(path);
      const code = path.endsWith('limit=1001') ? 'limit.page_rows' : 'params.invalid';
      expect({ path, status: response.status, code: response.json?.code }, response.text).toEqual({
        path,
        status: 422,
        code,
      });
      expect(response.json.detail[0].loc, path).toEqual(['query', name]);
    }
    expect((await api.get('/posts?titel=x')).text).toMatch(/title/);
    expect((await api.get(`/posts/${blog.posts.first.id}?limit=1`)).status).toBe(422);
  });

  it('a record identifier is parsed strictly by its column type', async () => {
    for (const id of ['1abc', '%201', '1.0', 'x', '+1', '01', '1e0']) {
      const response = await api.get(`/posts/${id}`);
      expect({ id, status: response.status, code: response.json?.code }).toEqual({
        id,
        status: 422,
        code: 'key.invalid',
      });
    }
    for (const id of ['99999999999999999999', '999999', '-1'])
      expect((await api.get(`/posts/${id}`)).status, id).toBe(404);
    expectRejection(await api.get('/posts/%zz'), 400, 'request.bad_escape');
    expectRejection(await api.get('/posts?title=%zz'), 400, 'request.bad_escape');
    expectRejection(await api.get('/posts?title=%ff'), 400, 'request.bad_escape');
  });

  it('duplicate keys and foreign key violations get 409 with the name of the key', async () => {
    const duplicate = await api.post('/users', {
      username: blog.users.ann.username,
      email: 'other@example.test',
    });
    expectRejection(duplicate, 409, 'record.duplicate');
    expect(duplicate.text).toMatch(/username/);
    expect(
      (await api.post('/post-tags', { post_id: blog.posts.first.id, tag_id: blog.tags.news.id })).status,
    ).toBe(409);
    const dangling = await api.post('/posts', { title: 'x', content: 'x', user_id: 999_999 });
    expectRejection(dangling, 409, 'record.foreign_key');
    expectRejection(await api.delete(`/users/${blog.users.ann.id}`), 409, 'record.foreign_key');
    expect((await api.get(`/users/${blog.users.ann.id}`)).status).toBe(200);
  });

  it('a request for a missing resource gets 404', async () => {
    const table = await api.get('/widgets');
    expectRejection(table, 404, 'table.not_found');
    expect(table.json.detail).toBe('Entity widgets does not exist');
    expect((await api.get('/post')).text).toMatch(/posts/);
    expect((await api.get('/posts/1/comments')).status).toBe(404);
    expect((await api.get('/__proto__')).status).toBe(404);
    expect((await api.get('/_nonsense')).status).toBe(404);
    expect((await send(product.gateways[0], 'GET', '/nowhere')).status).toBe(404);
  });

  it('a request with a wrong method gets 405 and an Allow header', async () => {
    for (const [method, path] of [
      ['POST', '/posts/1'],
      ['POST', '/health'],
      ['DELETE', '/schema'],
      ['DELETE', '/query'],
    ] as const) {
      const response = await api.call(method, path, method === 'POST' ? { body: {} } : {});
      expectRejection(response, 405, 'request.method_not_allowed');
      expect(String(response.headers.allow), `${method} ${path}`).toMatch(/[A-Z]/);
    }
  });

  it('responses with 413, 414 and 415 say how to correct the request', async () => {
    const form = await api.call('POST', '/tags', {
      body: 'name=x',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expectRejection(form, 415, 'request.unsupported_type');
    expect(form.text).toMatch(/application\/json/);
    expectRejection(await api.get(`/posts?title=${'x'.repeat(17_000)}`), 414, 'request.url_too_long');
    expectRejection(
      await api.post('/posts', { title: 'x', content: 'x'.repeat(8_500_000), user_id: 1 }),
      413,
      'request.body_too_large',
    );
  });

  it('an error is sent as problem details if the Accept header asks for them', async () => {
    const response = await api.get('/posts?nonsense=1', { Accept: 'application/problem+json' });
    expect(response.status).toBe(422);
    expect(String(response.headers['content-type'])).toMatch(/^application\/problem\+json/);
    expect(response.json).toMatchObject({
      status: 422,
      code: 'params.invalid',
      errors: [{ pointer: '/query/nonsense' }],
    });
  });
});

describe('credentials', () => {
  const product = readProduct();
  const base = product.gateways[0];

  it('a data API request without an API key is rejected', async () => {
    const response = await openApi(base, null).get('/posts');
    expectRejection(response, 401, 'auth.missing_key');
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('an invalid API key of any format is rejected', async () => {
    const user = await signUp(product.control);
    const flipped = user.key.slice(0, -1) + (user.key.endsWith('0') ? '1' : '0');
    for (const key of [
      'x',
      'rh_dev_',
      flipped,
      user.key.toUpperCase(),
      `${user.key}0`,
      `rh_prod_${user.key.slice(7)}`,
    ]) {
      expectRejection(await openApi(base, key).get('/posts'), 401, 'auth.invalid_key');
    }
    expectRejection(await openApi(base, 'x').get('/health'), 401, 'auth.invalid_key');
    expect(
      (await send(base, 'GET', '/v1/-/posts', { headers: { Authorization: 'Basic eDp5' } })).status,
    ).toBe(401);
  });

  it('the API key is accepted in three headers, and rejected in a query parameter', async () => {
    const { key } = await signUp(product.control);
    const get = (headers: Record<string, string>, path = '/posts'): Promise<HttpResponse> =>
      send(base, 'GET', `/v1/-${path}`, { headers });
    expect((await get({ 'X-API-Key': key })).status).toBe(200);
    expect((await get({ 'X-Gibson-API-Key': key })).status).toBe(200);
    expect((await get({ 'X-Gibson-API-Key': 'bad', Authorization: `Bearer ${key}` })).status).toBe(401);
    expect((await get({ 'X-Gibson-API-Key': '', Authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await get({}, `/posts?access_token=${key}`)).status).toBe(401);
    expect((await get({ Cookie: `key=${key}` })).status).toBe(401);
  });
});
