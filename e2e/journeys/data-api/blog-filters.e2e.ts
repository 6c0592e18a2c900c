import { describe, expect, it } from 'vitest';
import { openBlog } from '../../support/schemas/blog.mjs';
import { signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';

const { product, api, blog } = await openBlog('filters');

describe('filters of the data API', () => {
  /** Returns the titles (or names) of a list, or the response text if it is not a list. */
  async function names(path: string): Promise<unknown> {
    const response = await api.get(path);
    if (response.status !== 200) return `${response.status} ${response.text}`;
    return (response.json as Record<string, string>[]).map(
      (row) => String(row['title'] ?? row['username'] ?? row['name'] ?? row['content']).split(' ')[0],
    );
  }

  const tree = (value: unknown): string => `_filter=${encodeURIComponent(JSON.stringify(value))}`;

  it('filters follow relationships in both directions and through junction tables', async () => {
    expect(await names('/posts?user.username__like=bob%25')).toEqual(['Third']);
    expect(await names('/users?posts.published=true')).toEqual(['ann', 'bob']);
    expect(await names('/users?posts.published=false')).toEqual(['ann']);
    expect(await names('/posts?tags.name__startswith=howto')).toEqual(['First']);
    expect(await names('/tags?posts.user.username__startswith=bob')).toEqual(['news']);
    expect(await names('/posts?comments__exists=false')).toEqual(['Second']);
    expect(await names('/posts?comments.user.posts.comments__exists=true&sort=-user.username')).toEqual([
      'Third',
      'First',
    ]);
    expect(
      (await api.get('/posts?comments__exists=true&_count=exact&limit=1')).headers['x-total-count'],
    ).toBe('2');
  });

  it('filters can be combined with and, or, not, some, none, every and count', async () => {
    const { first, third } = blog.posts;
    expect(
      await names(`/posts?${tree({ or: [{ id: first.id }, { 'user.username__startswith': 'bob' }] })}`),
    ).toEqual(['First', 'Third']);
    expect(await names(`/posts?${tree({ comments: { count__gte: 2 } })}`)).toEqual(['First']);
    expect(await names(`/posts?${tree({ comments: { count: 0 } })}`)).toEqual(['Second']);
    expect(await names(`/posts?${tree({ comments: { every: { user_id: blog.users.bob.id } } })}`)).toEqual([
      'Second',
      'Third',
    ]);
    expect(
      await names(
        `/posts?${tree({ comments: { none: { user_id: blog.users.ann.id } }, not: { id: third.id } })}`,
      ),
    ).toEqual(['Second']);
    expect(
      await names(
        `/posts?${tree({ tags: { some: { name__startswith: 'news' }, none: { name__startswith: 'howto' } } })}`,
      ),
    ).toEqual(['Third']);
    expect(await names(`/users?${tree({ bio: null })}`)).toEqual(['bob']);
    expect(await names(`/users?${tree({ bio__ne: null })}`)).toEqual(['ann']);
    expect(await names(`/users?${tree({ posts: { published: true, count: 1 } })}`)).toEqual(['ann', 'bob']);
  });

  it('the `where` parameter selects records by an SQL-like condition', async () => {
    const where = (text: string): Promise<unknown> => names(`/posts?where=${encodeURIComponent(text)}`);
    expect(await where("user.username LIKE 'bob%' OR title LIKE 'Second%'")).toEqual(['Second', 'Third']);
    expect(await where("published.eq.true AND NOT title LIKE 'First%'")).toEqual(['Third']);
    expect(await where('created_at <= NOW() AND id IS NOT NULL AND published = false')).toEqual(['Second']);
    expect(await where(`id IN (${blog.posts.first.id}, 0) AND id BETWEEN 0 AND 999999`)).toEqual(['First']);
    expect(String(await where("1=1 OR title='x'"))).toContain('422');
  });

  it('POST /_search takes filters in its body and returns distinct rows', async () => {
    const found = await api.post('/_search/posts', {
      _filter: { 'user.username__startswith': 'bob' },
      _select: ['id'],
      limit: 5,
    });
    expect([found.status, found.json]).toEqual([200, [{ id: blog.posts.third.id }]]);
    const distinct = await api.get('/posts?_distinct=published&_count=exact');
    expect([distinct.json, distinct.headers['x-total-count']]).toEqual([
      [{ published: false }, { published: true }],
      '2',
    ]);
  });

  it('a filtered list returns an estimated count on request', async () => {
    const whole = await api.get('/posts?_count=estimated&limit=1');
    expect([whole.status, whole.headers['x-total-count']]).toEqual([200, expect.stringMatching(/^\d+$/)]);
    expect((await api.get('/posts?_count=estimated&published=true')).headers['x-total-count']).toBe('2');
  });

  it('included records can be filtered, sorted and limited', async () => {
    const { first } = blog.posts;
    const contents = async (query: string): Promise<unknown> => {
      const response = await api.get(`/posts/${first.id}?include=comments&${query}`);
      return response.status === 200
        ? response.json.comments.map((comment: { content: string }) => comment.content.split(' ')[0])
        : response.text;
    };
    expect(await contents('include[comments][sort]=-id')).toEqual(['Really', 'Good']);
    expect(await contents('include[comments][limit]=1&include[comments][sort]=-id')).toEqual(['Really']);
    expect(await contents('include[comments][user.username__startswith]=bob')).toEqual(['Good']);
    const list = await api.get(
      '/posts?include=comments,user&include[comments][limit]=1&include[comments][_select]=content&include[user][username__startswith]=ann',
    );
    expect(list.headers['x-truncated']).toBe('comments');
    expect(
      list.json.map((post: { comments: unknown[]; user: { username: string } | null }) => [
        post.comments.length,
        post.user?.username,
      ]),
    ).toEqual([
      [1, 'ann filters'],
      [0, 'ann filters'],
      [1, undefined],
    ]);
  });

  it('a cursor leads to the next and the previous page in any sort order', async () => {
    for (const sort of [
      '',
      '&sort=-published,title',
      '&sort=user.bio',
      '&sort=-user.bio,-id',
      '&sort=created_at',
    ]) {
      const whole = (await api.get(`/posts?_select=id${sort}`)).json;
      const steps: unknown[] = [];
      let address = `/posts?_select=id&limit=1&_cursor=${sort}`;
      let back = '';
      for (let step = 0; step < 3; step += 1) {
        const response = await api.get(address);
        expect([sort, response.status]).toEqual([sort, 200]);
        steps.push(...response.json);
        expect(response.headers['x-has-more']).toBe(String(step < 2));
        expect(response.headers['x-next-cursor'] === undefined).toBe(step === 2);
        address = /<\/v1\/-([^>]+)>; rel="next"/.exec(String(response.headers.link))?.[1] ?? '';
        back = /<\/v1\/-([^>]+)>; rel="prev"/.exec(String(response.headers.link))?.[1] ?? '';
      }
      expect([sort, steps]).toEqual([sort, whole]);
      const before = await api.get(back.replace('limit=1', 'limit=2'));
      expect([sort, before.json]).toEqual([sort, whole.slice(0, 2)]);
    }
    const other = openApi(product.gateways[0], (await signUp(product.control)).key);
    const next = (await api.get('/posts?_cursor=&limit=1')).headers['x-next-cursor'];
    expect((await api.get(`/posts?_cursor=${String(next)}&limit=1`)).status).toBe(200);
    expect((await other.get(`/posts?_cursor=${String(next)}&limit=1`)).status).toBe(422);
  });

  it('a filter with an unknown column or relationship is rejected with 422', async () => {
    for (const query of [
      'user.nope=1',
      'nope.id=1',
      tree({ user: { nope: 1 } }),
      tree({ or: [] }),
      '_filter=%7B',
    ]) {
      const response = await api.get(`/posts?${query}`);
      expect([query, response.status, response.json.code]).toEqual([query, 422, 'params.invalid']);
    }
  });
});
