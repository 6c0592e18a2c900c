import { API_PREFIX, readImageUrl, type DatabaseRecord } from '@rowhouse/contracts';
import {
  emitReferenceSteps,
  emitTypeScriptSteps,
  writeIndexPage,
  writeLlmsText,
  writeTablePage,
  type ApiReference,
  type DocsAddresses,
} from '@rowhouse/emitters';
import { AppError, toAppError } from '@rowhouse/errors';
import { runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import type { GatewayRequest, GatewayResponse } from '../http/gateway-request.js';
import { onLiveSchema } from '../schema/on-live-schema.js';
import type { TenantDatabase } from '../tenant/tenant.js';
import { toPublicView } from '../tenant/to-tenant.js';
import { cacheDocument, type CachedDocument } from './cached-document.js';
import { findDocsPageAssets } from './docs-page-files.js';
import { findPublished, type PublishedServices } from './find-published.js';
import { renderDocsPage, renderMissingPage, renderSwaggerPage } from './render-docs-page.js';
import { toDocumentOptions, type DocumentServices } from './serve-openapi.js';

export interface DocsServices extends DocumentServices, PublishedServices {
  readonly consoleUrl: string | undefined;
}

const ASSETS_PATH = `${API_PREFIX}/docs/assets`;
/** The maximum number of texts that are cached for one schema version of a database. */
const TEXTS_MAX = 50;
const MARKDOWN = 'text/markdown; charset=utf-8';
/** The files of the TypeScript client without the zod schemas, which need a package. */
const CLIENT_FILES = /^client\/((?:client|runtime|types)\.ts)$/;

/**
 * `GET /v1/-/docs/{docs_slug}` and the addresses below it: serves the API reference of a database as a page,
 * as Markdown and as JSON, and the page with Swagger UI.
 *
 * @param name the path below the docs page, such as `index.md`. Empty for the page itself
 */
export async function serveDocs(
  services: DocsServices,
  request: GatewayRequest,
  slug: string,
  name: string,
): Promise<GatewayResponse> {
  if (name !== '' && name !== 'swagger') return serveDocsFile(services, request, slug, name);
  try {
    const { record } = await findPublished(services, request, slug);
    const isSwagger = name === 'swagger' || new URLSearchParams(request.rawQuery).get('view') === 'swagger';
    const page = isSwagger ? toSwaggerPage(services, record) : toDocsPage(services, record);
    return { status: 200, headers: page.headers, body: page.html };
  } catch (error) {
    const rejection = toAppError(error);
    const isBrowser = request.headers.accept?.includes('text/html') === true;
    if (rejection.status !== 404 || !isBrowser) throw error;
    const page = renderMissingPage({ assetsPath: ASSETS_PATH, styles: findDocsPageAssets().styles });
    return { status: 404, headers: page.headers, body: page.html, reportedError: rejection };
  }
}

function toDocsPage({ publicUrl, consoleUrl }: DocsServices, record: DatabaseRecord) {
  const { docsSlug: slug, settings, projectId, environment } = record;
  const { script, styles } = findDocsPageAssets();
  return renderDocsPage({
    title: toTitle(record),
    docsPath: `${API_PREFIX}/docs/${slug}`,
    openApiUrl: `${API_PREFIX}/openapi/${slug}`,
    assetsPath: ASSETS_PATH,
    apiOrigin: publicUrl,
    script,
    styles,
    brand: settings.docs_page,
    accessUrl:
      consoleUrl === undefined
        ? null
        : `${consoleUrl.replace(/\/+$/, '')}/projects/${projectId}/${encodeURIComponent(environment)}/connect?tab=access`,
  });
}

function toSwaggerPage({ publicUrl }: DocsServices, record: DatabaseRecord) {
  return renderSwaggerPage({
    title: toTitle(record),
    openApiUrl: `${API_PREFIX}/openapi/${record.docsSlug}`,
    assetsPath: ASSETS_PATH,
    apiOrigin: publicUrl,
  });
}

function toTitle({ projectName, settings }: DatabaseRecord): string {
  return settings.docs_page?.title ?? projectName;
}

async function serveDocsFile(
  services: DocsServices,
  request: GatewayRequest,
  slug: string,
  name: string,
): Promise<GatewayResponse> {
  const database = await findPublished(services, request, slug);
  if (request.rawQuery !== '')
    throw new AppError('params.invalid', { detail: 'This endpoint has no parameters.' });
  if (name === 'logo') return serveLogo(database.record);
  const view = toPublicView(database.record.settings);
  return onLiveSchema(services, database, view, request.trace, async ({ compiled }) => {
    const { bytes, pack } = await findText(services, compiled, database, name);
    return {
      status: 200,
      headers: {
        'Content-Type': toContentType(name),
        'X-Robots-Tag': 'noindex, nofollow',
        ETag: `"${compiled.number}.${database.record.version}.${view.name.slice(0, 12)}.docs"`,
      },
      body: bytes,
      pack,
    };
  });
}

function serveLogo({ settings, version }: DatabaseRecord): GatewayResponse {
  const image = readImageUrl(settings.docs_page?.logo ?? '');
  if (image === null) throw new AppError('request.not_found');
  return {
    status: 200,
    headers: { 'Content-Type': image.contentType, ETag: `"${version}.logo"` },
    body: Buffer.from(image.base64, 'base64'),
  };
}

function toContentType(name: string): string {
  if (name.endsWith('.json')) return 'application/json; charset=utf-8';
  return name.endsWith('.md') ? MARKDOWN : 'text/plain; charset=utf-8';
}

/** The texts of one schema version, for one version of the database row. */
interface DocsTexts {
  readonly version: number;
  readonly reference: Promise<ApiReference>;
  readonly texts: Map<string, Promise<CachedDocument>>;
}

const written = new WeakMap<CompiledSnapshot, DocsTexts>();

/** Returns a text of the docs. Concurrent callers wait for the same text. */
function findText(
  services: DocsServices,
  compiled: CompiledSnapshot,
  database: TenantDatabase,
  name: string,
): Promise<CachedDocument> {
  const docs = findTexts(services, compiled, database);
  const known = docs.texts.get(name);
  if (known !== undefined) return known;
  const text = writeText(services, compiled, database, docs, name);
  if (docs.texts.size >= TEXTS_MAX) docs.texts.clear();
  docs.texts.set(name, text);
  // Only texts that exist are cached. Otherwise, unknown names could replace them.
  text.catch(() => docs.texts.delete(name));
  return text;
}

function findTexts(services: DocsServices, compiled: CompiledSnapshot, database: TenantDatabase): DocsTexts {
  const { record } = database;
  const known = written.get(compiled);
  if (known !== undefined && known.version === record.version) return known;
  const options = toDocumentOptions(services, compiled, database, toPublicView(record.settings));
  const reference = runStepsInSlices(emitReferenceSteps(compiled.snapshot, options), () =>
    services.scheduler.nextSlice(record.schemaName),
  );
  const docs = { version: record.version, reference, texts: new Map<string, Promise<CachedDocument>>() };
  written.set(compiled, docs);
  reference.catch(() => written.delete(compiled));
  return docs;
}

async function writeText(
  services: DocsServices,
  compiled: CompiledSnapshot,
  { record }: TenantDatabase,
  docs: DocsTexts,
  name: string,
): Promise<CachedDocument> {
  const nextSlice = (): Promise<void> => services.scheduler.nextSlice(record.schemaName);
  const clientFile = CLIENT_FILES.exec(name)?.[1];
  if (clientFile !== undefined) {
    const { hidden_columns: hiddenColumns, number_columns: numberColumns } = record.settings;
    const options = { hiddenColumns, numberColumns, omitHidden: true };
    const steps = emitTypeScriptSteps(compiled.snapshot, options);
    const generated = (await runStepsInSlices(steps, nextSlice)).find(({ path }) => path === clientFile);
    return cacheDocument([generated?.text ?? ''], nextSlice);
  }
  const text = toReferenceText(await docs.reference, services, record, name);
  if (text === null) throw new AppError('request.not_found');
  return cacheDocument([text], nextSlice);
}

function toReferenceText(
  reference: ApiReference,
  { publicUrl }: DocsServices,
  record: DatabaseRecord,
  name: string,
): string | null {
  const base = `${publicUrl.replace(/\/+$/, '')}${API_PREFIX}`;
  const addresses: DocsAddresses = {
    docsUrl: `${base}/docs/${record.docsSlug}`,
    openApiUrl: `${base}/openapi/${record.docsSlug}`,
  };
  const texts = {
    title: toTitle(record),
    ...(record.settings.docs_page?.intro ? { intro: record.settings.docs_page.intro } : {}),
  };
  if (name === 'reference.json') return JSON.stringify(reference);
  if (name === 'llms.txt') return writeLlmsText(reference, addresses, texts);
  if (name === 'index.md') return writeIndexPage(reference, addresses, texts);
  const [, encoded] = /^tables\/([^/]+)\.md$/.exec(name) ?? [];
  const group = encoded === undefined ? undefined : findGroup(reference, encoded);
  return group === undefined ? null : writeTablePage(reference, group);
}

function findGroup(reference: ApiReference, encoded: string) {
  try {
    const wanted = decodeURIComponent(encoded);
    return reference.groups.find(({ name }) => name === wanted);
  } catch {
    // The percent escapes are invalid, so this is the name of no table.
    return undefined;
  }
}
