import { hostname } from 'node:os';
import type { SessionResponse, TokenItem, TokenResponse } from '@rowhouse/contracts';
import { ControlApi } from '../api/control-api.js';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import { findConfigFile, readUserConfig, writeUserConfig } from '../config/user-config.js';
import type { Context } from '../context.js';
import { makeDeleteCommand } from '../delete-command.js';
import { makeListCommand } from '../list-command.js';

const login: Command = {
  name: 'login',
  about: 'Sign in and store a personal access token',
  options: {
    email: { type: 'string', value: 'EMAIL', about: 'your email address; prompted for if omitted' },
    'password-stdin': { type: 'boolean', about: 'read the password from standard input' },
    code: {
      type: 'string',
      value: 'CODE',
      about: 'a code of your authenticator app, or a recovery code; prompted for if needed',
    },
    'token-stdin': {
      type: 'boolean',
      about: 'read a personal access token from standard input instead of signing in',
    },
    name: {
      type: 'string',
      value: 'NAME',
      about: 'the name of the token; default: the name of this machine',
    },
  },
  examples: [
    'rowhouse login --url https://rowhouse.example.com',
    'printf %s "$PASSWORD" | rowhouse login --email me@example.com --password-stdin',
    'printf %s "$TOKEN" | rowhouse login --token-stdin',
  ],
  notes:
    'The token is stored in a file that only you can read. In CI, set ROWHOUSE_TOKEN and ROWHOUSE_URL instead. ROWHOUSE_TOKEN is never sent to an address that only rowhouse.json names.',
  run: async (ctx) => {
    const url = ctx.url();
    ctx.assertOwnAddress('no password or token is sent there');
    const { token, id, account } = ctx.is('token-stdin') ? await takeToken(ctx, url) : await signIn(ctx, url);
    const config = readUserConfig(ctx.environment);
    writeUserConfig(ctx.environment, {
      ...config,
      current: url,
      servers: { ...config.servers, [url]: { token, tokenId: id, email: account.email } },
    });
    ctx.output.result({ url, email: account.email, config: findConfigFile(ctx.environment) }, () =>
      ctx.output.done(`Signed in to ${url} as ${account.email}. Next: rowhouse projects list`),
    );
  },
};

async function signIn(
  ctx: Context,
  url: string,
): Promise<{ token: string; id: string; account: SessionResponse['account'] }> {
  const { environment: cliEnvironment } = ctx;
  if (!cliEnvironment.isInteractive && (ctx.text('email') === undefined || !ctx.is('password-stdin'))) {
    throw new CliError("Can't prompt for a password without a terminal.", {
      exitCode: EXIT.usage,
      next: 'use --email with --password-stdin, or use --token-stdin',
    });
  }
  const email = ctx.text('email') ?? (await cliEnvironment.ask('Email: '));
  const password = ctx.is('password-stdin')
    ? (await cliEnvironment.readInput()).replace(/\r?\n$/, '')
    : await cliEnvironment.ask('Password: ', { isSecret: true });
  const api = new ControlApi(cliEnvironment, url, null);
  const first = await api.send('POST', '/api/auth/login', { email: email.trim(), password });
  const res = (await needsCode(first)) ? await sendCode(ctx, api, first) : first;
  if (!res.ok)
    throw new CliError(
      res.status === 401
        ? WRONG[res === first ? 'password' : 'code']
        : `${url} returned status ${res.status}.`,
      {
        exitCode: EXIT.signedOut,
        next: res.status === 429 ? 'wait a minute and try again' : `try again, or sign up at ${url}`,
      },
    );
  const session = (await res.json()) as SessionResponse;
  const headers = { cookie: readCookies(res), 'x-csrf-token': session.csrf_token };
  const created = await api.send(
    'POST',
    '/api/tokens',
    { name: ctx.text('name') ?? `rowhouse on ${hostname()}`.slice(0, 100) },
    headers,
  );
  if (!created.ok)
    throw new CliError(`Couldn't create a token at ${url} (status ${created.status}).`, {
      next: `create one at ${url} and use --token-stdin`,
    });
  const { token, id } = (await created.json()) as TokenResponse;
  await api.send('POST', '/api/auth/logout', {}, headers);
  return { token, id, account: session.account };
}

const WRONG = {
  password: "Couldn't sign you in. The email or password is incorrect.",
  code: "Couldn't sign you in. The code is wrong, has expired or was already used.",
};

/** Returns whether the server accepted the password and now needs a code. */
async function needsCode(res: Response): Promise<boolean> {
  if (res.status !== 401) return false;
  const body = (await res
    .clone()
    .json()
    .catch(() => null)) as { readonly code?: unknown } | null;
  return body?.code === 'auth.second_factor_required';
}

/** Sends the code of the second step, with the cookie of the first one. */
async function sendCode(ctx: Context, api: ControlApi, first: Response): Promise<Response> {
  const { environment } = ctx;
  const given = ctx.text('code');
  if (given === undefined && !environment.isInteractive)
    throw new CliError('This account has two-factor authentication.', {
      exitCode: EXIT.usage,
      next: 'add --code CODE, or use --token-stdin',
    });
  const code = given ?? (await environment.ask('Code from your authenticator app, or a recovery code: '));
  return api.send('POST', '/api/auth/second-factor', { code: code.trim() }, { cookie: readCookies(first) });
}

/** Returns the cookies that a response sets, as the value of a `Cookie` header. */
function readCookies(res: Response): string {
  return res.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

async function takeToken(
  ctx: Context,
  url: string,
): Promise<{ token: string; id: string; account: SessionResponse['account'] }> {
  const token = (await ctx.environment.readInput()).trim();
  if (token === '')
    throw new CliError('Standard input contains no token.', {
      exitCode: EXIT.usage,
      next: 'pipe a personal access token to this command',
    });
  const { account } = await new ControlApi(ctx.environment, url, token).get<SessionResponse>('/api/me');
  return { token, id: '', account };
}

const logout: Command = {
  name: 'logout',
  about: 'Sign out and revoke the stored token',
  examples: ['rowhouse logout'],
  run: async (ctx) => {
    const url = ctx.url();
    const { servers, ...config } = readUserConfig(ctx.environment);
    const { [url]: signedIn, ...others } = servers;
    if (signedIn === undefined)
      throw new CliError(`You're not signed in to ${url}.`, {
        exitCode: EXIT.signedOut,
        next: 'nothing to do',
      });
    writeUserConfig(ctx.environment, { ...config, servers: others });
    if (signedIn.tokenId !== '')
      await new ControlApi(ctx.environment, url, signedIn.token).delete(`/api/tokens/${signedIn.tokenId}`);
    ctx.output.result({ url }, () => ctx.output.done(`Signed out of ${url}.`));
  },
};

const whoami: Command = {
  name: 'whoami',
  about: 'Show your account and organizations',
  examples: ['rowhouse whoami', 'rowhouse whoami --json'],
  run: async (ctx) => {
    const { account, organizations } = await ctx.api().get<SessionResponse>('/api/me');
    ctx.output.result({ url: ctx.url(), account, organizations }, () => {
      ctx.output.line(`${account.email} at ${ctx.url()}`);
      ctx.output.table(
        ['organization', 'role', 'id'],
        organizations.map((organization) => [organization.name, organization.role, organization.id]),
      );
    });
  },
};

const tokens = makeListCommand<TokenItem>({
  name: 'tokens list',
  about: 'List your personal access tokens',
  examples: ['rowhouse tokens list'],
  path: () => '/api/tokens',
  columns: {
    name: (token) => token.name,
    'ends with': (token) => token.last4,
    created: (token) => token.created_at,
    'last used': (token) => token.last_used_at,
    expires: (token) => token.expires_at ?? 'never',
    id: (token) => token.id,
  },
});

const createToken: Command = {
  name: 'tokens create',
  about: 'Create a personal access token; it is shown once',
  args: 'NAME',
  argsMin: 1,
  options: { expires: { type: 'string', value: 'TIME', about: 'the expiry time in ISO 8601' } },
  examples: ['rowhouse tokens create ci --expires 2027-01-01T00:00:00Z'],
  run: async (ctx) => {
    const expires = ctx.text('expires');
    const created = await ctx.api().post<TokenResponse>('/api/tokens', {
      name: ctx.args[0],
      ...(expires === undefined ? {} : { expires_at: expires }),
    });
    ctx.output.result(created, () => {
      ctx.output.line(created.token);
      ctx.output.note(
        "Copy this token now. You won't be able to see it again. To use it, set ROWHOUSE_TOKEN and ROWHOUSE_URL.",
      );
    });
  },
};

const revokeToken = makeDeleteCommand({
  name: 'tokens revoke',
  about: 'Revoke a personal access token',
  examples: ['rowhouse tokens revoke pat_…'],
  path: () => '/api/tokens',
  done: 'Token revoked.',
});

export const accountCommands: readonly Command[] = [login, logout, whoami, tokens, createToken, revokeToken];
