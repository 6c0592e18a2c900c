import { AppError } from '@rowhouse/errors';
import { isTrustedOrigin, rejectTooLong, rejectUnreadable, type McpResponse } from '@rowhouse/mcp';
import type { JsonValue } from '@rowhouse/rest-engine';
import type { Admission } from '../../tenant/admission.js';
import type { Tenant } from '../../tenant/tenant.js';
import { awaitLargeBody, type LargeBody } from '../await-large-body.js';
import { ClientDisconnectedError, type GatewayResponse, type GatewayRequest } from '../gateway-request.js';
import type { Gateway } from '../gateway.js';
import { isLargeBody, type LargeBodies } from '../large-bodies.js';
import { openTenant } from '../open-tenant.js';
import { readJsonBody } from '../read-body.js';
import { CACHE_NEVER } from '../response-headers.js';
import { splitMessage } from './split-message.js';
import { createToolbox, type ToolOutcome } from './toolbox.js';

/**
 * `POST /mcp`: serves one MCP message with the tools that its key may use. A tool does the same as a request
 * to the HTTP API, with the same code, rights and limits. One message counts as one request for the rate and
 * the concurrency.
 */
export async function serveMcp(gateway: Gateway, request: GatewayRequest): Promise<GatewayResponse> {
  const { tenant: first, admitted } = await openTenant(gateway, request);
  let large: LargeBody | null = null;
  try {
    checkOrigin(gateway, request, first);
    large = await awaitLargeBody(gateway, request, first);
    const tenant = large?.tenant ?? first;
    const body = await readMessage(request, large);
    if (body === null) return toHttp(rejectUnreadable('the body is not a JSON text.'), admitted.headers);
    const outcome: ToolOutcome = { refused: null, isClientGone: false };
    const { message, args } = splitMessage(body);
    if (message === null) return toHttp(rejectTooLong(), admitted.headers);
    const toolbox = createToolbox(
      { gateway: { ...gateway, admission: ADMITTED, bodies: PLACED }, request, tenant },
      args,
      outcome,
    );
    const answer = await gateway.mcp.serve({ headers: request.headers, message }, toolbox);
    if (outcome.isClientGone) throw new ClientDisconnectedError();
    noteRoute(request);
    return {
      ...toHttp(answer, admitted.headers),
      ...(outcome.refused === null ? {} : { refused: outcome.refused }),
    };
  } finally {
    large?.leave();
    admitted.release();
  }
}

/** Admits everything. The message was already admitted, and its tool call is the same request. */
const ADMITTED: Admission = {
  admit: () => ({ headers: {}, release: () => undefined }),
  settleRates: () => [],
  noteOthers: () => undefined,
  sweep: () => undefined,
};

/**
 * Admits every body immediately. The message has already been admitted, and keeps its slot until the tool is
 * done, because the parsed body is many times its size.
 */
const PLACED: LargeBodies = {
  turn: (_schemaName, body) => (isLargeBody(body) ? Promise.resolve(() => undefined) : null),
  hold: () => ({ resize: () => undefined, end: () => undefined }),
  sweep: () => undefined,
};

/** Checks the Origin. A key with its own list of origins has already been checked against it. */
function checkOrigin(gateway: Gateway, { headers }: GatewayRequest, { key }: Tenant): void {
  const origin = key.origins === null ? headers.origin : undefined;
  if (isTrustedOrigin({ host: headers.host, origin }, gateway.publicUrl, gateway.consoleUrl)) return;
  throw new AppError('auth.origin_refused', {
    detail: 'MCP is not served to pages of other sites, nor on this machine under a name of another.',
    hint: `Use the address ${gateway.publicUrl}/mcp, or a key that names this origin.`,
  });
}

/**
 * Parses the message without loss, since ids may have more digits than a double. Returns null when it is not
 * JSON.
 */
async function readMessage(request: GatewayRequest, large: LargeBody | null): Promise<JsonValue | null> {
  try {
    return (large === null ? readJsonBody(request) : await large.read()) ?? null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'request.malformed_json') return null;
    throw error;
  }
}

/** Restores the route for the log. The routes used by the tool count as if they were called individually. */
function noteRoute({ trace, method }: GatewayRequest): void {
  const { route, alsoRoutes } = trace.read();
  const own = `${method} /mcp`;
  if (route === own) return;
  trace.alsoRoutes([...(alsoRoutes ?? []), ...(route.endsWith('/_batch') ? [] : [route])]);
  trace.route(own);
}

function toHttp(
  { status, contentType, body }: McpResponse,
  headers: Readonly<Record<string, string>>,
): GatewayResponse {
  return {
    status,
    headers: {
      ...(contentType === null ? {} : { 'Content-Type': contentType }),
      'Cache-Control': CACHE_NEVER,
      ...headers,
    },
    body,
  };
}
