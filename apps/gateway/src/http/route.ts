import { API_PREFIX } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { RESERVED_SEGMENTS } from '@rowhouse/schema-model';
import { serveBatch } from '../batch/serve-batch.js';
import { serveDocsAsset } from '../documents/docs-page-files.js';
import { serveDocs, type DocsServices } from '../documents/serve-docs.js';
import { serveHealth } from '../documents/serve-health.js';
import { serveIndex } from '../documents/serve-index.js';
import { serveOpenApi, servePublicOpenApi } from '../documents/serve-openapi.js';
import { serveSchema } from '../documents/serve-schema.js';
import type { ImportServices } from '../imports/import-job.js';
import { readRowsType } from '../imports/rows-type.js';
import { serveRows } from '../imports/serve-rows.js';
import { serveMcp, type McpServices } from '../mcp/serve-mcp.js';
import { serveQuery } from '../query/serve-query.js';
import { serveSamples, type SampleServices } from '../questions/serve-samples.js';
import { serveRest } from '../rest/serve-rest.js';
import { CACHE_NEVER, preflightHeaders } from './error-response.js';
import type { GatewayResponse, GatewayRequest } from './gateway-request.js';

export interface RouteServices extends McpServices, ImportServices, SampleServices, DocsServices {}

type Serve = (services: RouteServices, request: GatewayRequest) => Promise<GatewayResponse>;

interface FixedRoute {
  readonly methods: readonly string[];
  readonly serve: Serve;
}

const READ = ['GET', 'HEAD'] as const;

/** The endpoints by the first segment after the prefix. They take precedence over tables. */
const FIXED_ROUTES: ReadonlyMap<string, FixedRoute> = new Map<string, FixedRoute>([
  ['', { methods: READ, serve: serveIndex }],
  ['health', { methods: READ, serve: serveHealth }],
  ['schema', { methods: READ, serve: serveSchema }],
  [
    'query',
    {
      methods: [...READ, 'POST'],
      serve: (services, request) =>
        request.method === 'POST' ? serveQuery(services, request) : serveSamples(services, request),
    },
  ],
  ['openapi.json', { methods: READ, serve: serveOpenApi }],
  ['_batch', { methods: ['POST'], serve: serveBatch }],
  ['mcp', { methods: ['POST'], serve: serveMcp }],
]);

/**
 * Selects the handler of a request by the fixed part of its path. Table names are resolved later, because
 * they depend on the schema.
 *
 * @throws AppError when the path or the method is rejected immediately
 */
export function route(services: RouteServices, request: GatewayRequest): Promise<GatewayResponse> {
  const { rawPath } = request;
  if (request.method === 'OPTIONS')
    return Promise.resolve({
      status: 204,
      headers: {
        ...preflightHeaders(request.headers['access-control-request-headers']),
        'Cache-Control': CACHE_NEVER,
      },
      body: null,
    });
  if (!rawPath.startsWith(`${API_PREFIX}/`) && rawPath !== API_PREFIX) return routeOutside(services, request);
  const from = API_PREFIX.length + 1;
  const slash = rawPath.indexOf('/', from);
  const head = slash < 0 ? rawPath.slice(from) : rawPath.slice(from, slash);
  const fixed = slash < 0 ? FIXED_ROUTES.get(head) : undefined;
  if (fixed !== undefined) {
    request.trace.route(`${request.method} /${head}`);
    checkMethod(request, fixed.methods);
    return fixed.serve(services, request);
  }
  request.trace.route(`${request.method} /{table}`);
  if (RESERVED_SEGMENTS.has(head)) return routeDocuments(services, request, rawPath.slice(from).split('/'));
  const rows = request.method === 'POST' ? readRowsType(request.headers['content-type']) : null;
  return rows === null ? serveRest(services, request) : serveRows(services, request, rows);
}

/**
 * The rules for crawlers. They may read the docs of a database whose address they know, for example as the
 * agent of a user. The docs themselves forbid search engines to list them.
 */
const ROBOTS = `User-agent: *\nDisallow: /\nAllow: ${API_PREFIX}/docs/\nAllow: ${API_PREFIX}/openapi/\n`;

/** Returns whether a path requires a key. */
export function takesKey(rawPath: string): boolean {
  if (rawPath === '/mcp') return true;
  if (!rawPath.startsWith(`${API_PREFIX}/`)) return false;
  const [head = '', ...rest] = rawPath.slice(API_PREFIX.length + 1).split('/', 2);
  if (rest.length === 0 && FIXED_ROUTES.has(head)) return head !== 'health';
  return !RESERVED_SEGMENTS.has(head);
}

/** Serves the documents that need no key. */
async function routeDocuments(
  services: RouteServices,
  request: GatewayRequest,
  segments: readonly string[],
): Promise<GatewayResponse> {
  const [head, slug = '', name = ''] = segments;
  if ((head === 'docs' || head === 'openapi') && slug === '')
    throw new AppError('request.not_found', {
      detail: 'The API documentation of a database has a separate URL.',
      hint:
        `GET ${API_PREFIX}/ returns the URL in links.docs if the key can see every table. To get the ` +
        `OpenAPI document with a key, use GET ${API_PREFIX}/openapi.json.`,
    });
  const isKnown = (head === 'openapi' || head === 'docs') && slug !== '' && segments.length <= 4;
  if (!isKnown) throw new AppError('request.not_found');
  request.trace.route(`${request.method} /${head}`);
  checkMethod(request, READ);
  if (head === 'docs' && slug === 'assets' && segments.length === 3) return serveDocsAsset(request, name);
  if (head === 'docs') return serveDocs(services, request, slug, segments.slice(2).join('/'));
  if (segments.length !== 2) throw new AppError('request.not_found');
  return servePublicOpenApi(services, request, slug);
}

async function routeOutside(services: RouteServices, request: GatewayRequest): Promise<GatewayResponse> {
  const segments = request.rawPath.slice(1).split('/');
  const [head] = segments;
  if (head === 'health' && segments.length === 1) {
    checkMethod(request, READ);
    return serveHealth(services, request);
  }
  if (head === 'mcp' && segments.length === 1) {
    request.trace.route(`${request.method} /mcp`);
    checkMethod(request, ['POST']);
    return serveMcp(services, request);
  }
  if (head === 'robots.txt' && segments.length === 1) {
    request.trace.route(`${request.method} /robots.txt`);
    checkMethod(request, READ);
    return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: ROBOTS };
  }
  // Documents are also served without the version: `/-/openapi/{slug}`.
  const document = head === '-' ? segments.slice(1) : segments;
  if ((document[0] === 'openapi' || document[0] === 'docs') && document.length <= 2)
    return routeDocuments(services, request, document);
  const hint =
    head === '.well-known'
      ? 'OAuth is not supported. Send an API key in Authorization: Bearer.'
      : `The data API is served under ${API_PREFIX}/.`;
  throw new AppError('request.not_found', { hint });
}

function checkMethod(request: GatewayRequest, methods: readonly string[]): void {
  if (methods.includes(request.method)) return;
  const allow = [...methods, 'OPTIONS'].join(', ');
  throw new AppError('request.method_not_allowed', {
    headers: { Allow: allow },
    hint: `Use one of ${allow}.`,
  });
}
