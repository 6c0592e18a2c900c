// @ts-check
/**
 * What a good engineer would write by hand for this one schema: bare Fastify, prepared statements of mysql2, a body
 * check compiled from JSON Schema, JSON.stringify. No authentication, no tenants, no limits.
 *
 * Started by run.mjs with DATABASE_URL; prints its port. New cases get their routes here, beside their file in cases/.
 */
import Fastify from 'fastify';
import mysql from 'mysql2/promise';

const pool = mysql.createPool({ uri: process.env['DATABASE_URL'] ?? '', connectionLimit: 10, maxPreparedStatements: 256, timezone: 'Z', dateStrings: false });
const app = Fastify({ logger: false, bodyLimit: 8 * 2 ** 20 });

const postBody = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'content', 'user_id'],
  properties: { title: { type: 'string', maxLength: 255 }, content: { type: 'string' }, user_id: { type: 'integer' }, published: { type: 'boolean' } },
};
const idParams = { type: 'object', properties: { id: { type: 'integer' } } };
const COLUMNS = 'id, title, content, user_id, published, created_at';

/** @param {any} row @returns the record as the API shows it */
function toPost(row) {
  return { ...row, published: row.published === 1, created_at: row.created_at.toISOString().replace('.000Z', 'Z') };
}

app.get('/posts/:id', { schema: { params: idParams } }, async (req, reply) => {
  const { id } = /** @type {{ id: number }} */ (req.params);
  const [rows] = await pool.execute(`SELECT ${COLUMNS} FROM posts WHERE id = ?`, [id]);
  const row = /** @type {any[]} */ (rows)[0];
  if (row === undefined) return reply.code(404).send({ detail: 'There is no such record.' });
  return toPost(row);
});

const listQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { id__lt: { type: 'integer' }, sort: { enum: ['id', '-id'] }, limit: { type: 'integer', minimum: 1, maximum: 1000, default: 20 } },
};

app.get('/posts', { schema: { querystring: listQuery } }, async (req) => {
  const { id__lt: below, sort, limit } = /** @type {any} */ (req.query);
  const where = below === undefined ? '' : ' WHERE id < ?';
  const [rows] = await pool.execute(`SELECT ${COLUMNS} FROM posts${where} ORDER BY id ${sort === '-id' ? 'DESC' : 'ASC'} LIMIT ?`, [...(below === undefined ? [] : [below]), String(limit)]);
  return /** @type {any[]} */ (rows).map(toPost);
});

app.post('/posts', { schema: { body: postBody } }, async (req, reply) => {
  const { title, content, user_id, published = false } = /** @type {any} */ (req.body);
  const [result] = await pool.execute('INSERT INTO posts (title, content, user_id, published) VALUES (?, ?, ?, ?)', [title, content, user_id, published]);
  const [rows] = await pool.execute(`SELECT ${COLUMNS} FROM posts WHERE id = ?`, [/** @type {any} */ (result).insertId]);
  return reply.code(201).send(toPost(/** @type {any[]} */ (rows)[0]));
});

await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : null }));
process.on('SIGTERM', () => process.exit(0));
