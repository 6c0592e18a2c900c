import { AppError } from '@rowhouse/errors';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isContinueExpected, type RejectEarly } from './reject-early.js';

/** The content types that an upload may declare. Its actual format is detected when it is read. */
export const UPLOAD_TYPES = [
  'application/sql',
  'text/plain',
  'application/gzip',
  'application/octet-stream',
] as const;
const UPLOAD_PATH = /^\/api\/projects\/[^/]+\/schema\/import$/;

/** The time limit of an upload in milliseconds. For other bodies, the limit is `BODY_MS_MAX`. */
export const UPLOAD_MS_MAX = 3_600_000;
const BODY_MS_MAX = 60_000;

/** Passes uploads to their route as a stream. Call it after the parsers of other bodies are registered. */
export function acceptUploads(fastify: FastifyInstance, rejectEarly: RejectEarly): void {
  const responses = new WeakMap<FastifyRequest, ServerResponse>();
  fastify.addContentTypeParser([...UPLOAD_TYPES], (req, payload, done) => {
    if (!isUpload(req.url)) done(new AppError('request.unsupported_type'));
    else if (!isContinueExpected(req)) done(null, payload);
    else {
      void rejectEarly(req).then((rejection) => {
        if (rejection === null) responses.get(req)?.writeContinue();
        done(rejection, payload);
      });
    }
  });
  // Node's own request timer is extended for uploads.
  fastify.addHook('onRequest', async (req, reply) => {
    responses.set(req, reply.raw);
    if (isUpload(req.url) || req.raw.complete) return;
    const timer = setTimeout(() => {
      if (!req.raw.complete) req.raw.destroy();
    }, BODY_MS_MAX);
    timer.unref();
    req.raw.once('close', () => clearTimeout(timer));
  });
}

function isUpload(url: string): boolean {
  return UPLOAD_PATH.test(url.split('?')[0] ?? '');
}
