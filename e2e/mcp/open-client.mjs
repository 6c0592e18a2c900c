// @ts-check
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readToolReply } from '@rowhouse/testkit';
import { CLI } from './stdio-front.mjs';

/** @typedef {'legacy' | 'modern'} Era the era of the protocol: before 2026, or 2026 and later */

/**
 * Connects the official client to an address.
 * @param {string} url the address of `/mcp`
 * @param {string} bearer
 * @param {Era} [era]
 */
export async function openHttpClient(url, bearer, era = 'legacy') {
  return open(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${bearer}` } },
    }),
    era,
  );
}

/**
 * Connects the official client to `rowhouse mcp`, which it runs as its program.
 * @param {import('./stdio-front.mjs').StdioUse} use
 * @param {Era} [era]
 */
export async function openStdioClient({ args, env }, era = 'legacy') {
  return open(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', ...args],
      env,
      stderr: 'inherit',
    }),
    era,
  );
}

/** @param {import('@modelcontextprotocol/client').Transport} transport @param {Era} era */
async function open(transport, era) {
  const client = new Client(
    { name: 'journey', version: '1' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  await client.connect(transport);
  return {
    client,
    /** @param {string} name @param {Record<string, unknown>} [args] */
    call: async (name, args = {}) =>
      readToolReply(/** @type {any} */ (await client.callTool({ name, arguments: args }))),
    listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    close: () => client.close(),
  };
}
