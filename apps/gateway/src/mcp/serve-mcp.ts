import { AppError } from '@rowhouse/errors';
import {
  isTrustedOrigin,
  rejectTooLong,
  rejectUnreadable,
  type McpResponse,
  type McpEndpoint,
} from '@rowhouse/mcp';
import type { JsonValue } from '@rowhouse/rest-engine';
import { CACHE_NEVER } from '../http/error-response.js';
import {
  ClientDisconnectedError,
  type GatewayResponse,
  type GatewayRequest,
} from '../http/gateway-request.js';
import { awaitLargeBody, type LargeBody } from '../limits/await-large-body.js';
import { readJsonBody } from '../rest/read-body.js';
import { openTenant } from '../tenant/open-tenant.js';
import type { Tenant } from '../tenant/tenant.js';
import type { ToolServices } from './data-tool.js';
import { splitMessage } from './split-message.js';
import { createToolbox, type ToolOutcome } from './toolbox.js';

export interface McpServices extends ToolServices {
  /** Implements the MCP protocol. The tools are passed with each message. */
  readonly mcp: McpEndpoint;
  readonly publicUrl: string;
  /**
   * The origin of the console, whose pages may use MCP too. Undefined without a console, or if it has the
   * same origin as the API.
   */
  readonly consoleUrl: string | undefined;
}

/**
 * `POST /mcp`: serves one MCP message with the tools that its key may use. A tool does the same as a request
 * to the HTTP API, with the same code, rights and limits. One message counts as one request for the rate and
 * the concurrency.
 */
export async function serveMcp(services: McpServices, request: GatewayRequest): Promise<GatewayResponse> {
  const { tenant: first, admitted } = await openTenant(services, request);
  let large: LargeBody | null = null;
  try {
    checkOrigin(services, request, first);
    large = await awaitLargeBody(services, request, first);
    const tenant = large?.tenant ?? first;
    const body = await readMessage(request, large);
    if (body === null) return toHttp(rejectUnreadable('the body is not valid JSON.'), admitted.headers);
    const outcome: ToolOutcome = { error: null, isClientDisconnected: false };
    const { message, args } = splitMessage(body);
    if (message === null) return toHttp(rejectTooLong(), admitted.headers);
    const toolbox = createToolbox({ services, request, tenant }, args, outcome);
    const response = await services.mcp.serve({ headers: request.headers, message }, toolbox);
    if (outcome.isClientDisconnected) throw new ClientDisconnectedError();
    noteRoute(request);
    return {
      ...toHttp(response, admitted.headers),
      ...(outcome.error === null ? {} : { reportedError: outcome.error }),
    };
  } finally {
    large?.leave();
    admitted.release();
  }
}

/** Checks the Origin. A key with its own list of origins has already been checked against it. */
function checkOrigin(
  services: Pick<McpServices, 'publicUrl' | 'consoleUrl'>,
  { headers }: GatewayRequest,
  { key }: Tenant,
): void {
  const origin = key.origins === null ? headers.origin : undefined;
  if (isTrustedOrigin({ host: headers.host, origin }, services.publicUrl, services.consoleUrl)) return;
  throw new AppError('auth.origin_refused', {
    detail: 'MCP rejects requests from web pages of other sites and requests to another host name.',
    hint: `Use ${services.publicUrl}/mcp, or a key that lists this origin.`,
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
