import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const compress = promisify(gzip);

/** Below this the answer fits into the first packet, compressed or not. */
const BYTES_MIN = 1_024;
/** Answers that hold a secret of the session are sent as they are: how long they are shall say nothing of it. */
const WITH_SECRETS: ReadonlySet<string | undefined> = new Set(['/api/me']);

/** Answers to reading calls of who is signed in go out compressed where the client takes that: lists and generated code are a tenth as long then, which a phone waits for. */
export function compressAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (req, reply, payload) => {
    if (req.method !== 'GET' || req.caller === null || typeof payload !== 'string' || payload.length < BYTES_MIN || WITH_SECRETS.has(req.routeOptions.url)) return payload;
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
