import { describe, expect, it } from 'vitest';
import { openBlog } from '../../support/schemas/blog.mjs';
import { createKey, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';

const { product, person: user, api, blog } = await openBlog('grammar');

describe('groups, patterns, plans and versions of lists', () => {
  it('groups by columns, relationships and calendar units return counts and other aggregates', async () => {
    const year = new Date().getUTCFullYear();
    const groups = await api.get(
      '/posts?_group=author:user.username,published&_aggregate=n:count,last:max:id&sort=author,published',
    );
    expect(
      [
        groups.status,
        groups.json.map((row: { author: string; published: boolean; n: number }) => [
          row.author.split(' ')[0],
          row.published,
          row.n,
        ]),
      ],
      groups.text,
    ).toEqual([
      200,
      [
        ['ann', false, 1],
        ['ann', true, 1],
        ['bob', true, 1],
      ],
    ]);
    expect((await api.get('/comments?_group=created_at:year&_aggregate=count')).json).toEqual([
      { created_at_year: year, count: 3 },
    ]);
    expect(
      (await api.get('/comments?_group=post_id&_aggregate=count&_having=%7B%22count__gt%22:1%7D')).json,
    ).toEqual([{ post_id: blog.posts.first.id, count: 2 }]);
    const csv = await api.get('/posts?_group=published&_aggregate=count', { Accept: 'text/csv' });
    expect(csv.text).toBe('published,count\r\nfalse,1\r\ntrue,2\r\n');
  });

  it('regular expressions work only while the owner has enabled them', async () => {
    const find = () => api.get('/posts?title__regex=^(First|Third)&_select=id&sort=id');
    expect((await find()).json.detail[0].type).toBe('not_enabled');
    const change = (regex_enabled: boolean) =>
      user.control.call('PATCH', `/api/databases/${user.development.id}`, { settings: { regex_enabled } });
    expect((await change(true)).status).toBe(200);
    await waitFor('the pattern is taken', async () => (await find()).status === 200);
    expect((await find()).json).toEqual([{ id: blog.posts.first.id }, { id: blog.posts.third.id }]);
    const other = openApi(product.gateways[0], (await signUp(product.control)).key);
    expect((await other.get('/posts?title__regex=^F')).json.detail[0].type).toBe('not_enabled');
    expect((await change(false)).status).toBe(200);
    await waitFor('the pattern is refused', async () => (await find()).status === 422);
  });

  it('the plan of a list is shown to keys with the query scope', async () => {
    const explained = await api.get('/posts?user_id=1&_explain=true');
    expect([explained.status, explained.json.statements[0].plan[0].table], explained.text).toEqual([
      200,
      'posts',
    ]);
    const reader = openApi(
      product.gateways[0],
      (await createKey(user, { name: 'reader', scopes: ['read'] })).secret,
    );
    expect([
      (await reader.get('/posts?limit=1')).status,
      (await reader.get('/posts?_explain=true')).json.code,
    ]).toEqual([200, 'auth.scope']);
  });

  it('a write accepts the record version that a list returned', async () => {
    const list = await api.get('/tags?_select=id,_etag&limit=1');
    const [tag] = list.json;
    expect(
      (
        await api.call('PATCH', `/tags/${tag.id}`, {
          body: { description: 'seen' },
          headers: { 'If-Match': tag._etag },
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await api.call('PATCH', `/tags/${tag.id}`, {
          body: { description: 'again' },
          headers: { 'If-Match': tag._etag },
        })
      ).status,
    ).toBe(412);
  });
});
