import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { openBlog } from '../../support/schemas/blog.mjs';
import { send } from '../../support/http.mjs';

const { product, person: user, api, blog } = await openBlog('described');

describe('descriptions of a project', () => {
  it('/schema returns the tables, columns, keys and relationships of a database', async () => {
    const { json } = await api.get('/schema');
    expect(json).toMatchObject({
      project: expect.anything(),
      database: expect.anything(),
      dialect: expect.any(String),
      version: expect.any(Number),
    });
    expect(json.tables.map((table: { name: string }) => table.name).sort()).toEqual([
      'comments',
      'post_tags',
      'posts',
      'tags',
      'users',
    ]);
    const posts = json.tables.find((table: { name: string }) => table.name === 'posts');
    expect(posts).toMatchObject({ path: 'posts', kind: 'table', primary_key: ['id'] });
    const column = (name: string): unknown =>
      posts.columns.find((entry: { name: string }) => entry.name === name);
    expect(posts.columns.map((entry: { name: string }) => entry.name)).toEqual([
      'id',
      'title',
      'content',
      'user_id',
      'published',
      'created_at',
    ]);
    expect(column('id')).toMatchObject({ nullable: false, auto_increment: true });
    expect(column('title')).toMatchObject({ nullable: false, max_length: 255 });
    expect(column('user_id')).toMatchObject({ references: { table: 'users', column: 'id' } });
    expect(posts.relationships.map((entry: { name: string }) => entry.name)).toEqual(
      expect.arrayContaining(['user', 'comments', 'tags']),
    );
    const users = json.tables.find((table: { name: string }) => table.name === 'users');
    expect(users.columns.find((entry: { name: string }) => entry.name === 'email')).toMatchObject({
      unique: true,
      format: 'email',
      max_length: 255,
    });
    expect(json.tables.find((table: { name: string }) => table.name === 'post_tags')).toMatchObject({
      path: 'post-tags',
      primary_key: ['post_id', 'tag_id'],
    });
    expect(json.sql).toMatch(/CREATE TABLE `posts`/);
    expect(json.sql).not.toMatch(/DEFINER/i);
    const text = await api.get('/schema?format=sql');
    expect(text.headers['content-type']).toMatch(/^text\/plain/);
    expect(text.text).toMatch(/CREATE TABLE `posts`/);
  });

  it('a validator accepts the OpenAPI 3.1 document', async () => {
    const { json, headers } = await api.get('/openapi.json');
    expect(json.openapi).toMatch(/^3\.1\./);
    expect(headers.etag).toBeDefined();
    const result = await new Validator().validate(structuredClone(json));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(Object.keys(json.paths).some((path) => path.endsWith('/post-tags/{id}'))).toBe(true);
  });

  it('the OpenAPI document is served at its unguessable URL, with and without /v1', async () => {
    const slug = user.development.docs_slug;
    expect(slug.length).toBeGreaterThanOrEqual(16);
    for (const path of [`/v1/-/openapi/${slug}`, `/-/openapi/${slug}`]) {
      const response = await send(product.gateways[0], 'GET', path);
      expect(response.status, path).toBe(200);
      expect(Object.keys(response.json.paths).length).toBeGreaterThan(5);
    }
    expect((await send(product.gateways[0], 'GET', `/v1/-/openapi/${slug.slice(1)}x`)).status).toBe(404);
  });

  it('data API responses match the schemas of the OpenAPI document', async () => {
    const document = (await api.get('/openapi.json')).json;
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'https://example.test/api', ...document });
    const prefix =
      Object.keys(document.paths)
        .find((path) => path.endsWith('/posts'))
        ?.slice(0, -'/posts'.length) ?? '';
    const pointer = (path: string, method: string, status: string): string => {
      const shared: unknown = document.paths[prefix + path][method].responses[status].$ref;
      const response =
        typeof shared === 'string'
          ? shared.slice(2).split('/')
          : ['paths', prefix + path, method, 'responses', status].map((part) =>
              encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
            );
      return [...response, 'content', 'application~1json', 'schema'].join('/');
    };
    const cases: [string, string, string, unknown][] = [
      ['/posts', 'get', '200', (await api.get('/posts')).json],
      ['/posts', 'get', '200', (await api.get('/posts?include=user,comments,tags')).json],
      ['/posts/{id}', 'get', '200', (await api.get(`/posts/${blog.posts.first.id}`)).json],
      [
        '/posts',
        'post',
        '201',
        (await api.post('/posts', { title: 'x', content: 'x', user_id: blog.users.ann.id })).json,
      ],
      ['/posts', 'post', '422', (await api.post('/posts', {})).json],
      ['/posts/{id}', 'put', '200', (await api.put(`/posts/${blog.posts.second.id}`, { title: 'y' })).json],
      ['/users', 'get', '422', (await api.get('/users?nonsense=1')).json],
      ['/post-tags', 'get', '200', (await api.get('/post-tags')).json],
    ];
    for (const [path, method, status, value] of cases) {
      const check = ajv.compile({ $ref: `https://example.test/api#/${pointer(path, method, status)}` });
      expect(check(value), `${method} ${path} ${status}: ${JSON.stringify(check.errors)}`).toBe(true);
    }
    const create = ajv.compile({ $ref: `https://example.test/api#/${pointer('/posts', 'post', '201')}` });
    expect(create({ id: 'one' }), 'the schema must be able to refuse').toBe(false);
  });

  it('the interactive docs send no request to another host', async () => {
    const response = await send(product.gateways[0], 'GET', `/v1/-/docs/${user.development.docs_slug}`);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toMatch(/^text\/html/);
    expect(response.headers['content-security-policy']).toMatch(/default-src 'none'|default-src 'self'/);
    expect(`${String(response.headers['x-robots-tag'])} ${response.text}`).toMatch(/noindex/);
    expect(`${String(response.headers['referrer-policy'])} ${response.text}`).toMatch(/no-referrer/);
    expect(response.text).not.toMatch(/(src|href)=["'](https?:)?\/\//);
    expect((await send(product.gateways[0], 'GET', '/v1/-/docs/nonsense')).status).toBe(404);
  });

  it('the control API serves its own OpenAPI document', async () => {
    const { json, status } = await send(product.control, 'GET', '/api/openapi.json');
    expect(status).toBe(200);
    const result = await new Validator().validate(structuredClone(json));
    expect(result.errors ?? []).toEqual([]);
    for (const path of ['/api/auth/signup', '/api/projects/{id}/deploy', '/api/databases/{id}/keys'])
      expect(Object.keys(json.paths)).toContain(path);
  });
});
