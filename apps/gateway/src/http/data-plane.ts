import { METHODS, type IncomingMessage } from 'node:http';
import type { AddressRates } from '@rowhouse/admission';
import { AppError } from '@rowhouse/errors';
import { MANY_ROWS_HINT, ROWS_TYPES } from '@rowhouse/rest-engine';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isImport } from '../imports/rows-type.js';
import { LIMITS } from '../limits/limits.js';
import type { Observe } from '../telemetry/observe.js';
import type { ConnectionBound } from './bound-connections.js';
import { createBodyReceiver, rejectEarly } from './receive-body.js';
import { rejectRequest, serveRequest, type ServeServices } from './serve-request.js';

export interface DataPlaneServices extends ServeServices {
  /** Null when addresses are not limited. */
  readonly addresses: AddressRates | null;
}

const SIZE_HINT = `A body can have at most ${LIMITS.bodyBytesMax} bytes.`;

/**
 * Creates the data plane as a Fastify plugin with one route for all paths. Fastify receives the request, and
 * `serveRequest` does everything else.
 */
export function dataPlane(services: DataPlaneServices, observe: Observe, connections: ConnectionBound) {
  return async function registerDataPlane(instance: FastifyInstance): Promise<void> {
    instance.removeAllContentTypeParsers();
    const receiver = createBodyReceiver();
    const findRejection = (req: IncomingMessage): Promise<AppError | null> => rejectEarly(services, req);
    limitAddresses(instance, services);
    instance.addHook('onClose', () => Promise.resolve(receiver.stop()));
    // JSON is also listed by name, because Fastify does not cache parsers found by the wildcard.
    instance.addContentTypeParser(['application/json', '*'], (request, _payload, done) =>
      receiver.receive(request.raw, SIZE_HINT, done, findRejection),
    );
    instance.addContentTypeParser([...ROWS_TYPES.keys()], (request, _payload, done) => {
      // An import reads its body itself as a stream.
      if (request.method === 'POST' && isImport(request.headers)) done(null, request.raw);
      else receiver.receive(request.raw, `${SIZE_HINT} ${MANY_ROWS_HINT}`, done, findRejection);
    });
    instance.setErrorHandler((error: FastifyError, request, reply) => {
      reply.hijack();
      const incoming = { req: request.raw, res: reply.raw };
      void rejectRequest(services, observe, incoming, toTransportError(error));
    });
    instance.all('/*', (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack();
      const rejection = services.loadGuard.reject() ?? connections.reject(request.raw, reply.raw);
      const body = Buffer.isBuffer(request.body) ? request.body : null;
      const incoming = {
        req: request.raw,
        res: reply.raw,
        body,
        isUpload: request.body === request.raw,
      };
      const served =
        rejection === null
          ? serveRequest(services, observe, incoming)
          : rejectRequest(services, ignoreReport, incoming, rejection);
      if (body !== null) void served.finally(() => receiver.release(body));
    });
  };
}

/** Limits the requests of each address before a body is read. */
function limitAddresses(
  instance: FastifyInstance,
  services: Pick<DataPlaneServices, 'addresses' | 'readAddress' | 'onDefect'>,
): void {
  const { addresses, readAddress } = services;
  if (addresses === null) return;
  instance.addHook('onRequest', (request, reply, done) => {
    const rejection = addresses.reject(readAddress(request.raw), performance.now());
    if (rejection === null) return done();
    reply.hijack();
    void rejectRequest(services, ignoreReport, { req: request.raw, res: reply.raw }, rejection);
  });
}

/**
 * Logs nothing. Requests that are rejected because of overload or the rate of their address are only counted.
 */
const ignoreReport: Observe = () => undefined;

/** Registers every HTTP method, so that `route` can respond with 405 and the supported methods. */
export function acceptAllMethods(instance: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !instance.supportedMethods.includes(method))
      instance.addHttpMethod(method, { hasBody: true });
  }
}

/** Converts Fastify's own errors to errors of the API. */
export function toTransportError(error: FastifyError): unknown {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('request.unsupported_type');
    case 'FST_ERR_BAD_URL':
      return new AppError('request.bad_escape');
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new AppError('request.url_too_long');
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? new AppError('request.malformed', { internal: error.message })
        : error;
  }
}
