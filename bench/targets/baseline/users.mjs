// @ts-check
import { readRows, toDated, USER_COLUMNS } from './records.mjs';

const listQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['username__like'],
  properties: {
    username__like: { type: 'string' },
    sort: { enum: ['id'] },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 20 },
  },
};

/**
 * @param {import('fastify').FastifyInstance} app
 * @param {import('mysql2/promise').Pool} pool
 */
export function addUserRoutes(app, pool) {
  app.get('/users', { schema: { querystring: listQuery } }, async (req) => {
    const { username__like: pattern, limit } = /** @type {any} */ (req.query);
    return (
      await readRows(pool, `SELECT ${USER_COLUMNS} FROM users WHERE username LIKE ? ORDER BY id LIMIT ?`, [
        pattern,
        String(limit),
      ])
    ).map(toDated);
  });
}
