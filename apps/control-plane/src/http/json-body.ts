import { isUtf8 } from 'node:buffer';
import { AppError } from '@rowhouse/errors';
import type { FastifyInstance } from 'fastify';

export const BODY_BYTES_MAX = 2 * 1024 * 1024;

/** Bodies are JSON in UTF-8, as they are and not compressed, and nothing else; an empty one counts as none, whatever its Content-Type. */
export function acceptJsonBodies(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX }, (req, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) {
      done(null, undefined);
      return;
    }
    const refusal = findRefusal(req.headers['content-encoding'], bytes);
    if (refusal !== null) {
      done(refusal);
      return;
    }
    // The default parser answers by the callback alone.
    void parse(req, bytes.toString('utf8'), (error, value) => {
      if (error) done(new AppError('request.malformed_json', { cause: error }));
      else done(null, value);
    });
  });
}

function findRefusal(encoding: string | undefined, bytes: Buffer): AppError | null {
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    return new AppError('request.unsupported_type', { detail: 'Bodies are sent uncompressed here.' });
  }
  return isUtf8(bytes) ? null : new AppError('request.invalid_utf8');
}
