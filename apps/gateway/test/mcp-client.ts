import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';

// A test reads any member of any result; what is missing fails its expectation.
type Json = ReturnType<typeof JSON.parse>;

/** What a tool told, opened. */
export interface ToolReply {
  readonly isError: boolean;
  /** For programs. */
  readonly told: Json;
  /** For models: what stood in the fence, read as JSON. */
  readonly fenced: Json;
  /** As it came. */
  readonly text: string;
}

export interface McpClient {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<ToolReply>;
  close(): Promise<void>;
}

/** The official client on the MCP endpoint of a gateway. `era`: of the protocol, before or since 2026. */
export async function openMcp(url: string, key: string, era: 'legacy' | 'modern' = 'legacy', headers: Record<string, string> = {}): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' }, era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {});
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } } }));
  return {
    client,
    call: async (name, args = {}) => openReply((await client.callTool({ name, arguments: args })) as CallToolResult),
    close: () => client.close(),
  };
}

export function openReply(result: CallToolResult): ToolReply {
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  const [, , inside] = /\n<(untrusted-data-[0-9a-f]{16})>\n([^]*)\n<\/\1>$/.exec(text) ?? [];
  if (inside === undefined) throw new Error(`no fence around ${text}`);
  return { isError: result.isError === true, told: result.structuredContent, fenced: JSON.parse(inside), text };
}
