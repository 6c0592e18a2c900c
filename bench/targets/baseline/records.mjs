// @ts-check
/** The columns of rows in API responses. */

export const POST_COLUMNS = 'id, title, content, user_id, published, created_at';
export const COMMENT_COLUMNS = 'id, content, user_id, post_id, created_at';
export const USER_COLUMNS = 'id, username, email, bio, created_at';

/** @param {Date} date */
const toMoment = (date) => date.toISOString().replace('.000Z', 'Z');

/** @param {any} row */
export const toPost = (row) => ({
  ...row,
  published: row.published === 1,
  created_at: toMoment(row.created_at),
});

/**
 * Converts comments and users.
 * @param {any} row
 */
export const toDated = (row) => ({ ...row, created_at: toMoment(row.created_at) });

/**
 * @param {import('mysql2/promise').Pool} pool
 * @param {string} sql
 * @param {any[]} values
 * @returns {Promise<any[]>}
 */
export async function readRows(pool, sql, values) {
  const [rows] = await pool.execute(sql, values);
  return /** @type {any[]} */ (rows);
}

export const idParams = { type: 'object', properties: { id: { type: 'integer' } } };

/** @param {import('fastify').FastifyReply} reply */
export const notFound = (reply) => reply.code(404).send({ detail: 'There is no such record.' });
