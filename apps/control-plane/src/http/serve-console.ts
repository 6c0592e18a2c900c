import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { AppError } from '@rowhouse/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readFirstFiles } from './first-files.js';

const YEAR_SECONDS = 31_536_000;

/** Serves the built console: files that exist, and index.html for every other path outside /api. The folder is read once. */
export async function serveConsole(fastify: FastifyInstance, consoleDir: string | undefined): Promise<void> {
  const folder = consoleDir === undefined ? undefined : resolve(consoleDir);
  const isBuilt = folder !== undefined && existsSync(join(folder, 'index.html'));
  if (!isBuilt) return;
  const [files, linksOf] = await Promise.all([listFiles(folder), readFirstFiles(folder)]);
  // Beside a file may lie its copies with .br and .gz; the client's Accept-Encoding chooses.
  await fastify.register(fastifyStatic as never, { root: folder, serve: false, cacheControl: false, etag: true, preCompressed: true } as never);
  fastify.get('/*', (req: FastifyRequest, reply: FastifyReply) => {
    const path = decodePath(req);
    if (path === 'api' || path.startsWith('api/')) throw new AppError('request.not_found', { detail: `Nothing is served at ${req.method} /${path}.` });
    const name = files.has(path) ? path : 'index.html';
    // Vite writes a hash of the content into the names below assets/.
    const isHashed = name.startsWith('assets/');
    if (!isHashed && name !== path && path.startsWith('assets/')) throw new AppError('request.not_found');
    const links = name === 'index.html' ? linksOf(path) : undefined;
    if (links !== undefined) reply.header('link', links);
    return reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache').sendFile(name);
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
  return new Set(entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')));
}
