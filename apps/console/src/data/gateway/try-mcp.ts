import { ApiError, isRecord } from '../client/api-error.js';
import { toUnreachable } from './to-unreachable.js';

/** What an MCP server told of itself to this key. */
export interface McpFound {
  readonly title: string;
  /** Of the protocol, that both speak. */
  readonly revision: string;
  /** Names of the tools that the key may use. */
  readonly tools: readonly string[];
  /** Of both messages. */
  readonly tookMs: number;
}

const REVISION = '2025-11-25';

/** What an agent does first: it introduces itself and asks for the tools. Throws `ApiError`. */
export async function tryMcp(url: string, secret: string): Promise<McpFound> {
  const startedAt = performance.now();
  const { serverInfo, protocolVersion } = await send(url, secret, { id: 1, method: 'initialize', params: { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: 'rowhouse-console', version: '1' } } });
  const revision = String(protocolVersion);
  const { tools } = await send(url, secret, { id: 2, method: 'tools/list' }, { 'Mcp-Protocol-Version': revision });
  const [title = 'An MCP server'] = isRecord(serverInfo) ? [serverInfo['title'], serverInfo['name']].filter((text) => typeof text === 'string') : [];
  return {
    title, revision,
    tools: Array.isArray(tools) ? tools.filter(isRecord).map((tool) => String(tool['name'])) : [],
    tookMs: performance.now() - startedAt,
  };
}

/** The result of one message. */
async function send(url: string, secret: string, message: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  }).catch(() => {
    throw toUnreachable(new URL(url).origin);
  });
  const body: unknown = await answer.json().catch(() => null);
  if (isRecord(body) && isRecord(body['result'])) return body['result'];
  throw new ApiError(answer.status, toRefusal(body), answer.headers.get('x-request-id'));
}

/** A fault of the protocol in the form of all others; what the gateway refused before has it already. */
function toRefusal(body: unknown): unknown {
  if (!isRecord(body)) return { detail: 'What answers there does not speak MCP.' };
  if (!isRecord(body['error'])) return body;
  const { message, code, data } = body['error'];
  return { detail: String(message), code: isRecord(data) && typeof data['code'] === 'string' ? data['code'] : `mcp.${String(code)}` };
}
