// @ts-check
import { Readable } from 'node:stream';
import { COMMENT_COLUMNS, idParams, notFound, readRows, toDated } from './records.mjs';

const item = {
  type: 'object',
  additionalProperties: false,
  required: ['content', 'user_id', 'post_id'],
  properties: { content: { type: 'string' }, user_id: { type: 'integer' }, post_id: { type: 'integer' } },
};
const body = { anyOf: [item, { type: 'array', items: item, maxItems: 1000 }] };
const listQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['id__lt', 'limit'],
  properties: {
    id__lt: { type: 'integer' },
    sort: { enum: ['-id'] },
    limit: { type: 'integer', minimum: 1 },
  },
};
const INSERT = 'INSERT INTO comments (content, user_id, post_id) VALUES ';

/**
 * @param {import('fastify').FastifyInstance} app
 * @param {import('mysql2/promise').Pool} pool
 */
export function addCommentRoutes(app, pool) {
  app.post('/comments', { schema: { body } }, async (req, reply) => {
    const provided = /** @type {any} */ (req.body);
    const rows = Array.isArray(provided) ? provided : [provided];
    const [result] = await pool.execute(
      INSERT + rows.map(() => '(?, ?, ?)').join(', '),
      rows.flatMap((row) => [row.content, row.user_id, row.post_id]),
    );
    const { insertId } = /** @type {any} */ (result);
    // InnoDB gives the rows of one INSERT consecutive ids.
    const written = await readRows(
      pool,
      `SELECT ${COMMENT_COLUMNS} FROM comments WHERE id BETWEEN ? AND ? ORDER BY id`,
      [insertId, insertId + rows.length - 1],
    );
    return reply.code(201).send(Array.isArray(provided) ? written.map(toDated) : toDated(written[0]));
  });

  app.delete('/comments/:id', { schema: { params: idParams } }, async (req, reply) => {
    const [result] = await pool.execute('DELETE FROM comments WHERE id = ?', [
      /** @type {any} */ (req.params).id,
    ]);
    return /** @type {any} */ (result).affectedRows === 0 ? notFound(reply) : reply.code(204).send();
  });

  /** Streams rows as JSON lines. The Node stream pauses reading while the client is slow. */
  app.get('/comments', { schema: { querystring: listQuery } }, async (req, reply) => {
    const { id__lt: below, limit } = /** @type {any} */ (req.query);
    const connection = await pool.getConnection();
    const rows = /** @type {import('mysql2').Connection} */ (/** @type {any} */ (connection).connection)
      .execute(`SELECT ${COMMENT_COLUMNS} FROM comments WHERE id < ? ORDER BY id DESC LIMIT ?`, [
        below,
        String(limit),
      ])
      .stream({ highWaterMark: 100 });
    rows.once('close', () => connection.release());
    return reply.type('application/x-ndjson').send(Readable.from(toLines(rows)));
  });
}

/** @param {AsyncIterable<any>} rows */
async function* toLines(rows) {
  let lines = '';
  for await (const row of rows) {
    lines += `${JSON.stringify(toDated(row))}\n`;
    if (lines.length < 16_384) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}
