import { METHODS } from 'node:http';
import { AppError } from '@rowhouse/errors';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LIMITS } from '../limits.js';
import type { Gateway } from './gateway.js';
import type { Observe } from './observe.js';
import { refuseCall, serveCall } from './serve-call.js';

/**
 * The data plane as a plain Fastify plugin. Fastify finds the route and reads the bytes of the body; everything
 * else is the pipeline's.
 */
export function dataPlane(gateway: Gateway, observe: Observe) {
  return async function registerDataPlane(instance: FastifyInstance): Promise<void> {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LIMITS.bodyBytesMax }, (_request, body, done) => done(null, body));
    instance.setErrorHandler((error: FastifyError, request, reply) => {
      reply.hijack();
      void refuseCall(observe, request.raw, reply.raw, toTransportError(error));
    });
    instance.all('/*', (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack();
      void serveCall(gateway, observe, request.raw, reply.raw, Buffer.isBuffer(request.body) ? request.body : null);
    });
  };
}

/** So that every method that HTTP can carry reaches the pipeline, which answers 405 with what is served. */
export function acceptAllMethods(instance: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !instance.supportedMethods.includes(method)) instance.addHttpMethod(method, { hasBody: true });
  }
}

/** What Fastify refuses on its own, in the terms of the one error table. */
export function toTransportError(error: FastifyError): unknown {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('request.body_too_large', { hint: `Bodies may have ${LIMITS.bodyBytesMax} bytes.` });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('request.unsupported_type');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('request.malformed', { detail: 'The body is not as long as Content-Length says.' });
    case 'FST_ERR_BAD_URL':
      return new AppError('request.bad_escape');
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new AppError('request.url_too_long');
    default:
      return error.statusCode !== undefined && error.statusCode < 500 ? new AppError('request.malformed', { internal: error.message }) : error;
  }
}
