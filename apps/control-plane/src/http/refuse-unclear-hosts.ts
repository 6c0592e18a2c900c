import { findHostFault, type Logger } from '@rowhouse/runtime';
import type { FastifyInstance } from 'fastify';
import { sendError } from './error-filter.js';

/** A request that names no host, or several: 400 `request.malformed`. */
export function refuseUnclearHosts(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook('onRequest', (req, reply, done) => {
    const fault = findHostFault(req.raw);
    if (fault === null) return done();
    sendError(logger, fault, req, reply);
  });
}
