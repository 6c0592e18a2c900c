import type { Snippet } from '../../ui/code/snippet-tabs.js';
import { quoteForShell } from '@rowhouse/emitters/quote-for-shell';

/**
 * Returns the URL of the MCP server. It is the base URL of the data API without the path `/v1/-`, followed by
 * `/mcp`.
 */
export function toMcpAddress(baseUrl: string): string {
  return `${baseUrl.replace(/\/+$/, '').replace(/\/v1\/-$/, '')}/mcp`;
}

/**
 * Returns the configuration of the MCP server for common clients. If `secret` is null, the configuration
 * contains a placeholder.
 */
export function makeMcpSnippets(baseUrl: string, secret: string | null): Snippet[] {
  const url = toMcpAddress(baseUrl);
  const key = secret ?? '$ROWHOUSE_KEY';
  const gateway = url.slice(0, -'/mcp'.length);
  const toJson = (value: unknown): string => JSON.stringify(value, null, 2);
  const bearer = (token: string): object => ({ Authorization: `Bearer ${token}` });
  const header =
    secret === null
      ? '"Authorization: Bearer $ROWHOUSE_KEY"'
      : quoteForShell(`Authorization: Bearer ${secret}`);
  return [
    {
      label: 'Claude Code',
      language: 'bash',
      place: 'Run this in your project’s folder.',
      code: `claude mcp add --transport http rowhouse ${quoteForShell(url)} --header ${header}`,
    },
    {
      label: 'Cursor',
      language: 'json',
      place: '.cursor/mcp.json',
      code: toJson({ mcpServers: { rowhouse: { url, headers: bearer(key) } } }),
    },
    {
      label: 'VS Code',
      language: 'json',
      place: '.vscode/mcp.json. VS Code asks for the key once and stores it.',
      code: toJson({
        inputs: [
          { id: 'rowhouse-key', type: 'promptString', description: 'Rowhouse API key', password: true },
        ],
        servers: { rowhouse: { type: 'http', url, headers: bearer('${input:rowhouse-key}') } },
      }),
    },
    {
      label: 'Codex',
      language: 'text',
      place: '~/.codex/config.toml. Set ROWHOUSE_KEY to your key.',
      code: `[mcp_servers.rowhouse]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "ROWHOUSE_KEY"`,
    },
    {
      label: 'stdio',
      language: 'json',
      place: 'For clients that run commands. Requires the Rowhouse CLI.',
      code: toJson({
        mcpServers: {
          rowhouse: { command: 'rowhouse', args: ['mcp', '--gateway', gateway], env: { ROWHOUSE_KEY: key } },
        },
      }),
    },
  ];
}
