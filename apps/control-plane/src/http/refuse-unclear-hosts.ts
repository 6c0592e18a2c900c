import { AppError } from '@rowhouse/errors';
import { isHostClear, type Logger } from '@rowhouse/runtime';
import type { FastifyInstance } from 'fastify';
import { sendError } from './error-filter.js';

/** A request that names no host, or several: 400 `request.malformed`. */
export function refuseUnclearHosts(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook('onRequest', (req, reply, done) => {
    if (isHostClear(req.raw)) return done();
    sendError(logger, new AppError('request.malformed', { detail: 'The header Host is there once in each request: not missing, and not twice.' }), req, reply);
  });
}
