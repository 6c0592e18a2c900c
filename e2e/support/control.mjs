// @ts-check
/** The control API as a browser or a script uses it. */
import { randomBytes } from 'node:crypto';
import { send } from './http.mjs';
import { waitFor } from './wait.mjs';

/** @typedef {import('./http.mjs').HttpResponse} TestResponse */
/** @typedef {import('@rowhouse/contracts').DatabaseResponse} Database */

export const END_STATES = ['published', 'reverted', 'failed', 'cancelled', 'needs_attention'];

/**
 * Returns a client of the control API with a session cookie and CSRF token, or a personal access token.
 * @param {string} base
 * @param {{ token?: string }} [options]
 */
export function openControl(base, { token } = {}) {
  const state = { cookie: '', csrf: '' };
  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {Record<string, string>} [headers] override those of the session
   * @returns {Promise<TestResponse>}
   */
  async function call(method, path, body, headers = {}) {
    /** @type {Record<string, string>} */
    const own = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    if (state.cookie !== '') own['Cookie'] = state.cookie;
    if (state.csrf !== '' && method !== 'GET') own['X-CSRF-Token'] = state.csrf;
    const response = await send(base, method, path, { body, headers: { ...own, ...headers } });
    const set = response.headers['set-cookie'];
    if (set !== undefined) state.cookie = set.map((line) => line.split(';')[0]).join('; ');
    if (typeof response.json?.csrf_token === 'string') state.csrf = response.json.csrf_token;
    return response;
  }
  return { base, state, call };
}

/** @typedef {ReturnType<typeof openControl>} Control */

/** @param {string} base @param {{ email: string, password: string }} account @returns {Promise<Control>} */
export async function signIn(base, { email, password }) {
  const control = openControl(base);
  expectStatus(await control.call('POST', '/api/auth/login', { email, password }), [200], 'sign in');
  return control;
}

/**
 * @typedef {object} TestUser
 * @property {Control} control
 * @property {string} email
 * @property {string} password
 * @property {string} key an API key of the development database
 * @property {string} projectId
 * @property {any} answer the response to sign-up
 * @property {Database} development
 * @property {Database} production
 */

/** @param {string} name */
export function uniqueEmail(name) {
  return `${name}-${randomBytes(6).toString('hex')}@example.test`;
}

/**
 * Signs up a new account with a project, whose starter is live in both databases.
 * @param {string} base
 * @param {{ name?: string, starter?: 'blog' | 'shop' | 'empty', project?: string }} [options]
 * @returns {Promise<TestUser>}
 */
export async function signUp(base, { name = 'ann', starter = 'blog', project = 'Blog' } = {}) {
  const control = openControl(base);
  const email = uniqueEmail(name);
  const password = `pass-${randomBytes(9).toString('hex')}`;
  const response = await control.call('POST', '/api/auth/signup', {
    email,
    password,
    name,
    organization: `${name} and co`,
    project,
    starter,
  });
  expectStatus(response, [201, 202], 'sign-up');
  for (const migration of response.json.migrations ?? []) await waitForMigration(control, migration.id);
  return {
    control,
    email,
    password,
    answer: response.json,
    key: response.json.api_key,
    projectId: response.json.project.id,
    ...pickDatabases(response.json.databases),
  };
}

/**
 * Creates another project of an account. Sign-ups are limited per IP address.
 * @param {TestUser} user
 * @param {{ name: string, starter?: 'blog' | 'shop' | 'empty' }} options
 * @returns {Promise<TestUser>}
 */
export async function openProject(user, { name, starter = 'empty' }) {
  const response = await user.control.call('POST', '/api/projects', { name, starter });
  expectStatus(response, [201, 202], 'create a project');
  for (const migration of response.json.migrations ?? []) await waitForMigration(user.control, migration.id);
  const opened = {
    ...user,
    answer: response.json,
    projectId: response.json.id,
    ...pickDatabases(response.json.databases),
  };
  const { secret } = await createKey(opened, { name: 'all' });
  return { ...opened, key: secret };
}

/** @param {Database[]} databases */
function pickDatabases(databases) {
  const development = databases.find((database) => database.environment === 'development');
  const production = databases.find((database) => database.environment === 'production');
  if (development === undefined || production === undefined)
    throw new Error('a project has a development and a production database');
  return { development, production };
}

/** Waits until a new database accepts deploys. @param {string} gateway @param {TestUser} user */
export async function waitUntilProvisioned(gateway, user) {
  await waitFor(
    'the database is provisioned',
    async () =>
      (await send(gateway, 'GET', '/v1/-/schema', { headers: { Authorization: `Bearer ${user.key}` } }))
        .status === 200,
    { timeoutMs: 60_000 },
  );
}

/**
 * Deploys SQL to one database and waits until its migration ends.
 * @param {TestUser} user
 * @param {string} sql
 * @param {{ database?: string, accept_loss?: boolean, control?: Control }} [options]
 */
export async function deploy(
  user,
  sql,
  { database = user.development.id, accept_loss, control = user.control } = {},
) {
  const body = { targets: [{ database }], sql, ...(accept_loss === undefined ? {} : { accept_loss }) };
  const response = await control.call('POST', `/api/projects/${user.projectId}/deploy`, body);
  expectStatus(response, [200, 201, 202], 'deploy');
  const id = response.json.migrations[0].id;
  const migration = await waitForMigration(control, id);
  if (migration.state !== 'published')
    throw new Error(`migration ${id} ended ${migration.state}: ${JSON.stringify(migration.error)}`);
  return migration;
}

/**
 * Starts a deploy to the development database. Accepts data loss and confirms the plan if required.
 * @param {TestUser} user
 * @param {string} sql
 * @returns {Promise<string>} the id of the migration
 */
export async function beginDeploy(user, sql) {
  const body = { targets: [{ database: user.development.id }], sql, accept_loss: true };
  let response = await user.control.call('POST', `/api/projects/${user.projectId}/deploy`, body);
  const hash =
    response.status === 409 ? (response.json.plans?.[0]?.hash ?? response.json.plan?.hash) : undefined;
  if (hash !== undefined)
    response = await user.control.call('POST', `/api/projects/${user.projectId}/deploy`, {
      ...body,
      confirm: [hash],
    });
  expectStatus(response, [200, 201, 202], 'deploy');
  return response.json.migrations[0].id;
}

/** @param {Control} control @param {string} id @param {number} [timeoutMs] @returns {Promise<any>} */
export function waitForMigration(control, id, timeoutMs = 60_000) {
  return waitFor(
    `migration ${id} ends`,
    async () => {
      const response = await control.call('GET', `/api/migrations/${id}`);
      expectStatus(response, [200], 'migration');
      return END_STATES.includes(response.json.state) ? response.json : undefined;
    },
    { timeoutMs, intervalMs: 25 },
  );
}

/**
 * @param {TestUser} user
 * @param {Record<string, unknown>} body
 * @param {string} [database]
 * @returns {Promise<{ id: string, secret: string, [member: string]: any }>}
 */
export async function createKey(user, body, database = user.development.id) {
  const response = await user.control.call('POST', `/api/databases/${database}/keys`, body);
  expectStatus(response, [201], 'create a key');
  return response.json;
}

/**
 * @param {TestUser} user
 * @param {{ name: string, role: 'owner' | 'read-write' | 'read-only', expires_at?: string }} body
 * @param {string} [database]
 * @returns {Promise<import('@rowhouse/contracts').CreatedConnectionResponse>}
 */
export async function createConnection(user, body, database = user.development.id) {
  const response = await user.control.call('POST', `/api/databases/${database}/connections`, body);
  expectStatus(response, [201], 'create a connection');
  return response.json;
}

/** @param {TestResponse} response @param {number[]} expected @param {string} what */
export function expectStatus(response, expected, what) {
  if (!expected.includes(response.status))
    throw new Error(`${what}: answered ${response.status} ${response.text.slice(0, 500)}`);
}
