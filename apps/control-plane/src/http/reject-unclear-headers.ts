import { findHeaderFault, type Logger } from '@rowhouse/runtime';
import type { FastifyInstance } from 'fastify';
import { sendError } from './error-filter.js';

/**
 * Rejects a request with no host or several (400 `request.malformed`), or with a repeated single-value header
 * (400 `request.bad_header`).
 */
export function rejectUnclearHeaders(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook('onRequest', (req, reply, done) => {
    const fault = findHeaderFault(req.raw);
    if (fault === null) return done();
    sendError(logger, fault, req, reply);
  });
}
