import { describe, expect, it } from 'vitest';
import { create, openBlog } from '../../support/schemas/blog.mjs';
import { openApi } from '../../support/http.mjs';

const { product, person: testUser, api, blog } = await openBlog('journey');

describe('the example schema over HTTP', () => {
  it('the API key of the sign-up response works at once', async () => {
    expect(testUser.key).toMatch(/^rh_dev_[0-9A-Za-z]{38}$/);
    const health = await api.get('/health');
    expect(health.status).toBe(200);
    expect(health.json).toMatchObject({ status: 'ok', schema_version: expect.any(Number) });
  });

  it('a created record has its id, its defaults and a Location', async () => {
    const response = await api.post('/posts', {
      title: 'Hello',
      content: 'World',
      user_id: blog.users.ann.id,
    });
    expect(response.status).toBe(201);
    expect(response.json).toEqual({
      id: expect.any(Number),
      title: 'Hello',
      content: 'World',
      user_id: blog.users.ann.id,
      published: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(response.headers.etag).toMatch(/^"[^"]+"$/);
    const location = String(response.headers.location);
    expect(location).toMatch(new RegExp(`/v1/-/posts/${response.json.id}$`));
    const read = await api.get(`/posts/${response.json.id}`);
    expect(read.status).toBe(200);
    expect(read.json).toEqual(response.json);
    expect((await api.delete(`/posts/${response.json.id}`)).status).toBe(204);
  });

  it('a record is created with the id that the request names', async () => {
    const tag = await create(api, '/tags', { id: 9000, name: 'numbered' });
    expect(tag).toEqual({ id: 9000, name: 'numbered', description: null });
    expect((await api.delete('/tags/9000')).status).toBe(204);
  });

  it('an update keeps the values of columns that it omits', async () => {
    const post = await create(api, '/posts', {
      title: 'Before',
      content: 'Kept',
      user_id: blog.users.bob.id,
    });
    const updated = await api.put(`/posts/${post.id}`, { title: 'After', published: true });
    expect(updated.status).toBe(200);
    expect(updated.json).toEqual({ ...post, title: 'After', published: true });
    const nothing = await api.put(`/posts/${post.id}`, {});
    expect(nothing.status).toBe(200);
    expect(nothing.json).toEqual(updated.json);
    await api.delete(`/posts/${post.id}`);
  });

  it('deleting a record returns 204, and deleting it again returns 404', async () => {
    const tag = await create(api, '/tags', { name: 'short-lived' });
    const deletedResponse = await api.delete(`/tags/${tag.id}`);
    expect(deletedResponse.status).toBe(204);
    expect(deletedResponse.text).toBe('');
    for (const secondResponse of [
      await api.delete(`/tags/${tag.id}`),
      await api.get(`/tags/${tag.id}`),
      await api.put(`/tags/${tag.id}`, { name: 'x' }),
    ]) {
      expect(secondResponse.status).toBe(404);
      expect(secondResponse.json.code).toBe('record.not_found');
    }
  });

  it('a list and a single record can include the user, comments and tags', async () => {
    const list = await api.get('/posts?include=user,comments,tags&sort=id');
    expect(list.status).toBe(200);
    expect(Array.isArray(list.json)).toBe(true);
    const first = list.json.find((post: { id: number }) => post.id === blog.posts.first.id);
    expect(first).toEqual({
      ...blog.posts.first,
      user: blog.users.ann,
      comments: [blog.comments.praise, blog.comments.doubt],
      tags: expect.arrayContaining([blog.tags.news, blog.tags.howto]),
    });
    expect(first.tags).toHaveLength(2);
    const second = list.json.find((post: { id: number }) => post.id === blog.posts.second.id);
    expect(second).toMatchObject({ comments: [], tags: [] });
    const single = await api.get(`/posts/${blog.posts.first.id}?include=user,comments,tags`);
    expect(single.json).toEqual(first);
  });

  it('nested and inverse relationships can be included', async () => {
    const nested = await api.get(`/posts/${blog.posts.first.id}?include=comments.user`);
    expect(nested.json.comments.map((comment: { user: unknown }) => comment.user)).toEqual([
      blog.users.bob,
      blog.users.ann,
    ]);
    const user = await api.get(`/users/${blog.users.ann.id}?include=posts.tags,comments`);
    expect(user.json.comments).toEqual([blog.comments.doubt]);
    expect(user.json.posts.map((post: { title: string }) => post.title)).toEqual([
      'First journey',
      'Second journey',
    ]);
    expect(user.json.posts[0].tags).toHaveLength(2);
    const tag = await api.get(`/tags/${blog.tags.news.id}?include=posts`);
    expect(tag.json.posts.map((post: { id: number }) => post.id)).toEqual([
      blog.posts.first.id,
      blog.posts.third.id,
    ]);
  });

  it('records are filtered by equality and by pattern', async () => {
    const published = await api.get('/posts?published=true');
    expect(published.json.map((post: { id: number }) => post.id)).toEqual([
      blog.posts.first.id,
      blog.posts.third.id,
    ]);
    const drafts = await api.get('/posts?published=false&title=Second%20journey');
    expect(drafts.json.map((post: { id: number }) => post.id)).toEqual([blog.posts.second.id]);
    const like = await api.get('/posts?title__like=%25ir%25');
    expect(like.json.map((post: { title: string }) => post.title)).toEqual([
      'First journey',
      'Third journey',
    ]);
    const none = await api.get('/posts?title__like=zzz%25');
    expect(none.json).toEqual([]);
    const both = await api.get(`/comments?post_id=${blog.posts.first.id}&user_id=${blog.users.bob.id}`);
    expect(both.json).toEqual([blog.comments.praise]);
  });

  it('a list is sorted by the `sort` parameter', async () => {
    const titles = async (path: string): Promise<string[]> =>
      ((await api.get(path)).json as { title: string }[]).map((post) => post.title);
    expect(await titles('/posts?sort=title&order=desc')).toEqual([
      'Third journey',
      'Second journey',
      'First journey',
    ]);
    expect(await titles('/posts?sort=title&order=asc')).toEqual([
      'First journey',
      'Second journey',
      'Third journey',
    ]);
    expect(await titles('/posts?sort=title')).toEqual(['First journey', 'Second journey', 'Third journey']);
    expect(await titles('/posts?order=desc')).toEqual(['Third journey', 'Second journey', 'First journey']);
  });

  it('a page of a list links to the next and the previous page', async () => {
    const first = await api.get('/posts?limit=2&page=1&sort=id');
    expect(first.json.map((post: { id: number }) => post.id)).toEqual([
      blog.posts.first.id,
      blog.posts.second.id,
    ]);
    expect(first.headers['x-has-more']).toBe('true');
    const next = /<([^>]+)>;\s*rel="?next"?/.exec(String(first.headers.link))?.[1];
    expect(next).toMatch(/^[/?]/);
    const second = await api.get('/posts?limit=2&page=2&sort=id');
    expect(second.json.map((post: { id: number }) => post.id)).toEqual([blog.posts.third.id]);
    expect(second.headers['x-has-more']).toBe('false');
    expect(String(second.headers.link)).toMatch(/rel="?prev"?/);
    expect(String(second.headers.link)).not.toMatch(/rel="?next"?/);
    expect((await api.get('/posts?limit=2&page=9')).json).toEqual([]);
    expect((await api.get('/posts?limit=0')).json).toEqual([]);
    expect((await api.get('/posts?page=1')).json).toHaveLength(3);
  });

  it('a list can be filtered by a minimum creation time', async () => {
    expect((await api.get('/posts?created_after=2000-01-01')).json).toHaveLength(3);
    expect((await api.get('/posts?created_after=2999-01-01')).json).toEqual([]);
    expect((await api.get('/posts?created_after=2000-01-01T00:00:00Z')).json).toHaveLength(3);
    const noColumn = await api.get('/tags?created_after=2000-01-01');
    expect(noColumn.status).toBe(422);
    expect(noColumn.json.code).toBe('params.invalid');
  });

  it('the URL of a record with a composite key contains the values in key order', async () => {
    const path = `/post-tags/${blog.posts.first.id},${blog.tags.news.id}`;
    expect((await api.get(path)).json).toEqual({ post_id: blog.posts.first.id, tag_id: blog.tags.news.id });
    const included = await api.get(`${path}?include=post,tag`);
    expect(included.json).toMatchObject({
      post: { id: blog.posts.first.id },
      tag: { id: blog.tags.news.id },
    });
    expect((await api.get(`/post-tags/${blog.posts.second.id},${blog.tags.news.id}`)).status).toBe(404);
    for (const bad of [`${blog.posts.first.id}`, `${blog.posts.first.id},`, `1,2,3`, `a,b`, '1%2C2']) {
      const response = await api.get(`/post-tags/${bad}`);
      expect(response.status, bad).toBe(422);
      expect(response.json.code, bad).toBe('key.invalid');
    }
    const link = await create(api, '/post-tags', {
      post_id: blog.posts.second.id,
      tag_id: blog.tags.howto.id,
    });
    expect((await api.delete(`/post-tags/${link.post_id},${link.tag_id}`)).status).toBe(204);
  });

  it("a table's path is served with hyphens and with underscores, and in no other spelling", async () => {
    expect((await api.get('/post-tags')).json).toHaveLength(3);
    expect((await api.get('/post_tags')).json).toHaveLength(3);
    expect((await api.get('/Post-Tags')).status).toBe(404);
    expect((await api.get('/posts/')).status).toBe(404);
  });

  it('both gateways return the same records of a database', async () => {
    const other = openApi(product.gateways[1], testUser.key);
    expect((await other.get('/posts?include=user,comments,tags&sort=id')).text).toBe(
      (await api.get('/posts?include=user,comments,tags&sort=id')).text,
    );
  });

  it('the two databases of a project are separate', async () => {
    const response = await testUser.control.call('POST', `/api/databases/${testUser.production.id}/keys`, {
      name: 'production',
    });
    expect(response.json.secret).toMatch(/^rh_prod_/);
    const production = openApi(product.gateways[0], response.json.secret);
    expect((await production.get('/posts')).json).toEqual([]);
  });
});
