import { readFile } from 'node:fs/promises';
import { AppError } from '@rowhouse/errors';
import { docsAssets } from '../docs/docs-assets.js';
import { renderDocsPage } from '../docs/render-docs-page.js';
import { API_PREFIX } from '../limits.js';
import type { GatewayResponse, GatewayRequest } from './gateway-request.js';
import { findPublished } from './find-published.js';
import type { Gateway } from './gateway.js';

/** `GET /v1/-/docs/{docs_slug}`: serves the interactive page for a database's OpenAPI document. */
export async function serveDocs(
  gateway: Gateway,
  request: GatewayRequest,
  slug: string,
): Promise<GatewayResponse> {
  const { record } = await findPublished(gateway, request, slug);
  const page = renderDocsPage({
    title: record.projectName,
    openApiUrl: `${API_PREFIX}/openapi/${slug}`,
    assetsPath: `${API_PREFIX}/docs/assets`,
    apiOrigin: gateway.publicUrl,
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
