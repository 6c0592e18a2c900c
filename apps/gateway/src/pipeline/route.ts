import { AppError } from '@rowhouse/errors';
import { RESERVED_SEGMENTS } from '@rowhouse/schema-model';
import { API_PREFIX } from '../limits.js';
import { serveBatch } from './batch/serve-batch.js';
import type { GatewayResponse, GatewayRequest } from './gateway-request.js';
import type { Gateway } from './gateway.js';
import { readRowsType } from './imports/rows-type.js';
import { serveRows } from './imports/serve-rows.js';
import { serveMcp } from './mcp/serve-mcp.js';
import { CACHE_NEVER, preflightHeaders } from './response-headers.js';
import { serveDocs, serveDocsAsset } from './serve-docs.js';
import { serveHealth } from './serve-health.js';
import { serveIndex } from './serve-index.js';
import { serveOpenApi, servePublicOpenApi } from './serve-openapi.js';
import { serveQuery } from './serve-query.js';
import { serveRest } from './serve-rest.js';
import { serveSamples } from './serve-samples.js';
import { serveSchema } from './serve-schema.js';

type Serve = (gateway: Gateway, request: GatewayRequest) => Promise<GatewayResponse>;

interface Special {
  readonly methods: readonly string[];
  readonly serve: Serve;
}

const READ = ['GET', 'HEAD'] as const;

/** The endpoints by the first segment after the prefix. They take precedence over tables. */
const SPECIALS: ReadonlyMap<string, Special> = new Map([
  ['', { methods: READ, serve: serveIndex }],
  ['health', { methods: READ, serve: serveHealth }],
  ['schema', { methods: READ, serve: serveSchema }],
  [
    'query',
    {
      methods: [...READ, 'POST'],
      serve: (gateway, request) =>
        request.method === 'POST' ? serveQuery(gateway, request) : serveSamples(gateway, request),
    },
  ],
  ['openapi.json', { methods: READ, serve: serveOpenApi }],
  ['_batch', { methods: ['POST'], serve: serveBatch }],
  ['mcp', { methods: ['POST'], serve: serveMcp }],
]);

/**
 * Selects the handler of a call. Only the fixed part of the path is used, because tables depend on the
 * schema.
 *
 * @throws AppError when the path or the method is rejected immediately
 */
export function route(gateway: Gateway, request: GatewayRequest): Promise<GatewayResponse> {
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
  if (!rawPath.startsWith(`${API_PREFIX}/`) && rawPath !== API_PREFIX) return routeOutside(gateway, request);
  const from = API_PREFIX.length + 1;
  const slash = rawPath.indexOf('/', from);
  const head = slash < 0 ? rawPath.slice(from) : rawPath.slice(from, slash);
  const special = slash < 0 ? SPECIALS.get(head) : undefined;
  if (special !== undefined) {
    request.trace.route(`${request.method} /${head}`);
    checkMethod(request, special.methods);
    return special.serve(gateway, request);
  }
  request.trace.route(`${request.method} /{table}`);
  if (RESERVED_SEGMENTS.has(head)) return routeDocuments(gateway, request, rawPath.slice(from).split('/'));
  const rows = request.method === 'POST' ? readRowsType(request.headers['content-type']) : null;
  return rows === null ? serveRest(gateway, request) : serveRows(gateway, request, rows);
}

/** Returns whether this address requires a key, by the fixed part of its path. */
export function takesKey(rawPath: string): boolean {
  if (rawPath === '/mcp') return true;
  if (!rawPath.startsWith(`${API_PREFIX}/`)) return false;
  const [head = '', ...rest] = rawPath.slice(API_PREFIX.length + 1).split('/', 2);
  if (rest.length === 0 && SPECIALS.has(head)) return head !== 'health';
  return !RESERVED_SEGMENTS.has(head);
}

/** Serves the documents that need no key. */
async function routeDocuments(
  gateway: Gateway,
  request: GatewayRequest,
  segments: readonly string[],
): Promise<GatewayResponse> {
  const [head, slug = '', name = ''] = segments;
  if ((head === 'docs' || head === 'openapi') && slug === '')
    throw new AppError('request.not_found', {
      detail: 'The documents of a database have an address of their own.',
      hint: `GET ${API_PREFIX}/ with a key that sees every table tells it as links.docs; the console has it under API. With a key: GET ${API_PREFIX}/openapi.json.`,
    });
  const isKnown = (head === 'openapi' || head === 'docs') && slug !== '' && segments.length <= 3;
  if (!isKnown) throw new AppError('request.not_found');
  request.trace.route(`${request.method} /${head}`);
  checkMethod(request, READ);
  if (head === 'docs' && slug === 'assets' && name !== '') return serveDocsAsset(name);
  if (segments.length !== 2) throw new AppError('request.not_found');
  return head === 'openapi' ? servePublicOpenApi(gateway, request, slug) : serveDocs(gateway, request, slug);
}

async function routeOutside(gateway: Gateway, request: GatewayRequest): Promise<GatewayResponse> {
  const segments = request.rawPath.slice(1).split('/');
  const [head] = segments;
  if (head === 'health' && segments.length === 1) {
    checkMethod(request, READ);
    return serveHealth(gateway, request);
  }
  if (head === 'mcp' && segments.length === 1) {
    request.trace.route(`${request.method} /mcp`);
    checkMethod(request, ['POST']);
    return serveMcp(gateway, request);
  }
  // Documents are also served without the version: `/-/openapi/{slug}`.
  const document = head === '-' ? segments.slice(1) : segments;
  if ((document[0] === 'openapi' || document[0] === 'docs') && document.length <= 2)
    return routeDocuments(gateway, request, document);
  const hint =
    head === '.well-known'
      ? 'There is no OAuth here: send an API key in Authorization: Bearer.'
      : `The data API is served under ${API_PREFIX}/.`;
  throw new AppError('request.not_found', { hint });
}

function checkMethod(request: GatewayRequest, methods: readonly string[]): void {
  if (methods.includes(request.method)) return;
  const allow = [...methods, 'OPTIONS'].join(', ');
  throw new AppError('request.method_not_allowed', {
    headers: { Allow: allow },
    hint: `Served here: ${allow}.`,
  });
}
