// @ts-check
import {
  COMMENT_COLUMNS,
  idParams,
  notFound,
  POST_COLUMNS,
  readRows,
  toDated,
  toPost,
  USER_COLUMNS,
} from './records.mjs';

const changes = {
  title: { type: 'string', maxLength: 255 },
  content: { type: 'string' },
  user_id: { type: 'integer' },
  published: { type: 'boolean' },
};
const postBody = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'content', 'user_id'],
  properties: changes,
};
const patchBody = { type: 'object', additionalProperties: false, minProperties: 1, properties: changes };

const listQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    id__lt: { type: 'integer' },
    user_id: { type: 'integer' },
    sort: { enum: ['id', '-id'] },
    include: { enum: ['user', 'comments'] },
    _cursor: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 20 },
  },
};

/**
 * @param {import('fastify').FastifyInstance} app
 * @param {import('mysql2/promise').Pool} pool
 */
export function addPostRoutes(app, pool) {
  const readPost = async (/** @type {number} */ id) =>
    (await readRows(pool, `SELECT ${POST_COLUMNS} FROM posts WHERE id = ?`, [id]))[0];

  app.get('/posts/:id', { schema: { params: idParams } }, async (req, reply) => {
    const row = await readPost(/** @type {any} */ (req.params).id);
    return row === undefined ? notFound(reply) : toPost(row);
  });

  app.get('/posts', { schema: { querystring: listQuery } }, async (req, reply) => {
    const query = /** @type {any} */ (req.query);
    const { sort, limit, include, _cursor: cursor } = query;
    const below = cursor === undefined || cursor === '' ? query.id__lt : Number(cursor);
    const conditions = [
      ...(below === undefined ? [] : ['id < ?']),
      ...(query.user_id === undefined ? [] : ['user_id = ?']),
    ];
    const values = [below, query.user_id].filter((value) => value !== undefined);
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    const posts = (
      await readRows(
        pool,
        `SELECT ${POST_COLUMNS} FROM posts${where} ORDER BY id ${sort === '-id' ? 'DESC' : 'ASC'} LIMIT ?`,
        [...values, String(limit)],
      )
    ).map(toPost);
    if (cursor !== undefined && posts.length === limit)
      reply.header('X-Next-Cursor', String(posts.at(-1)?.id));
    if (include === 'user') await addUsers(pool, posts);
    if (include === 'comments') await addComments(pool, posts);
    return posts;
  });

  app.post('/posts', { schema: { body: postBody } }, async (req, reply) => {
    const { title, content, user_id, published = false } = /** @type {any} */ (req.body);
    const [result] = await pool.execute(
      'INSERT INTO posts (title, content, user_id, published) VALUES (?, ?, ?, ?)',
      [title, content, user_id, published],
    );
    return reply.code(201).send(toPost(await readPost(/** @type {any} */ (result).insertId)));
  });

  app.patch('/posts/:id', { schema: { params: idParams, body: patchBody } }, async (req, reply) => {
    const { id } = /** @type {any} */ (req.params);
    const body = /** @type {Record<string, any>} */ (req.body);
    const names = Object.keys(body);
    const [result] = await pool.execute(
      `UPDATE posts SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
      [...names.map((name) => body[name]), id],
    );
    return /** @type {any} */ (result).affectedRows === 0 ? notFound(reply) : toPost(await readPost(id));
  });
}

/** @param {import('mysql2/promise').Pool} pool @param {any[]} posts */
async function addUsers(pool, posts) {
  const ids = [...new Set(posts.map((post) => post.user_id))];
  const users =
    ids.length === 0
      ? []
      : await readRows(
          pool,
          `SELECT ${USER_COLUMNS} FROM users WHERE id IN (${ids.map(() => '?').join(', ')})`,
          ids,
        );
  const byId = new Map(users.map((user) => [user.id, toDated(user)]));
  for (const post of posts) post.user = byId.get(post.user_id) ?? null;
}

/** @param {import('mysql2/promise').Pool} pool @param {any[]} posts */
async function addComments(pool, posts) {
  const byPost = new Map(posts.map((post) => [post.id, /** @type {any[]} */ (post.comments = [])]));
  const ids = [...byPost.keys()];
  const comments =
    ids.length === 0
      ? []
      : await readRows(
          pool,
          `SELECT ${COMMENT_COLUMNS} FROM comments WHERE post_id IN (${ids.map(() => '?').join(', ')}) ORDER BY id`,
          ids,
        );
  for (const comment of comments) byPost.get(comment.post_id)?.push(toDated(comment));
}
