import { findHeaderFault, type Logger } from '@rowhouse/runtime';
import type { FastifyInstance } from 'fastify';
import { sendError } from './error-filter.js';

/** Refuses a request that names no host or several (400 `request.malformed`), or has a header twice that has one value (400 `request.bad_header`). */
export function refuseUnclearHeaders(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook('onRequest', (req, reply, done) => {
    const fault = findHeaderFault(req.raw);
    if (fault === null) return done();
    sendError(logger, fault, req, reply);
  });
}
