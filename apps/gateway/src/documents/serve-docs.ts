import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_PREFIX } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { findPublished, type PublishedServices } from './find-published.js';
import { renderDocsPage } from './render-docs-page.js';

interface DocsAsset {
  /** The file name below `assetsPath/`. */
  readonly name: string;
  readonly contentType: string;
  /** The absolute path. */
  readonly file: string;
}

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files that the docs page loads. No other file of the package is served. */
export const docsAssets: readonly DocsAsset[] = [
  { name: 'swagger-ui.css', contentType: 'text/css; charset=utf-8', file: join(swaggerUi, 'swagger-ui.css') },
  {
    name: 'swagger-ui-bundle.js',
    contentType: 'text/javascript; charset=utf-8',
    file: join(swaggerUi, 'swagger-ui-bundle.js'),
  },
  { name: 'favicon-32x32.png', contentType: 'image/png', file: join(swaggerUi, 'favicon-32x32.png') },
  {
    name: 'docs-page-script.js',
    contentType: 'text/javascript; charset=utf-8',
    file: fileURLToPath(new URL('./docs-page-script.js', import.meta.url)),
  },
];

/** `GET /v1/-/docs/{docs_slug}`: serves the interactive page for a database's OpenAPI document. */
export async function serveDocs(
  services: PublishedServices & { readonly publicUrl: string },
  request: GatewayRequest,
  slug: string,
): Promise<GatewayResponse> {
  const { record } = await findPublished(services, request, slug);
  const page = renderDocsPage({
    title: record.projectName,
    openApiUrl: `${API_PREFIX}/openapi/${slug}`,
    assetsPath: `${API_PREFIX}/docs/assets`,
    apiOrigin: services.publicUrl,
  });
  return { status: 200, headers: page.headers, body: page.html };
}

const files = new Map<string, Promise<Buffer>>();

/** Serves the files of the page, which are the same for every database. */
export async function serveDocsAsset(name: string): Promise<GatewayResponse> {
  const asset = docsAssets.find((candidate) => candidate.name === name);
  if (asset === undefined) throw new AppError('request.not_found');
  let bytes = files.get(name);
  if (bytes === undefined) {
    bytes = readFile(asset.file);
    files.set(name, bytes);
    bytes.catch(() => files.delete(name));
  }
  return {
    status: 200,
    headers: { 'Content-Type': asset.contentType, 'Cache-Control': 'public, max-age=86400' },
    body: await bytes,
  };
}
