import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';

// A test may read any member of any result. A missing member fails its expectation.
type Json = ReturnType<typeof JSON.parse>;

/** The parsed result of a tool. */
export interface ToolReply {
  readonly isError: boolean;
  /** The structured content, for programs. */
  readonly reported: Json;
  /** The JSON inside the fence, for models. */
  readonly fenced: Json;
  /** The text as received. */
  readonly text: string;
}

export interface McpClient {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<ToolReply>;
  close(): Promise<void>;
}

/**
 * Connects the official client to the MCP endpoint of a gateway. `epoch` selects the protocol before or since
 * 2026.
 */
export async function openMcp(
  url: string,
  key: string,
  epoch: 'legacy' | 'modern' = 'legacy',
  headers: Record<string, string> = {},
): Promise<McpClient> {
  const client = new Client(
    { name: 'test', version: '1' },
    epoch === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
    }),
  );
  return {
    client,
    call: async (name, args = {}) =>
      openReply((await client.callTool({ name, arguments: args })) as CallToolResult),
    close: () => client.close(),
  };
}

export function openReply(result: CallToolResult): ToolReply {
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  const [, , inside] = /\n<(untrusted-data-[0-9a-f]{16})>\n([^]*)\n<\/\1>$/.exec(text) ?? [];
  if (inside === undefined) throw new Error(`no fence around ${text}`);
  return {
    isError: result.isError === true,
    reported: result.structuredContent,
    fenced: JSON.parse(inside),
    text,
  };
}
