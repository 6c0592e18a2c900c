import type { CreatedKeyResponse, KeyResponse, RotatedKeyResponse } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { makeDeleteCommand } from '../delete-command.js';
import { makeListCommand, ofDatabase } from '../list-command.js';

const list = makeListCommand<KeyResponse>({
  name: 'keys list',
  about: 'List the active API keys of a database',
  examples: ['rowhouse keys list', 'rowhouse keys list -d production --json'],
  path: ofDatabase('keys'),
  columns: {
    name: (key) => key.name,
    'ends with': (key) => key.last4,
    scopes: (key) => key.scopes.join(' '),
    tables: (key) => (key.tables === null ? 'all' : Object.keys(key.tables).join(' ')),
    'last used': (key) => key.last_used_at,
    expires: (key) => key.expires_at ?? 'never',
    id: (key) => key.id,
  },
});

const create: Command = {
  name: 'keys create',
  about: 'Create an API key; its secret is shown once',
  args: 'NAME',
  argsMin: 1,
  options: {
    scope: {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      about: 'read, write, delete, query, query:write or schema; repeatable; default: all except query:write',
    },
    table: {
      type: 'string',
      multiple: true,
      value: 'TABLE=VERBS',
      about: 'limit the key to this table, with read, write or delete separated by commas; repeatable',
    },
    origin: {
      type: 'string',
      multiple: true,
      value: 'ORIGIN',
      about: 'limit the key to browsers on this origin; repeatable',
    },
    expires: { type: 'string', value: 'TIME', about: 'the expiry time in ISO 8601' },
  },
  examples: [
    'rowhouse keys create website --scope read',
    'rowhouse keys create importer --table posts=read,write --table tags=read',
    'KEY=$(rowhouse keys create tmp --json | jq -r .secret)',
  ],
  run: async (ctx) => {
    const database = await ctx.database();
    const [scopes, tables, origins, expires] = [
      ctx.texts('scope'),
      ctx.texts('table'),
      ctx.texts('origin'),
      ctx.text('expires'),
    ];
    const key = await ctx.api().post<CreatedKeyResponse>(`/api/databases/${database.id}/keys`, {
      name: ctx.args[0],
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(tables.length === 0 ? {} : { tables: Object.fromEntries(tables.map(readTable)) }),
      ...(origins.length === 0 ? {} : { origins }),
      ...(expires === undefined ? {} : { expires_at: expires }),
    });
    showSecret(ctx, key, `It is valid for ${database.base_url} (${database.environment}).`);
  },
};

function readTable(text: string): [string, string[]] {
  const index = text.lastIndexOf('=');
  if (index < 1)
    throw new CliError(`Invalid value ${text}. Expected TABLE=VERBS.`, {
      exitCode: EXIT.usage,
      next: 'write it like posts=read,write',
    });
  return [text.slice(0, index), text.slice(index + 1).split(',')];
}

function showSecret(ctx: Context, key: CreatedKeyResponse, about: string): void {
  ctx.output.result(key, () => {
    ctx.output.line(key.secret);
    ctx.output.note(`Copy this key now. You won't be able to see it again. ${about}`);
  });
}

const rotate: Command = {
  name: 'keys rotate',
  about: 'Create a new secret with the same permissions; the previous one stays valid for a while',
  ...rotatesById('how long the previous secret stays valid; default: one day'),
  examples: ['rowhouse keys rotate key_… --overlap 3600'],
  run: async (ctx) => {
    const key = await ctx
      .api()
      .post<RotatedKeyResponse>(
        `/api/keys/${encodeURIComponent(ctx.args[0] ?? '')}/rotate`,
        readOverlap(ctx),
      );
    showSecret(ctx, key, `The previous key expires ${key.previous.expires_at ?? 'never'}.`);
  },
};

/** Returns the arguments for rotating a credential. `about` describes the option `--overlap`. */
export function rotatesById(about: string): Pick<Command, 'args' | 'argsMin' | 'options'> {
  return { args: 'ID', argsMin: 1, options: { overlap: { type: 'string', value: 'SECONDS', about } } };
}

/** Parses `--overlap` for keys and connections. */
export function readOverlap(ctx: Context): { overlap_seconds?: number } {
  const seconds = ctx.count('overlap');
  return seconds === undefined ? {} : { overlap_seconds: seconds };
}

const revoke = makeDeleteCommand({
  name: 'keys revoke',
  about: 'Revoke an API key immediately',
  examples: ['rowhouse keys revoke key_…'],
  path: () => '/api/keys',
  done: 'API key revoked.',
});

export const keyCommands: readonly Command[] = [list, create, rotate, revoke];
