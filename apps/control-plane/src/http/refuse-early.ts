import { Socket } from 'node:net';
import { AppError } from '@rowhouse/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallerAuthenticator } from '../access/authenticator.js';
import type { ListedRoute } from './list-routes.js';

/** Gives what a request is refused with before its body is read; null: nothing. */
export type RefuseEarly = (req: FastifyRequest) => Promise<AppError | null>;

/** What a client may still send after its answer; then its connection ends. */
const DRAIN_MS = 2_000;

/**
 * Refuses a request without a caller before its body is read, on every route that wants one. To be asked where the body has
 * not come with the head. `routes` and `authenticator` are asked for late, since both are there after the parsers of bodies.
 */
export function createEarlyRefusal(fastify: FastifyInstance, sources: { routes: () => readonly ListedRoute[]; authenticator: () => Pick<CallerAuthenticator, 'findCaller'> }): RefuseEarly {
  const replies = new WeakMap<FastifyRequest, FastifyReply>();
  let guarded: ReadonlySet<string> | null = null;
  fastify.addHook('onRequest', (req, reply, done) => {
    replies.set(req, reply);
    done();
  });
  return async (req) => {
    guarded ??= new Set(sources.routes().filter(({ spec }) => spec.access.kind !== 'public').map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`));
    const reply = replies.get(req);
    if (reply === undefined || !guarded.has(`${req.method} ${req.routeOptions.url ?? ''}`)) return null;
    try {
      const caller = await sources.authenticator().findCaller(req, reply);
      return caller === null ? new AppError('auth.missing_session', { headers: { 'www-authenticate': 'Bearer' } }) : null;
    } catch (error) {
      // Anything else is met again once the body is there.
      return error instanceof AppError ? error : null;
    }
  };
}

/** Bounds what is read of a request after its answer: what is left is cut off, so that nobody sends for an hour in vain. */
export function boundDrains(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', (req, _reply, done) => {
    done();
    const { socket } = req.raw;
    // Calls of tools of MCP come from within this process.
    if (req.raw.complete || req.raw.destroyed || !(socket instanceof Socket)) return;
    req.raw.resume();
    setTimeout(() => setImmediate(() => void (req.raw.complete || socket.destroy())), DRAIN_MS).unref();
  });
}

/** Has Node leave `Expect: 100-continue` to `continueIfExpected`: a request that is refused is not asked for its body. */
export function holdContinue(fastify: FastifyInstance): void {
  fastify.server.on('checkContinue', (req, res) => fastify.server.emit('request', req, res));
}

export function isContinueExpected(req: FastifyRequest): boolean {
  return req.headers.expect?.toLowerCase() === '100-continue';
}
