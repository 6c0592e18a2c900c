import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@rowhouse/errors';
import type { GatewayRequest, GatewayResponse } from '../http/gateway-request.js';
import { cacheBytes, type CachedDocument } from './cached-document.js';

export interface DocsAsset {
  /** The file name below `assetsPath/`. */
  readonly name: string;
  readonly contentType: string;
  /** The absolute path. */
  readonly file: string;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLES = 'text/css; charset=utf-8';
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files that the Swagger page loads. No other file of the package is served. */
export const swaggerAssets: readonly DocsAsset[] = [
  { name: 'swagger-ui.css', contentType: STYLES, file: join(swaggerUi, 'swagger-ui.css') },
  { name: 'swagger-ui-bundle.js', contentType: SCRIPT, file: join(swaggerUi, 'swagger-ui-bundle.js') },
  { name: 'favicon-32x32.png', contentType: 'image/png', file: join(swaggerUi, 'favicon-32x32.png') },
  {
    name: 'swagger-page-script.js',
    contentType: SCRIPT,
    file: fileURLToPath(new URL('./swagger-page-script.js', import.meta.url)),
  },
];

/** The folder with the built docs page, which is part of the console's sources. */
export const docsPageFolder = fileURLToPath(new URL('../../../console/dist/docs-page/', import.meta.url));

export interface DocsPageAssets {
  readonly script: string;
  readonly styles: string;
  readonly all: readonly DocsAsset[];
}

let foundAssets: DocsPageAssets | undefined;

/**
 * Finds the files of the docs page. Their names contain a hash of the content, so that browsers can store
 * them for a year.
 *
 * @throws Error when the docs page has not been built
 */
export function findDocsPageAssets(): DocsPageAssets {
  if (foundAssets !== undefined) return foundAssets;
  const names = existsSync(docsPageFolder) ? readdirSync(docsPageFolder) : [];
  const script = names.find((name) => /^docs-page-[\w-]+\.js$/.test(name));
  const styles = names.find((name) => /^docs-page-[\w-]+\.css$/.test(name));
  if (script === undefined || styles === undefined)
    throw new Error(`The docs page is not built: ${docsPageFolder} has no script or style sheet.`);
  const toAsset = (name: string, contentType: string): DocsAsset => ({
    name,
    contentType,
    file: join(docsPageFolder, name),
  });
  foundAssets = { script, styles, all: [toAsset(script, SCRIPT), toAsset(styles, STYLES)] };
  return foundAssets;
}

const files = new Map<string, Promise<CachedDocument>>();

/** Serves the files of both pages, which are the same for every database. They are compressed once. */
export async function serveDocsAsset(request: GatewayRequest, name: string): Promise<GatewayResponse> {
  const isHashed = name.startsWith('docs-page-');
  const asset = (isHashed ? findDocsPageAssets().all : swaggerAssets).find(
    (candidate) => candidate.name === name,
  );
  if (asset === undefined || request.rawQuery !== '') throw new AppError('request.not_found');
  let document = files.get(name);
  if (document === undefined) {
    document = readFile(asset.file).then(cacheBytes);
    files.set(name, document);
    document.catch(() => files.delete(name));
  }
  const { bytes, pack } = await document;
  return {
    status: 200,
    headers: {
      'Content-Type': asset.contentType,
      'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
    },
    body: bytes,
    pack,
  };
}
