import { ApiError, isRecord } from '../client/api-error.js';
import { toUnreachable } from './call-gateway.js';

/** The information that an MCP server reports to a client that uses this key. */
export interface McpFound {
  readonly title: string;
  /** The negotiated protocol revision. */
  readonly revision: string;
  /** The tools available to the key. */
  readonly tools: readonly string[];
  /** The duration of both requests together, in milliseconds. */
  readonly tookMs: number;
}

const REVISION = '2025-11-25';

/**
 * Tests an MCP server by connecting as an agent does: it initializes a session and lists the tools. Throws
 * `ApiError`.
 */
export async function tryMcp(url: string, secret: string): Promise<McpFound> {
  const startedAt = performance.now();
  const { serverInfo, protocolVersion } = await send(url, secret, {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: REVISION,
      capabilities: {},
      clientInfo: { name: 'rowhouse-console', version: '1' },
    },
  });
  const revision = String(protocolVersion);
  const { tools } = await send(
    url,
    secret,
    { id: 2, method: 'tools/list' },
    { 'Mcp-Protocol-Version': revision },
  );
  const [title = 'An MCP server'] = isRecord(serverInfo)
    ? [serverInfo['title'], serverInfo['name']].filter((text) => typeof text === 'string')
    : [];
  return {
    title,
    revision,
    tools: Array.isArray(tools) ? tools.filter(isRecord).map((tool) => String(tool['name'])) : [],
    tookMs: performance.now() - startedAt,
  };
}

/** Sends one MCP message and returns the result. */
async function send(
  url: string,
  secret: string,
  message: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${secret}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  }).catch(() => {
    throw toUnreachable(new URL(url).origin);
  });
  const body: unknown = await response.json().catch(() => null);
  if (isRecord(body) && isRecord(body['result'])) return body['result'];
  throw new ApiError(response.status, toRejection(body), response.headers.get('x-request-id'));
}

/**
 * Converts an error of the MCP protocol to the form of gateway errors. Gateway errors are returned unchanged.
 */
function toRejection(body: unknown): unknown {
  if (!isRecord(body)) return { detail: 'The server didn’t respond with MCP.' };
  if (!isRecord(body['error'])) return body;
  const { message, code, data } = body['error'];
  return {
    detail: String(message),
    code: isRecord(data) && typeof data['code'] === 'string' ? data['code'] : `mcp.${String(code)}`,
  };
}
