import 'reflect-metadata';
import cookie from '@fastify/cookie';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHeadClock, createId, HOST_OPTIONS, type HeadClock } from '@rowhouse/runtime';
import type { FastifyInstance } from 'fastify';
import { AppModule, type Resources } from './app-module.js';
import { createClientErrorResponse } from './http/client-errors.js';
import { limitAddresses, limitConnections } from './http/limit-addresses.js';
import { acceptUploads, UPLOAD_MS_MAX } from './http/accept-uploads.js';
import { acceptJsonBodies, BODY_BYTES_MAX } from './http/json-body.js';
import { compressResponses } from './http/compress-responses.js';
import {
  boundDrains,
  createEarlyRejection,
  holdContinue,
  rejectUnclearHeaders,
} from './http/reject-early.js';
import { listRoutes, type ListedRoute } from './http/list-routes.js';
import { CallerAuthenticator } from './access/authenticator.js';
import { observeRequests } from './http/observe-requests.js';
import { setSecurityHeaders } from './http/security-headers.js';
import { serveConsole } from './http/serve-console.js';
import { serveOpenApi } from './http/describe-api.js';

/** Creates the HTTP application of the control plane. Throws when a route declares no access rule. */
export async function createApp(
  resources: Resources,
  heads: HeadClock = createHeadClock(),
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: resources.config.trustedProxies.length === 0 ? false : [...resources.config.trustedProxies],
    genReqId: () => createId('req'),
    requestTimeout: UPLOAD_MS_MAX,
    http: { ...HOST_OPTIONS, ...heads.options },
    clientErrorHandler: createClientErrorResponse(heads),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  fastify.decorateRequest('caller', null);
  fastify.decorateRequest('reach', null);
  await fastify.register(cookie as never);
  await setSecurityHeaders(fastify, resources.config);
  fastify.addHook('onRequest', async (req, reply) => {
    reply.header('x-request-id', req.id);
    // The route is checked in addition to the URL, because a URL has other spellings such as `/%61pi`.
    if (req.url.startsWith('/api') || req.routeOptions.url?.startsWith('/api') === true)
      reply.header('cache-control', 'no-store');
  });
  observeRequests(fastify, resources.registry, resources.logger);
  rejectUnclearHeaders(fastify, resources.logger);
  compressResponses(fastify);
  limitConnections(fastify, resources.config, resources.registry, resources.logger);
  limitAddresses(fastify, resources.config, resources.registry, resources.logger);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.create(resources), adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  let routes: readonly ListedRoute[] = [];
  const rejectEarly = createEarlyRejection(fastify, {
    routes: () => routes,
    authenticator: () => app.get(CallerAuthenticator, { strict: false }),
  });
  acceptJsonBodies(fastify, rejectEarly);
  acceptUploads(fastify, rejectEarly);
  holdContinue(fastify);
  boundDrains(fastify);
  routes = listRoutes(app);
  serveOpenApi(fastify, routes, resources.config.publicUrl);
  await serveConsole(fastify, resources.config.consoleDir, resources.config.gatewayUrl);
  await app.init();
  await fastify.ready();
  return app;
}
