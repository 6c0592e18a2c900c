import { Histogram, type Logger, type Registry } from '@rowhouse/runtime';
import type { FastifyInstance } from 'fastify';

/**
 * Logs one event and records one observation for each request. Neither contains a body, a header or a query
 * string.
 */
export function observeRequests(fastify: FastifyInstance, registry: Registry, logger: Logger): void {
  const durations = new Histogram({
    name: 'rowhouse_control_request_seconds',
    help: 'Duration of control API requests.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  fastify.addHook('onResponse', async (req, reply) => {
    const route = req.routeOptions.url ?? 'none';
    durations.observe(
      { method: req.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1_000,
    );
    logger.info(
      {
        request_id: req.id,
        method: req.method,
        route,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        account: req.caller?.account.id,
        via: req.caller?.via,
        organization: req.reach?.organizationId,
      },
      'request',
    );
  });
}
