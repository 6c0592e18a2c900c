import type { Plan } from '../src/index.js';

export interface Case {
  readonly call: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The rights that the plan needs, and no others, such as `read posts, write tags`. */
  readonly needs: string;
}

const POST = { title: 't', content: 'c' };
const DRY = { prefer: 'tx=rollback' };

/** Test cases for every kind of plan, and for every feature that uses another table. */
export const CASES: Readonly<Record<Plan['kind'], readonly Case[]>> = {
  list: [
    { call: 'GET /tags', needs: 'read tags' },
    {
      call: 'GET /posts?include=user,comments.user,tags',
      needs: 'read posts, read users, read comments, read tags, read post_tags',
    },
    {
      call: 'GET /posts?include=count:comments,count:user.posts,n:count:tags&include[n][posts.content]=a',
      needs: 'read posts, read users, read comments, read tags, read post_tags',
    },
    { call: 'GET /posts?user.username=a', needs: 'read posts, read users' },
    { call: 'GET /posts?tags__exists=true', needs: 'read posts, read tags, read post_tags' },
    { call: 'GET /posts?sort=user.username', needs: 'read posts, read users' },
    { call: 'GET /posts?where=user.username=%27a%27', needs: 'read posts, read users' },
    {
      call: 'GET /users?_filter={"posts":{"none":{"comments":{"count__gte":1}}}}',
      needs: 'read users, read posts, read comments',
    },
    {
      call: 'GET /users?include=posts&include[posts][tags.name]=a',
      needs: 'read users, read posts, read tags, read post_tags',
    },
    {
      call: 'GET /posts?user.username=a',
      headers: { accept: 'application/x-ndjson' },
      needs: 'read posts, read users',
    },
    {
      call: 'POST /_search/posts',
      body: { include: 'user', 'comments.content': 'x' },
      needs: 'read posts, read users, read comments',
    },
  ],
  aggregate: [
    { call: 'GET /posts?_aggregate=count', needs: 'read posts' },
    {
      call: 'GET /posts?_aggregate=count&_group=user.username&comments.content=x',
      needs: 'read posts, read users, read comments',
    },
  ],
  explain: [{ call: 'GET /posts?_explain=true&user.username=a', needs: 'read posts, read users' }],
  read: [
    { call: 'GET /tags/1', needs: 'read tags' },
    { call: 'GET /posts/1?include=tags', needs: 'read posts, read tags, read post_tags' },
  ],
  create: [
    { call: 'POST /tags', body: { name: 'a' }, needs: 'write tags' },
    { call: 'POST /tags', body: [{ name: 'a' }], headers: DRY, needs: 'write tags, read tags' },
  ],
  create_nested: [
    {
      call: 'POST /posts',
      body: { ...POST, user: { username: 'a', email: 'a@b.co' } },
      headers: { prefer: 'return=minimal' },
      needs: 'write posts, write users',
    },
    {
      call: 'POST /posts',
      body: { ...POST, user: { id: 1 } },
      headers: { prefer: 'return=minimal' },
      needs: 'write posts, read users',
    },
    {
      call: 'POST /posts',
      body: { ...POST, user_id: 1, tags: [{ id: 1 }] },
      headers: { prefer: 'return=minimal' },
      needs: 'write posts, write post_tags, read tags',
    },
    {
      call: 'POST /posts',
      body: { ...POST, user_id: 1, tags: [{ name: 'a' }] },
      headers: { prefer: 'return=minimal' },
      needs: 'write posts, write post_tags, write tags',
    },
    {
      call: 'POST /users',
      body: { username: 'a', email: 'a@b.co', posts: [{ id: 1 }] },
      headers: { prefer: 'return=minimal' },
      needs: 'write users, write posts, read posts',
    },
    {
      call: 'POST /users',
      body: {
        username: 'a',
        email: 'a@b.co',
        posts: [{ ...POST, comments: [{ content: 'c', user_id: 1 }] }],
      },
      headers: { prefer: 'return=minimal' },
      needs: 'write users, write posts, write comments',
    },
    {
      call: 'POST /posts',
      body: { ...POST, user: { username: 'a', email: 'a@b.co' } },
      headers: { prefer: 'return=minimal, tx=rollback' },
      needs: 'write posts, write users, read posts, read users',
    },
  ],
  update_nested: [
    {
      call: 'PATCH /users/1',
      body: { posts: { create: POST } },
      headers: { prefer: 'return=minimal' },
      needs: 'write users, write posts',
    },
    {
      call: 'PATCH /users/1',
      body: { posts: { update: { id: 1, title: 'a' }, delete: { id: 2 } } },
      headers: { prefer: 'return=minimal' },
      needs: 'write users, write posts, read posts, delete posts',
    },
    {
      call: 'PATCH /posts/1',
      body: { user: { update: { bio: 'a' } }, tags: { disconnect: { id: 1 } } },
      headers: { prefer: 'return=minimal' },
      needs: 'write posts, write users, read tags, read post_tags, delete post_tags',
    },
    {
      call: 'PATCH /posts/1',
      body: { tags: { connect: { id: 1 }, create: { name: 'a' } } },
      headers: { prefer: 'return=minimal' },
      needs: 'write posts, write post_tags, write tags, read tags',
    },
  ],
  update: [
    { call: 'PUT /tags/1', body: { name: 'a' }, needs: 'write tags' },
    { call: 'PATCH /tags/1', body: {}, headers: { 'if-match': '*' }, needs: 'write tags, read tags' },
    { call: 'PATCH /tags/1', body: {}, headers: DRY, needs: 'write tags, read tags' },
  ],
  delete: [
    { call: 'DELETE /tags/1', needs: 'delete tags' },
    { call: 'DELETE /tags/1', headers: { 'if-match': '"1.x"' }, needs: 'delete tags, read tags' },
    { call: 'DELETE /tags/1', headers: DRY, needs: 'delete tags, read tags' },
  ],
  upsert: [{ call: 'POST /tags?_on_conflict=name', body: { name: 'a' }, needs: 'write tags, read tags' }],
  update_many: [
    { call: 'PATCH /tags?name=a', body: { name: 'b' }, needs: 'write tags, read tags' },
    {
      call: 'PATCH /posts?user.username=a',
      body: { title: 'b' },
      needs: 'write posts, read posts, read users',
    },
  ],
  delete_many: [
    { call: 'DELETE /tags?name=a', needs: 'delete tags, read tags' },
    {
      call: 'DELETE /posts?_filter={"tags":{"some":{"name":"a"}}}',
      needs: 'delete posts, read posts, read tags, read post_tags',
    },
  ],
};
