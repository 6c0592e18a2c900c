import { Socket } from 'node:net';
import { AppError } from '@rowhouse/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallerAuthenticator } from '../access/authenticator.js';
import type { ListedRoute } from './list-routes.js';
import { findHeaderFault, type Logger } from '@rowhouse/runtime';
import { sendError } from './error-filter.js';

/** Returns the error with which to reject a request before its body is read, or null. */
export type RejectEarly = (req: FastifyRequest) => Promise<AppError | null>;

/**
 * How long a client may continue to send after its response, in milliseconds. Then the connection is closed.
 */
const DRAIN_MS = 2_000;

/**
 * Creates the check that rejects an anonymous request before its body is read, on routes that require a
 * caller. The check runs if the body has not arrived together with the headers. `routes` and `authenticator`
 * are functions, because both are created after the body parsers.
 */
export function createEarlyRejection(
  fastify: FastifyInstance,
  sources: {
    routes: () => readonly ListedRoute[];
    authenticator: () => Pick<CallerAuthenticator, 'findCaller'>;
  },
): RejectEarly {
  const replies = new WeakMap<FastifyRequest, FastifyReply>();
  let guarded: ReadonlySet<string> | null = null;
  fastify.addHook('onRequest', (req, reply, done) => {
    replies.set(req, reply);
    done();
  });
  return async (req) => {
    guarded ??= new Set(
      sources
        .routes()
        .filter(({ spec }) => spec.access.kind !== 'public')
        .map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const reply = replies.get(req);
    if (reply === undefined || !guarded.has(`${req.method} ${req.routeOptions.url ?? ''}`)) return null;
    try {
      const caller = await sources.authenticator().findCaller(req, reply);
      return caller === null
        ? new AppError('auth.missing_session', { headers: { 'www-authenticate': 'Bearer' } })
        : null;
    } catch (error) {
      // Any other error will occur again once the body has arrived.
      return error instanceof AppError ? error : null;
    }
  };
}

/** Closes the connection of a client that sends its body for longer than `DRAIN_MS` after the response. */
export function boundDrains(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', (req, _reply, done) => {
    done();
    const { socket } = req.raw;
    // Requests of MCP tools come from this process and have no socket.
    if (req.raw.complete || req.raw.destroyed || !(socket instanceof Socket)) return;
    req.raw.resume();
    setTimeout(() => setImmediate(() => void (req.raw.complete || socket.destroy())), DRAIN_MS).unref();
  });
}

/**
 * Lets `continueIfExpected` handle `Expect: 100-continue`. The server then never asks for the body of a
 * rejected request.
 */
export function holdContinue(fastify: FastifyInstance): void {
  fastify.server.on('checkContinue', (req, res) => fastify.server.emit('request', req, res));
}

export function isContinueExpected(req: FastifyRequest): boolean {
  return req.headers.expect?.toLowerCase() === '100-continue';
}

/**
 * Rejects a request without a host or with several (400 `request.malformed`). Also rejects a repeated
 * single-value header (400 `request.bad_header`).
 */
export function rejectUnclearHeaders(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook('onRequest', (req, reply, done) => {
    const fault = findHeaderFault(req.raw);
    if (fault === null) return done();
    sendError(logger, fault, req, reply);
  });
}
