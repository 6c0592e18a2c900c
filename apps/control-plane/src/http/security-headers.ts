import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** The console may talk to its own origin and to the gateway's, run the scripts that its built page holds and no other inline one, and be framed by nobody. */
export async function setSecurityHeaders(fastify: FastifyInstance, { gatewayUrl, publicUrl, consoleDir }: { readonly gatewayUrl: string; readonly publicUrl: string; readonly consoleDir?: string | undefined }): Promise<void> {
  const pages = consoleDir !== undefined && existsSync(consoleDir) ? await readPages(consoleDir) : [];
  await fastify.register(helmet as never, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...listScriptDigests(pages)],
        connectSrc: ["'self'", new URL(gatewayUrl).origin],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    // Over plain HTTP the header would be ignored; over HTTPS it binds this host alone.
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  } as never);
}

/** Of the built console: all of them, as one policy goes with every answer. */
async function readPages(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.html'));
  return Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8')));
}

/** Of the scripts that stand in pages, each once, as `script-src` names them. */
export function listScriptDigests(pages: readonly string[]): string[] {
  const scripts = pages.flatMap((page) => [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text));
  return [...new Set(scripts)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
