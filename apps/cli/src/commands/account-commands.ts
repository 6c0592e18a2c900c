import { hostname } from 'node:os';
import type { SessionAnswer, TokenAnswer } from '@rowhouse/contracts';
import { ControlApi } from '../api/control-api.js';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import { findConfigFile, readUserConfig, writeUserConfig } from '../config/user-config.js';
import type { Context } from '../context.js';
import { makeDeleteCommand } from '../delete-command.js';
import { makeListCommand } from '../list-command.js';

interface TokenItem { id: string; name: string; last4: string; created_at: string; expires_at: string | null; last_used_at: string | null }

const login: Command = {
  name: 'login',
  about: 'Sign in and keep a personal access token in your config folder',
  options: {
    email: { type: 'string', value: 'EMAIL', about: 'your address; asked for where it is left out' },
    'password-stdin': { type: 'boolean', about: 'read the password from standard input' },
    'token-stdin': { type: 'boolean', about: 'read a personal access token from standard input instead of signing in' },
    name: { type: 'string', value: 'NAME', about: 'what the token is called; this machine unless said' },
  },
  examples: ['rowhouse login --url https://rowhouse.example.com', 'printf %s "$PASSWORD" | rowhouse login --email me@example.com --password-stdin', 'printf %s "$TOKEN" | rowhouse login --token-stdin'],
  notes: 'The token is kept in a file that you alone can read. In CI, set ROWHOUSE_TOKEN and ROWHOUSE_URL instead: a token of the environment goes to no address that rowhouse.json alone names.',
  run: async (ctx) => {
    const url = ctx.url();
    ctx.assertOwnAddress('nobody is asked for a password, and no token is sent there');
    const { token, id, account } = ctx.is('token-stdin') ? await takeToken(ctx, url) : await signIn(ctx, url);
    const config = readUserConfig(ctx.world);
    writeUserConfig(ctx.world, { ...config, current: url, servers: { ...config.servers, [url]: { token, tokenId: id, email: account.email } } });
    ctx.output.result({ url, email: account.email, config: findConfigFile(ctx.world) }, () => ctx.output.done(`Signed in at ${url} as ${account.email}. Next: rowhouse projects list`));
  },
};

async function signIn(ctx: Context, url: string): Promise<{ token: string; id: string; account: SessionAnswer['account'] }> {
  const { world } = ctx;
  if (!world.isInteractive && (ctx.text('email') === undefined || !ctx.is('password-stdin'))) {
    throw new CliError('Nobody is here to be asked for a password.', { exitCode: EXIT.usage, next: 'give --email and --password-stdin, or --token-stdin' });
  }
  const email = ctx.text('email') ?? (await world.ask('E-mail: '));
  const password = ctx.is('password-stdin') ? (await world.readInput()).replace(/\r?\n$/, '') : await world.ask('Password: ', { isSecret: true });
  const api = new ControlApi(world, url, null);
  const res = await api.send('POST', '/api/auth/login', { email: email.trim(), password });
  if (!res.ok) throw new CliError(res.status === 401 ? 'E-mail and password do not fit.' : `${url} answered ${res.status}.`, { exitCode: EXIT.signedOut, next: res.status === 429 ? 'wait a minute and repeat' : `repeat it, or sign up at ${url}` });
  const session = (await res.json()) as SessionAnswer;
  const headers = { cookie: res.headers.getSetCookie().map((line) => line.split(';')[0]).join('; '), 'x-csrf-token': session.csrf_token };
  const made = await api.send('POST', '/api/tokens', { name: ctx.text('name') ?? `rowhouse on ${hostname()}`.slice(0, 100) }, headers);
  if (!made.ok) throw new CliError(`${url} gave no token (${made.status}).`, { next: `make one at ${url} and use --token-stdin` });
  const { token, id } = (await made.json()) as TokenAnswer;
  await api.send('POST', '/api/auth/logout', {}, headers);
  return { token, id, account: session.account };
}

async function takeToken(ctx: Context, url: string): Promise<{ token: string; id: string; account: SessionAnswer['account'] }> {
  const token = (await ctx.world.readInput()).trim();
  if (token === '') throw new CliError('Standard input held no token.', { exitCode: EXIT.usage, next: 'pipe a personal access token into it' });
  const { account } = await new ControlApi(ctx.world, url, token).get<SessionAnswer>('/api/me');
  return { token, id: '', account };
}

const logout: Command = {
  name: 'logout',
  about: 'Revoke the kept token and forget it',
  examples: ['rowhouse logout'],
  run: async (ctx) => {
    const url = ctx.url();
    const { servers, ...config } = readUserConfig(ctx.world);
    const { [url]: signedIn, ...others } = servers;
    if (signedIn === undefined) throw new CliError(`You are not signed in at ${url}.`, { exitCode: EXIT.signedOut, next: 'nothing has to be done' });
    writeUserConfig(ctx.world, { ...config, servers: others });
    if (signedIn.tokenId !== '') await new ControlApi(ctx.world, url, signedIn.token).delete(`/api/tokens/${signedIn.tokenId}`);
    ctx.output.result({ url }, () => ctx.output.done(`Signed out at ${url}.`));
  },
};

const whoami: Command = {
  name: 'whoami',
  about: 'Who is signed in, where, and in which organizations',
  examples: ['rowhouse whoami', 'rowhouse whoami --json'],
  run: async (ctx) => {
    const { account, organizations } = await ctx.api().get<SessionAnswer>('/api/me');
    ctx.output.result({ url: ctx.url(), account, organizations }, () => {
      ctx.output.line(`${account.email} at ${ctx.url()}`);
      ctx.output.table(['organization', 'role', 'id'], organizations.map((one) => [one.name, one.role, one.id]));
    });
  },
};

const tokens = makeListCommand<TokenItem>({
  name: 'tokens list',
  about: 'Your personal access tokens',
  examples: ['rowhouse tokens list'],
  path: () => '/api/tokens',
  columns: {
    name: (token) => token.name, 'ends with': (token) => token.last4, made: (token) => token.created_at,
    'last used': (token) => token.last_used_at, expires: (token) => token.expires_at ?? 'never', id: (token) => token.id,
  },
});

const createToken: Command = {
  name: 'tokens create',
  about: 'A personal access token for a program; shown once',
  args: 'NAME',
  argsMin: 1,
  options: { expires: { type: 'string', value: 'TIME', about: 'when it ends, ISO 8601' } },
  examples: ['rowhouse tokens create ci --expires 2027-01-01T00:00:00Z'],
  run: async (ctx) => {
    const expires = ctx.text('expires');
    const made = await ctx.api().post<TokenAnswer>('/api/tokens', { name: ctx.args[0], ...(expires === undefined ? {} : { expires_at: expires }) });
    ctx.output.result(made, () => {
      ctx.output.line(made.token);
      ctx.output.note('Keep it: it is not shown again. Programs take it from ROWHOUSE_TOKEN, and where it goes from ROWHOUSE_URL.');
    });
  },
};

const revokeToken = makeDeleteCommand({
  name: 'tokens revoke',
  about: 'End a personal access token',
  examples: ['rowhouse tokens revoke pat_…'],
  path: () => '/api/tokens',
  done: 'Revoked.',
});

export const accountCommands: readonly Command[] = [login, logout, whoami, tokens, createToken, revokeToken];
