import { AppError } from '@rowhouse/errors';
import type { FastifyInstance } from 'fastify';

export const BODY_BYTES_MAX = 2 * 1024 * 1024;

/** Bodies are JSON and nothing else; an empty one counts as none, whatever its Content-Type. */
export function acceptJsonBodies(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: BODY_BYTES_MAX }, (req, body, done) => {
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    // The default parser answers by the callback alone.
    void parse(req, body as string, (error, value) => {
      if (error) done(new AppError('request.malformed_json', { cause: error }));
      else done(null, value);
    });
  });
}
