import { expect, it } from 'vitest';
import { makeMcpSnippets, toMcpAddress } from './make-mcp-snippet.js';

it('the MCP URL is derived from a base URL with or without the API prefix', () => {
  for (const base of [
    'https://api.example.org',
    'https://api.example.org/',
    'https://api.example.org/v1/-',
    'https://api.example.org/v1/-/',
  ]) {
    expect(toMcpAddress(base)).toBe('https://api.example.org/mcp');
  }
});

it('MCP snippets have the format that their clients read', () => {
  const snippets = new Map(
    makeMcpSnippets('https://api.example.org/', "rh_dev_x'y").map((snippet) => [snippet.label, snippet.code]),
  );
  expect(snippets.get('Claude Code')).toBe(
    "claude mcp add --transport http rowhouse 'https://api.example.org/mcp' --header 'Authorization: Bearer rh_dev_x'\\''y'",
  );
  expect(JSON.parse(snippets.get('Cursor') ?? '')).toEqual({
    mcpServers: {
      rowhouse: { url: 'https://api.example.org/mcp', headers: { Authorization: "Bearer rh_dev_x'y" } },
    },
  });
  expect(JSON.parse(snippets.get('VS Code') ?? '')).toMatchObject({
    servers: { rowhouse: { type: 'http', headers: { Authorization: 'Bearer ${input:rowhouse-key}' } } },
  });
  expect(JSON.parse(snippets.get('stdio') ?? '')).toMatchObject({
    mcpServers: { rowhouse: { args: ['mcp', '--gateway', 'https://api.example.org'] } },
  });
  expect(snippets.get('Codex')).not.toContain('rh_dev_x');
});

it('an MCP snippet shows a placeholder if the secret of the API key is unknown', () => {
  for (const { code } of makeMcpSnippets('https://api.example.org', null))
    expect(code).toMatch(/ROWHOUSE_KEY|input:rowhouse-key/);
});
