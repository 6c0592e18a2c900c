import { describe, expect, it } from 'vitest';
import { openBlog, writeBlog } from '../../support/schemas/blog.mjs';
import { createKey, deploy, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { prepareProbes, probeHiddenColumns } from '../../support/probe-hidden-columns.mjs';
import { waitFor } from '../../support/wait.mjs';

const { product, person: user, blog } = await openBlog('keys');

describe('keys', () => {
  it('the secret of an API key is returned once, and lists omit it', async () => {
    const key = await createKey(user, { name: 'listed' });
    expect(key).toMatchObject({
      name: 'listed',
      secret: expect.stringMatching(/^rh_dev_/),
      tables: null,
      expires_at: null,
      last4: key.secret.slice(-4),
    });
    expect([...(key['scopes'] as string[])].sort()).toEqual(['delete', 'query', 'read', 'schema', 'write']);
    const list = await user.control.call('GET', `/api/databases/${user.development.id}/keys`);
    expect(list.json.items.find((item: { id: string }) => item.id === key.id)).toMatchObject({
      name: 'listed',
      last4: key['last4'],
    });
    expect(list.text).not.toContain(key.secret);
    expect(list.text).not.toMatch(/secret|hash/);
  });

  it('a restricted API key is rejected for other tables and methods', async () => {
    const key = await createKey(user, {
      name: 'narrow',
      tables: { posts: ['read', 'write'], tags: ['read'] },
    });
    for (const base of product.gateways) {
      const narrow = openApi(base, key.secret);
      expect((await narrow.get('/posts')).json).toHaveLength(3);
      expect((await narrow.get(`/tags/${blog.tags.news.id}`)).status).toBe(200);

      for (const path of ['/users', '/users/1', '/comments', '/post-tags', '/post_tags']) {
        const response = await narrow.get(path);
        expect({ path, status: response.status, code: response.json.code }).toEqual({
          path,
          status: 404,
          code: 'table.not_found',
        });
        expect(response.json.detail).toBe(`Entity ${path.split('/')[1] ?? ''} does not exist`);
        expect(response.json.hint ?? '').not.toMatch(/users|comments|post.tags/);
      }
      const unknown = await narrow.get('/widgets');
      expect(Object.keys((await narrow.get('/users')).json).sort()).toEqual(Object.keys(unknown.json).sort());

      const forbidden = await narrow.post('/tags', { name: 'no' });
      expect({ status: forbidden.status, code: forbidden.json.code }).toEqual({
        status: 403,
        code: 'auth.scope',
      });
      expect(forbidden.text).toMatch(/write/);
      expect(forbidden.text).toMatch(/tags/);
      expect((await narrow.delete(`/posts/${blog.posts.first.id}`)).status).toBe(403);

      for (const include of ['user', 'comments', 'tags', 'comments.user']) {
        const response = await narrow.get(`/posts?include=${include}`);
        expect({ include, status: response.status }, response.text).toEqual({ include, status: 422 });
      }
      const dangling = await narrow.post('/posts', { title: 'x', content: 'x', user_id: 999_999 });
      expect(dangling.status).toBe(409);
      expect(dangling.json.detail + (dangling.json.hint ?? '')).not.toMatch(/users/);

      for (const path of ['/', '/schema', '/schema?format=sql', '/openapi.json']) {
        const response = await narrow.get(path);
        expect(response.status, path).toBe(200);
        expect(response.text, path).toMatch(/posts/);
        expect(response.text, path).not.toMatch(/\busers\b|comments|post[-_]tags/);
      }
    }
  });

  it('a restricted API key can query only its own tables', async () => {
    const key = await createKey(user, { name: 'narrow query', tables: { posts: ['read'] } });
    const narrow = openApi(product.gateways[0], key.secret);
    expect((await narrow.query('SELECT COUNT(*) AS n FROM posts')).json).toEqual([{ n: 3 }]);
    for (const statement of [
      'SELECT * FROM users',
      'SELECT * FROM USERS',
      'SELECT * FROM `users`',
      'SELECT p.id FROM posts p JOIN users u ON u.id = p.user_id',
      'SELECT (SELECT email FROM users LIMIT 1) AS e',
      'WITH users AS (SELECT * FROM users) SELECT * FROM users',
      'WITH u AS (SELECT * FROM users) SELECT * FROM u',
      'SELECT id FROM posts UNION SELECT id FROM users',
      'SELECT * FROM posts, users',
      'DESCRIBE users',
      'SHOW CREATE TABLE users',
      '(TABLE users)',
    ]) {
      const response = await narrow.query(statement);
      expect([400, 403, 422], `${statement}: ${response.text}`).toContain(response.status);
      expect(response.text).not.toMatch(/@example\.test|ann keys/);
    }
    expect((await narrow.query('SHOW TABLES')).text).not.toMatch(/users|comments/);
    // A table that the key may not use does not exist for it. SQL may therefore use the same name for a
    // common table expression.
    expect((await narrow.query('WITH users AS (SELECT 7 AS id) SELECT * FROM users')).json).toEqual([
      { id: 7 },
    ]);
  });

  it('a new table is available only to unrestricted API keys', async () => {
    const key = await createKey(user, { name: 'narrow then', tables: { posts: ['read'] } });
    await deploy(user, 'CREATE TABLE notes (id int AUTO_INCREMENT PRIMARY KEY, body text NOT NULL)');
    for (const base of product.gateways) {
      await waitFor(
        'the new table is served',
        async () => (await openApi(base, user.key).get('/notes')).status === 200,
      );
      expect((await openApi(base, key.secret).get('/notes')).status).toBe(404);
    }
    expect(
      (await openApi(product.gateways[0], key.secret).query('SELECT * FROM notes')).status,
    ).toBeGreaterThanOrEqual(400);
  });

  it('a hidden column disappears from every response at once', async () => {
    const owner = await signUp(product.control);
    const before = openApi(product.gateways[0], owner.key);
    await writeBlog(before, 'hidden');
    const change = await owner.control.call('PATCH', `/api/databases/${owner.development.id}`, {
      settings: { hidden_columns: { users: ['email'] } },
    });
    expect(change.status, change.text).toBe(200);
    for (const base of product.gateways) {
      const hidden = openApi(base, owner.key);
      await waitFor('the column is hidden', async () => !(await hidden.get('/users')).text.includes('email'));
      expect((await hidden.get('/users')).json).toHaveLength(2);
      expect((await hidden.get('/posts?include=user')).text).not.toMatch(/@example\.test/);
      for (const path of ['/users?email=x', '/users?email__like=%25', '/users?sort=email'])
        expect((await hidden.get(path)).status, path).toBe(422);
      for (const path of ['/schema', '/openapi.json', '/schema?format=sql'])
        expect((await hidden.get(path)).text, path).not.toMatch(/\bemail\b/);
      await waitFor(
        'the query account no longer reads it',
        async () => (await hidden.query('SELECT email FROM users')).status >= 400,
      );
      expect((await hidden.query('SELECT * FROM users')).text).not.toMatch(/@example\.test/);
      expect((await hidden.query('SELECT u.email AS e FROM users u')).text).not.toMatch(/@example\.test/);
    }
    const written = await before.post('/users', { username: 'carl', email: 'carl@example.test' });
    expect(written.status, written.text).toBe(201);
    expect(written.text).not.toMatch(/example\.test/);
  });

  it('no request fails or returns a hidden column while columns are hidden and shown', async () => {
    const owner = await signUp(product.control, { starter: 'empty' });
    await prepareProbes(owner, product.gateways[0]);
    const { faults, counts } = await probeHiddenColumns(owner, product.gateways, { rounds: 1 });
    expect(faults).toEqual([]);
    expect(Object.keys(counts).length).toBeGreaterThan(20);
  });

  it('an API key stops working when it expires', async () => {
    const key = await createKey(user, {
      name: 'brief',
      expires_at: new Date(Date.now() + 1_500).toISOString(),
    });
    for (const base of product.gateways) {
      const rejected = await waitFor('the key has expired', async () => {
        const response = await openApi(base, key.secret).get('/posts?limit=1');
        return response.status === 200 ? undefined : response;
      });
      expect({ status: rejected.status, code: rejected.json.code }).toEqual({
        status: 401,
        code: 'auth.expired_key',
      });
    }
  });

  it('every gateway rejects a revoked API key', async () => {
    const key = await createKey(user, { name: 'doomed' });
    for (const base of product.gateways)
      expect((await openApi(base, key.secret).get('/posts?limit=1')).status).toBe(200);
    const revoked = await user.control.call('DELETE', `/api/keys/${key.id}`);
    expect([200, 204], revoked.text).toContain(revoked.status);
    for (const base of product.gateways) {
      const rejected = await waitFor('the key is refused', async () => {
        const response = await openApi(base, key.secret).get('/posts?limit=1');
        return response.status === 200 ? undefined : response;
      });
      expect({ status: rejected.status, code: rejected.json.code }).toEqual({
        status: 401,
        code: 'auth.invalid_key',
      });
      for (let again = 0; again < 5; again += 1)
        expect((await openApi(base, key.secret).get('/posts?limit=1')).status).toBe(401);
      expect((await openApi(base, user.key).get('/posts?limit=1')).status).toBe(200);
    }
  });

  it('an API key with a list of origins is rejected for other origins', async () => {
    const key = await createKey(user, { name: 'from one site', origins: ['https://app.example'] });
    const bound = openApi(product.gateways[0], key.secret);
    expect((await bound.get('/posts', { Origin: 'https://app.example' })).status).toBe(200);
    const rejected = await bound.get('/posts', { Origin: 'https://evil.example' });
    expect({ status: rejected.status, code: rejected.json.code }).toEqual({
      status: 403,
      code: 'auth.origin_refused',
    });
  });

  it('an API key is rejected for requests outside its scopes', async () => {
    const key = await createKey(user, { name: 'reader', scopes: ['read'] });
    const reader = openApi(product.gateways[0], key.secret);
    expect((await reader.get('/posts')).status).toBe(200);
    for (const response of [
      await reader.post('/tags', { name: 'no' }),
      await reader.put(`/tags/${blog.tags.news.id}`, { name: 'no' }),
      await reader.delete(`/tags/${blog.tags.news.id}`),
      await reader.get('/schema'),
    ]) {
      expect({ status: response.status, code: response.json.code }, response.text).toEqual({
        status: 403,
        code: 'auth.scope',
      });
    }
    const bad = await user.control.call('POST', `/api/databases/${user.development.id}/keys`, {
      name: 'x',
      scopes: ['everything'],
    });
    expect(bad.status).toBe(422);
  });
});
