import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { AppError } from '@rowhouse/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readFirstFiles } from './preload-files.js';

/** The console has nothing for search engines, because its pages need a signed-in user. */
const ROBOTS = 'User-agent: *\nDisallow: /\n';
const YEAR_SECONDS = 31_536_000;

/**
 * Headers that have an effect only on pages. Scripts and style sheets are sent without them, because most of
 * these files are shorter than the headers. `nosniff`, the resource policy and HSTS are set on all responses.
 */
const OF_PAGES = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

/**
 * Serves the built console. An existing file is sent. For any other path outside of /api, the page of the
 * screen or index.html is sent. The folder is read once. If a request for the data API was sent to the
 * control plane, the error contains the right address, `gatewayUrl`.
 */
export async function serveConsole(
  fastify: FastifyInstance,
  consoleDir: string | undefined,
  gatewayUrl: string,
): Promise<void> {
  const folder = consoleDir === undefined ? undefined : resolve(consoleDir);
  const isBuilt = folder !== undefined && existsSync(join(folder, 'index.html'));
  if (!isBuilt) return;
  const [files, findFirst] = await Promise.all([listFiles(folder), readFirstFiles(folder)]);
  // The compressed copies of files (.br and .gz) are selected by the Accept-Encoding header.
  await fastify.register(
    fastifyStatic as never,
    { root: folder, serve: false, cacheControl: false, etag: true, preCompressed: true } as never,
  );
  if (!files.has('robots.txt'))
    fastify.get('/robots.txt', (_req: FastifyRequest, reply: FastifyReply) =>
      reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8').send(ROBOTS),
    );
  fastify.get('/*', (req: FastifyRequest, reply: FastifyReply) => {
    const path = decodePath(req);
    if (path === 'api' || path.startsWith('api/'))
      throw new AppError('request.not_found', { detail: `There is no endpoint at ${req.method} /${path}.` });
    if (path === 'v1' || path.startsWith('v1/'))
      throw new AppError('request.not_found', { hint: `The data API is served at ${gatewayUrl}/v1/-/.` });
    // MCP clients look for an authorization server at these paths, and cannot parse an HTML page.
    if (/^\.well-known(\/|$)/.test(path) && !files.has(path))
      throw new AppError('request.not_found', {
        hint: 'OAuth is not supported. Send a personal access token in Authorization: Bearer.',
      });
    const first = files.has(path) ? undefined : findFirst(path);
    const name = files.has(path) ? path : (first?.page ?? 'index.html');
    // File names below assets/ contain a content hash.
    const isHashed = name.startsWith('assets/');
    if (!isHashed && name !== path && path.startsWith('assets/')) throw new AppError('request.not_found');
    if (first !== undefined) reply.header('link', first.links);
    if (isHashed) for (const header of OF_PAGES) reply.removeHeader(header);
    return reply
      .header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
      .sendFile(name);
  });
}

function decodePath(req: FastifyRequest): string {
  const raw = (req.url.split('?')[0] ?? '/').slice(1);
  try {
    return decodeURIComponent(raw);
  } catch (error) {
    throw new AppError('request.bad_escape', { cause: error });
  }
}

async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );
}
