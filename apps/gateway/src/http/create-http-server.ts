import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Counter, HOST_OPTIONS, type Registry } from '@rowhouse/runtime';
import { limitAddressConnections, type AddressConnections } from '@rowhouse/admission';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { boundConnections } from './bound-connections.js';
import { closeServer, endIdleConnections } from './idle-connections.js';
import { assertFree, openMoreListeners, SHARED_PORT, type Listeners } from './more-listeners.js';
import { LIMITS } from '../limits/limits.js';
import { respondToClientError, HEAD_CLOCK } from './client-error.js';
import type { Observe } from '../telemetry/observe.js';
import { acceptAllMethods, dataPlane, toTransportError } from './data-plane.js';
import { rejectEarly } from './receive-body.js';
import { rejectRequest, serveRequest } from './serve-request.js';
import { toOriginForm } from './request-head.js';
import type { DataPlaneServices } from './data-plane.js';

/** The Nest application. It handles the life cycle and everything outside the data plane. */
@Module({})
class GatewayModule {}

/**
 * The maximum number of connections that the operating system queues until the process accepts them. Further
 * clients get no response for seconds. Node's default is 511.
 */
const BACKLOG = 4_096;

export interface HttpServer {
  /** Returns the port that was bound. */
  listen(port: number, host: string): Promise<number>;
  /**
   * Closes the server in two steps. For `noticeMs`, the server still serves every request and closes each
   * connection after the response. Then it accepts no new connections, and cuts requests that do not end
   * within `inFlightMs`.
   */
  close(drain: Drain): Promise<void>;
}

export interface Drain {
  readonly noticeMs: number;
  readonly inFlightMs: number;
}

export interface HttpOptions {
  /** The maximum number of open connections of one client address. 0 means no limit. */
  readonly addressConnections: number;
  readonly trustedProxies: readonly string[];
}

export async function createHttpServer(
  services: DataPlaneServices,
  observe: Observe,
  options: HttpOptions,
  registry: Registry,
): Promise<HttpServer> {
  const instance: FastifyInstance = fastify({
    bodyLimit: LIMITS.bodyBytesMax,
    exposeHeadRoutes: false,
    keepAliveTimeout: 72_000,
    // This is the time limit for imports. A separate timer limits the time of other bodies.
    requestTimeout: LIMITS.uploadMsMax,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      maxHeaderSize: LIMITS.urlBytesMax + LIMITS.headerBytesMax,
      ...HOST_OPTIONS,
      ...HEAD_CLOCK.options,
    },
    clientErrorHandler: respondToClientError,
    rewriteUrl: (req) => toOriginForm(req.url ?? '/'),
    frameworkErrors(error, request, reply) {
      reply.hijack();
      const incoming = { req: request.raw, res: reply.raw, body: null, isUpload: false };
      // If a preflight fails, the browser hides the reason from the page. The preflight therefore succeeds,
      // and the request after it fails.
      if (request.raw.method === 'OPTIONS') void serveRequest(services, observe, incoming);
      else void rejectRequest(services, observe, incoming, toTransportError(error as FastifyError));
    },
  });
  acceptAllMethods(instance);
  const { server } = instance;
  // A request with an expectation other than `100-continue` is served as if it had none.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // If a client waits before it sends its body, the headers are checked first. If they are accepted, the
  // client continues; otherwise the request is rejected without its body.
  server.on('checkContinue', (req, res) => {
    void rejectEarly(services, req).then((rejection) => {
      if (rejection === null) res.writeContinue();
      server.emit('request', req, res);
    });
  });
  endIdleConnections(server);
  await instance.register(
    dataPlane(services, observe, boundConnections(server, limitConnections(server, options, registry))),
  );
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule, new FastifyAdapter(instance), {
    logger: ['error', 'warn'],
    bodyParser: false,
  });
  let moreListeners: Listeners | null = null;
  return {
    async listen(requestedPort, host) {
      await assertFree({ port: requestedPort, host });
      await app.listen({ port: requestedPort, host, backlog: BACKLOG, ...SHARED_PORT });
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : requestedPort;
      moreListeners = await openMoreListeners(server, { port, host, backlog: BACKLOG });
      return port;
    },
    async close({ noticeMs, inFlightMs }) {
      server.prependListener('request', (_req, res) => {
        res.shouldKeepAlive = false;
      });
      await pause(noticeMs);
      await closeServer(server, () => Promise.all([moreListeners?.close(), app.close()]), inFlightMs);
    },
  };
}

/** Returns null when connections per address are not limited. */
function limitConnections(
  server: Server,
  { addressConnections: connectionsMax, trustedProxies: trustedNetworks }: HttpOptions,
  registry: Registry,
): AddressConnections | null {
  const rejected = new Counter({
    name: 'gateway_address_connections_refused_total',
    help: 'Connections rejected because their client address has too many open',
    registers: [registry],
  });
  return connectionsMax === 0
    ? null
    : limitAddressConnections(server, { connectionsMax, trustedNetworks, onRejected: () => rejected.inc() });
}
