import type { CreatedKeyResponse, DatabaseResponse } from '@rowhouse/contracts';
import { ControlApi } from '../api/control-api.js';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { forwardMessages } from '../mcp/forward-message.js';

const KEY_LIFE_MS = 12 * 3_600_000;
const READ_SCOPES = ['read', 'query', 'schema'];
const WRITE_SCOPES = ['read', 'write', 'delete', 'query', 'schema'];

export const mcpCommand: Command = {
  name: 'mcp',
  about: 'Run an MCP server over stdin and stdout for AI agents',
  options: {
    projects: {
      type: 'boolean',
      about: 'offer the tools for projects and schemas instead of those for rows',
    },
    write: { type: 'boolean', about: 'allow the temporary key to write and delete' },
    key: {
      type: 'string',
      value: 'KEY',
      about: 'the API key (ROWHOUSE_KEY); default: a temporary read-only key',
    },
    gateway: {
      type: 'string',
      value: 'URL',
      about: 'the address of the data API, for use with a key and without a sign-in (ROWHOUSE_GATEWAY)',
    },
  },
  examples: [
    'rowhouse mcp -p blog',
    'rowhouse mcp -p blog --write',
    'ROWHOUSE_KEY=rh_dev_… rowhouse mcp --gateway https://api.example.org',
    'rowhouse mcp --projects',
  ],
  notes:
    'To configure an agent, use the command rowhouse with the arguments above. Messages are forwarded to the server unchanged.',
  run: async (ctx) => {
    if (ctx.is('projects')) return carry(ctx, ctx.url(), ctx.api().token ?? '');
    const key = ctx.text('key') ?? ctx.environment.env['ROWHOUSE_KEY'];
    const gateway = ctx.text('gateway') ?? ctx.environment.env['ROWHOUSE_GATEWAY'];
    if (key !== undefined) return carry(ctx, gateway ?? (await ctx.database()).base_url, key);
    if (gateway !== undefined)
      throw new CliError('--gateway requires an API key.', {
        exitCode: EXIT.usage,
        next: 'set ROWHOUSE_KEY to an API key, or omit --gateway',
      });
    return carryWithOwnKey(ctx, await ctx.database());
  },
};

/** Revokes the key when the command ends. If the command is killed, the key expires. */
async function carryWithOwnKey(ctx: Context, database: DatabaseResponse): Promise<void> {
  const api = ctx.api();
  const scopes = ctx.is('write') ? WRITE_SCOPES : READ_SCOPES;
  const key = await api.post<CreatedKeyResponse>(`/api/databases/${database.id}/keys`, {
    name: 'rowhouse mcp',
    scopes,
    expires_at: new Date(Date.now() + KEY_LIFE_MS).toISOString(),
  });
  try {
    await carry(ctx, database.base_url, key.secret);
  } finally {
    // When the user stops the command, all other calls are aborted, so this call needs a signal of its own.
    const last = new ControlApi(
      { fetch: ctx.environment.fetch, stopped: new AbortController().signal },
      api.url,
      api.token,
    );
    await last.delete(`/api/keys/${key.id}`);
  }
}

async function carry(
  { environment: cliEnvironment }: Context,
  address: string,
  bearer: string,
): Promise<void> {
  await forwardMessages({
    lines: cliEnvironment.readLines(),
    print: (text) => cliEnvironment.print(text),
    url: toEndpoint(address),
    bearer: bearer.trim(),
    fetch: cliEnvironment.fetch,
  });
}

/** Accepts the address of a server or of its `/mcp` endpoint. */
function toEndpoint(address: string): string {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    throw new CliError(`Invalid address ${address}.`, {
      exitCode: EXIT.usage,
      next: 'use an address that starts with https:// or http://',
    });
  const url = new URL(address);
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith('/mcp')) url.pathname = `${path}/mcp`;
  return url.href;
}
