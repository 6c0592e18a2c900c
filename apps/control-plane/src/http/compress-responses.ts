import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const compress = promisify(gzip);

/** The minimum length of a compressed response in bytes. Shorter responses fit into the first packet. */
const BYTES_MIN = 1_024;
/**
 * Routes whose response contains a secret of the session. Their responses are not compressed, because the
 * compressed length could reveal the secret.
 */
const WITH_SECRETS: ReadonlySet<string | undefined> = new Set(['/api/me']);

/**
 * Compresses responses to reads of signed-in callers. Lists and generated code shrink to a tenth of their
 * size, which makes a difference on phones.
 */
export function compressResponses(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (req, reply, payload) => {
    if (
      req.method !== 'GET' ||
      req.caller === null ||
      typeof payload !== 'string' ||
      payload.length < BYTES_MIN ||
      WITH_SECRETS.has(req.routeOptions.url)
    )
      return payload;
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload;
    reply.header('vary', 'accept-encoding');
    if (!takesGzip(req.headers['accept-encoding'])) return payload;
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return compress(payload, { level: constants.Z_BEST_SPEED });
  });
}

function takesGzip(accepted: string | string[] | undefined): boolean {
  return /(^|,)\s*(gzip|\*)\s*(;\s*q=(0\.0*[1-9]|1)[\d.]*\s*)?(,|$)/i.test(String(accepted ?? ''));
}
