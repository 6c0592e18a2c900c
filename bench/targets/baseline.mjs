// @ts-check
/**
 * What a good engineer would write by hand for this one schema: bare Fastify, prepared statements of mysql2, a body
 * check compiled from JSON Schema, JSON.stringify. No authentication, no tenants, no limits.
 *
 * Started by run.mjs with DATABASE_URL; prints its port. New cases get their routes here, beside their file in cases/.
 */
import Fastify from 'fastify';
import mysql from 'mysql2/promise';
import { addCommentRoutes } from './baseline/comments.mjs';
import { addPostRoutes } from './baseline/posts.mjs';
import { addUserRoutes } from './baseline/users.mjs';

const pool = mysql.createPool({ uri: process.env['DATABASE_URL'] ?? '', connectionLimit: 10, maxPreparedStatements: 256, timezone: 'Z', dateStrings: false });
const app = Fastify({ logger: false, bodyLimit: 8 * 2 ** 20 });
addPostRoutes(app, pool);
addCommentRoutes(app, pool);
addUserRoutes(app, pool);

await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : null }));
process.on('SIGTERM', () => process.exit(0));
