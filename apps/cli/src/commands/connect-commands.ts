import type { ConnectionResponse, CreatedConnectionResponse, DatabaseResponse } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import { readOverlap, rotatesById } from './key-commands.js';
import { makeDeleteCommand } from '../delete-command.js';
import { makeListCommand, ofDatabase } from '../list-command.js';

const ROLES = ['owner', 'read-write', 'read-only'];

const connect: Command = {
  name: 'connect',
  about: 'Show how to connect to a database, or create a connection string with --role',
  options: {
    role: {
      type: 'string',
      value: ROLES.join('|'),
      about: 'create a connection user with this role and show its connection string once',
    },
    name: { type: 'string', value: 'NAME', about: 'the name of the connection; default: rowhouse' },
    expires: { type: 'string', value: 'TIME', about: 'the expiry time in ISO 8601' },
  },
  examples: [
    'rowhouse connect',
    'export DATABASE_URL=$(rowhouse connect --role read-write)',
    'rowhouse connect --role read-only --name reports -d production --json',
  ],
  notes: 'Without --role, nothing is created. Create API keys with rowhouse keys create.',
  run: async (ctx) => {
    const database = await ctx.database();
    const role = ctx.text('role');
    if (role === undefined)
      return ctx.output.result(pathsInto(database), () =>
        showWays(database).forEach((line) => ctx.output.line(line)),
      );
    if (!ROLES.includes(role))
      throw new CliError(`Unknown role ${role}.`, {
        exitCode: EXIT.usage,
        next: `choose one of: ${ROLES.join(', ')}`,
      });
    const expires = ctx.text('expires');
    const created = await ctx
      .api()
      .post<CreatedConnectionResponse>(`/api/databases/${database.id}/connections`, {
        name: ctx.text('name') ?? 'rowhouse',
        role,
        ...(expires === undefined ? {} : { expires_at: expires }),
      });
    ctx.output.result(created, () => {
      ctx.output.line(created.connection_string);
      ctx.output.note(
        `Copy this connection string now. You won't be able to see it again. It has the role ${role} on ${database.environment}. To revoke it: rowhouse connections revoke ${created.id}`,
      );
      ctx.output.note(`To use the mariadb client: ${toClientCall(created)}`);
      if (created.ca !== null)
        ctx.output.note(
          'Save the certificate in the current folder first: rowhouse connections ca > rowhouse-ca.pem',
        );
    });
  },
};

/**
 * Returns the command that opens a connection with a client program. It contains no password, because the
 * client asks for it.
 */
function toClientCall({ host, port, user, database, tls, ca }: CreatedConnectionResponse): string {
  const trust = tls ? `${ca === null ? '' : ' --ssl-ca=rowhouse-ca.pem'} --ssl-verify-server-cert` : '';
  return `mariadb --host=${host} --port=${port} --user=${user} --password${trust} ${database}`;
}

function pathsInto(database: DatabaseResponse) {
  return {
    environment: database.environment,
    base_url: database.base_url,
    data_api_url: dataApi(database),
    docs_url: database.docs_url,
  };
}

function dataApi(database: DatabaseResponse): string {
  return `${database.base_url.replace(/\/+$/, '')}/v1/-`;
}

function showWays(database: DatabaseResponse): string[] {
  return [
    `Data API  ${dataApi(database)}`,
    `Docs      ${database.docs_url}`,
    '',
    `curl -H "Authorization: Bearer $ROWHOUSE_KEY" ${dataApi(database)}/`,
    '',
    'API key:            rowhouse keys create NAME',
    'Connection string:  rowhouse connect --role read-write',
    'Python models:      rowhouse code python',
    'TypeScript client:  rowhouse code typescript',
  ];
}

const list = makeListCommand<ConnectionResponse>({
  name: 'connections list',
  about: 'List the connection users of a database',
  examples: ['rowhouse connections list'],
  path: ofDatabase('connections'),
  columns: {
    name: (user) => user.name,
    role: (user) => user.role,
    user: (user) => user.user,
    host: (user) => `${user.host}:${user.port}`,
    created: (user) => user.created_at,
    expires: (user) => user.expires_at ?? 'never',
    id: (user) => user.id,
  },
});

const ca: Command = {
  name: 'connections ca',
  about: 'Print the CA certificate for direct connections as PEM, if the server needs one',
  examples: ['rowhouse connections ca > rowhouse-ca.pem'],
  run: async (ctx) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await ctx.api().download(`/api/databases/${(await ctx.database()).id}/ca`))
      chunks.push(chunk);
    const pem = Buffer.concat(chunks).toString('utf8');
    ctx.output.result({ pem }, () => ctx.output.raw(pem));
  },
};

const rotate: Command = {
  name: 'connections rotate',
  about: 'Create a new password; the previous one stays valid for a while',
  ...rotatesById(
    'how long the previous password stays valid; default: one day. 0 revokes it and ends its sessions',
  ),
  examples: ['rowhouse connections rotate con_…', 'rowhouse connections rotate con_… --overlap 0'],
  run: async (ctx) => {
    const created = await ctx
      .api()
      .post<CreatedConnectionResponse>(
        `/api/connections/${encodeURIComponent(ctx.args[0] ?? '')}/rotate`,
        readOverlap(ctx),
      );
    ctx.output.result(created, () => {
      ctx.output.line(created.connection_string);
      ctx.output.note("Copy this connection string now. You won't be able to see it again.");
    });
  },
};

const revoke = makeDeleteCommand({
  name: 'connections revoke',
  about: 'Revoke a connection user and end its sessions',
  examples: ['rowhouse connections revoke con_…'],
  path: () => '/api/connections',
  done: 'Connection revoked.',
});

export const connectCommands: readonly Command[] = [connect, list, ca, rotate, revoke];
