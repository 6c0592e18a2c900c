import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { readToolReply, type ToolReply } from '@rowhouse/testkit';

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
      readToolReply((await client.callTool({ name, arguments: args })) as CallToolResult),
    close: () => client.close(),
  };
}
