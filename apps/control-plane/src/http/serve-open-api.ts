import type { FastifyInstance } from 'fastify';
import { describeApi } from './describe-api.js';
import type { ListedRoute } from './list-routes.js';

/** Serves `GET /api/openapi.json`, which is public and created once. */
export function serveOpenApi(
  fastify: FastifyInstance,
  routes: readonly ListedRoute[],
  publicUrl: string,
): void {
  const text = JSON.stringify(describeApi(routes, publicUrl));
  fastify.get('/api/openapi.json', (_req, reply) =>
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(text),
  );
}
