// @ts-check
/**
 * A hand-written server for this one schema: plain Fastify, prepared statements of mysql2, a body validator
 * compiled from JSON Schema, and JSON.stringify. It has no authentication, tenants or limits.
 *
 * `run.mjs` starts it with DATABASE_URL, and it prints its port.
 * Add routes for new cases to the files in `baseline/`.
 */
import Fastify from 'fastify';
import mysql from 'mysql2/promise';
import { addCommentRoutes } from './baseline/comments.mjs';
import { addPostRoutes } from './baseline/posts.mjs';
import { addUserRoutes } from './baseline/users.mjs';

const pool = mysql.createPool({
  uri: process.env['DATABASE_URL'] ?? '',
  connectionLimit: 10,
  maxPreparedStatements: 256,
  timezone: 'Z',
  dateStrings: false,
});
const app = Fastify({ logger: false, bodyLimit: 8 * 2 ** 20 });
addPostRoutes(app, pool);
addCommentRoutes(app, pool);
addUserRoutes(app, pool);

await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : null }));
process.on('SIGTERM', () => process.exit(0));
