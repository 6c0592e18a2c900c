/**
 * A program as a user would write it with the generated client, which the journey creates as `./api`. The
 * program is compiled with every strict option, and prints its results.
 */
import {
  ApiError,
  createClient,
  zodPostCreate,
  zodUserCreate,
  type Post,
  type PostCreate,
} from './api/index.js';

const [, , baseUrl = '', key = ''] = process.argv;
const api = createClient({ baseUrl, key });

async function run(): Promise<Record<string, unknown>> {
  const user = await api.users.create(
    { username: 'generated', email: 'generated@example.test' },
    { idempotencyKey: 'generated-1' },
  );
  const again = await api.users.create(
    { username: 'generated', email: 'generated@example.test' },
    { idempotencyKey: 'generated-1' },
  );
  const draft: PostCreate = zodPostCreate.parse({
    title: 'Generated',
    content: 'Strictly.',
    user_id: user.id,
    published: true,
  });
  const post: Post = await api.posts.create(draft);
  const [first] = await api.tags.createMany([{ name: 'g-first' }, { name: 'g-second', description: null }]);
  if (first === undefined) throw new Error('two tags were to be made');
  await api.postTags.create({ post_id: post.id, tag_id: first.id });

  const read = await api.posts.get(post.id, { include: ['user', 'tags'] });
  const email: string = read.user.email;
  const counted = await api.posts.get(post.id, { include: ['user', 'count:tags', 'count:comments'] });
  const counts: number[] = [counted.count_tags, counted.count_comments, counted.user.id - user.id];
  const sorted = await api.posts.list({
    include: ['count:tags'],
    sort: ['-count_tags', 'title:nulls_last'],
    where: { user_id: user.id },
  });
  const [selected] = await api.posts.select(
    { label: 'title', number: 'id', on: 'created_at::date', text: 'id::string' },
    {
      where: {
        id: post.id,
        created_at: { gte: { $expr: 'NOW() - INTERVAL 1 DAY' } },
        title: { ne_column: 'content' },
      },
    },
  );
  const chosen: { label: string; number: number; on: string | null; text: string | null } | undefined =
    selected;
  const upserted = await api.tags.upsert({ name: 'g-first', description: 'again' }, ['name']);
  await api.users.update(user.id, { posts: { update: { id: post.id, content: 'Nested.' } } });
  const nested = (await api.posts.get(post.id)).content;
  const link = await api.postTags.find([post.id, first.id]);
  const listed = await api.posts.list({
    where: { published: true, title: { like: 'Gen%' }, user_id: { in: [user.id] } },
    sort: ['-created_at', 'id'],
    limit: 5,
  });
  const none = await api.users.list({ where: { bio: null, username: 'generated' } });
  const { version } = await api.posts.getWithVersion(post.id);
  const updated = await api.posts.update(
    post.id,
    { title: 'Generated again' },
    version === null ? {} : { ifMatch: version },
  );
  const stale = await api.posts
    .update(post.id, { title: 'Never' }, version === null ? {} : { ifMatch: version })
    .then(
      () => 0,
      (err: unknown) => (err instanceof ApiError ? err.status : -1),
    );
  const names: string[] = [];
  for await (const tag of api.tags.each({
    sort: ['description:nulls_last', 'name'],
    limit: 1,
    where: { name: { like: 'g-%' } },
  }))
    names.push(tag.name);
  const refused = await api.users
    .create({ username: 'x', email: 'no address' })
    .catch((err: unknown) =>
      err instanceof ApiError
        ? { status: err.status, code: err.code, detail: JSON.stringify(err.detail) }
        : null,
    );
  const rows = await api.query('SELECT COUNT(*) AS n FROM posts WHERE user_id = ?', [user.id]);
  await api.postTags.delete([post.id, first.id]);
  await api.posts.delete(post.id);
  return {
    upserted: upserted.id === first.id ? upserted.description : null,
    nested,
    chosen: {
      label: chosen?.label,
      number: chosen?.number === post.id,
      on: chosen?.on?.length,
      text: chosen?.text === String(post.id),
    },
    same: again.id === user.id,
    post: {
      title: post.title,
      published: post.published,
      ids: typeof post.id,
      user_id: post.user_id === user.id,
    },
    email,
    counts,
    tags: read.tags.map((tag) => tag.name),
    link: link?.tag_id === first.id,
    listed: listed.map((one) => one.title),
    sorted: sorted.map((one) => one.count_tags),
    none: none.length,
    updated: updated.title,
    stale,
    names,
    refused,
    rows,
    gone: await api.posts.find(post.id),
    count: await api.posts.count({ where: { user_id: user.id } }),
    zod: zodUserCreate
      .safeParse({ username: 'x'.repeat(51), email: 'no address' })
      .error?.issues.map((issue) => issue.path.join('.')),
  };
}

/** Lines that the types must reject. The compiler reports each line that is not an error. */
export function neverCalled(): void {
  // @ts-expect-error: no such column
  void api.tags.create({ name: 'x', colour: 'red' });
  // @ts-expect-error: a required column is missing
  void api.posts.create({ title: 'x' });
  // @ts-expect-error: of another type
  void api.posts.list({ where: { published: 'yes' } });
  // @ts-expect-error: no such column to sort by
  void api.tags.list({ sort: ['colour:nulls_last'] });
  // @ts-expect-error: NULL stands first or last
  void api.tags.list({ sort: ['name:nulls'] });
  // @ts-expect-error: no such column to compare with
  void api.posts.list({ where: { title: { eq_column: 'headline' } } });
  // @ts-expect-error: no such cast
  void api.posts.select({ id: 'id::text' });
  // @ts-expect-error: a boolean is no date
  void api.posts.list({ where: { published: { eq: { $expr: 'NOW()' } } } });
  // @ts-expect-error: a text is not added to
  void api.tags.upsert({ name: { $inc: 1 } }, ['name']);
  // @ts-expect-error: sorted by a count that is not included
  void api.posts.list({ sort: ['-count_tags'] });
  // @ts-expect-error: no such relationship
  void api.posts.get(1, { include: ['author'] });
  // @ts-expect-error: it leads to one record
  void api.posts.get(1, { include: ['count:user'] });
  // @ts-expect-error: a key of two columns
  void api.postTags.get(1);
}

process.stdout.write(JSON.stringify(await run()));
