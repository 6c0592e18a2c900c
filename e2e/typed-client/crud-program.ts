/**
 * A program as a user would write it: openapi-fetch with the types that openapi-typescript generates from the
 * database's own document. The journey creates them as `./api.js`. The program is compiled with every strict
 * option, and prints its results.
 */
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type Post = components['schemas']['Post'];
type Tag = components['schemas']['Tag'];

const [, , baseUrl = '', key = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

/** Returns the one record of a create, whose response is a record or an array. */
function single<T>(made: T | T[] | undefined): T {
  if (made === undefined || Array.isArray(made)) throw new Error('one record was expected');
  return made;
}

async function run(): Promise<Record<string, unknown>> {
  const user = single(
    (await client.POST('/v1/-/users', { body: { username: 'typed', email: 'typed@example.test' } })).data,
  );
  const created = await client.POST('/v1/-/posts', {
    body: { title: 'Typed', content: 'Strictly.', user_id: user.id, published: true },
    headers: { 'Idempotency-Key': 'typed-1' },
  });
  const post: Post = single(created.data);
  const many = await client.POST('/v1/-/tags', {
    body: [{ name: 'first' }, { name: 'second', description: null }],
  });
  const tags: Tag[] = Array.isArray(many.data) ? many.data : [];
  await client.POST('/v1/-/post-tags', { body: { post_id: post.id, tag_id: tags[0]?.id ?? 0 } });

  const read = await client.GET('/v1/-/posts/{id}', {
    params: { path: { id: post.id }, query: { include: 'user,tags' } },
  });
  const includedTag: string | undefined = read.data?.tags?.[0]?.name;
  const includedUser: string | undefined = read.data?.user?.email;
  const linked = await client.GET('/v1/-/post-tags/{id}', {
    params: { path: { id: [post.id, tags[0]?.id ?? 0] } },
  });

  const list = await client.GET('/v1/-/posts', {
    params: {
      query: {
        published: true,
        title__like: 'Typ%',
        sort: '-created_at,id',
        limit: 5,
        page: 1,
        _count: 'exact',
        filters: { id__gte: 1, 'user.username': 'typed' },
      },
    },
  });
  const updated = await client.PUT('/v1/-/posts/{id}', {
    params: { path: { id: post.id }, header: { 'If-Match': read.response.headers.get('etag') ?? '' } },
    body: { title: 'Typed again' },
  });
  const stale = await client.PATCH('/v1/-/posts/{id}', {
    params: { path: { id: post.id }, header: { 'If-Match': '"1.AAAAAAAAAAAAAAAAAAAAAA"' } },
    body: { title: 'Never' },
  });
  const byFilter = await client.PATCH('/v1/-/posts', {
    params: { query: { filters: { user_id: user.id } } },
    body: { published: false },
  });
  const refused = await client.POST('/v1/-/users', { body: { username: 'x', email: 'no address' } });
  const fault: string | undefined = refused.error?.detail[0]?.msg;
  const found = await client.POST('/v1/-/_search/posts', {
    body: { title__like: 'Typed%', _select: ['id'], limit: 1 },
  });
  const batch = await client.POST('/v1/-/_batch', {
    body: { operations: [{ method: 'GET', path: '/tags?limit=1' }] },
  });
  const query = await client.POST('/v1/-/query', {
    body: { query: 'SELECT COUNT(*) AS n FROM posts WHERE user_id = ?', params: [user.id] },
  });
  const unlinked = await client.DELETE('/v1/-/post-tags/{id}', {
    params: { path: { id: [post.id, tags[0]?.id ?? 0] } },
  });
  const deleted = await client.DELETE('/v1/-/posts/{id}', { params: { path: { id: post.id } } });
  const gone = await client.GET('/v1/-/posts/{id}', { params: { path: { id: post.id } } });

  return {
    post: { title: post.title, published: post.published, user_id: post.user_id === user.id },
    includedTag,
    includedUser,
    linked: linked.data?.post_id === post.id,
    listed: list.data?.map((row) => row.title),
    total: list.response.headers.get('x-total-count'),
    updated: updated.data?.title,
    stale: stale.response.status,
    byFilter: byFilter.data,
    refused: refused.response.status,
    fault,
    found: found.data?.length,
    batch: batch.data?.[0]?.status,
    query: query.data,
    unlinked: unlinked.response.status,
    deleted: deleted.response.status,
    gone: gone.response.status,
  };
}

/** Lines that the types must reject. The compiler reports each line that is not an error. */
export function neverCalled(): void {
  // @ts-expect-error: no such column
  const tag: components['schemas']['TagCreate'] = { name: 'x', colour: 'red' };
  void tag;
  // @ts-expect-error: a required column is missing
  void client.POST('/v1/-/posts', { body: { title: 'x', content: 'x' } });
  // @ts-expect-error: a number where a text is kept
  void client.PATCH('/v1/-/tags/{id}', { params: { path: { id: 1 } }, body: { name: 7 } });
  // @ts-expect-error: null in a column that is NOT NULL
  void client.PUT('/v1/-/tags/{id}', { params: { path: { id: 1 } }, body: { name: null } });
  // @ts-expect-error: no such table
  void client.GET('/v1/-/widgets');
  // @ts-expect-error: no such parameter
  void client.GET('/v1/-/tags', { params: { query: { per_page: 5 } } });
  // @ts-expect-error: a key of two parts
  void client.GET('/v1/-/post-tags/{id}', { params: { path: { id: [1] } } });
}

console.log(JSON.stringify(await run()));
