import { setTimeout as sleep } from 'node:timers/promises';
import { readJsonFile, writeJsonFile } from '../data-folder/json-file.mjs';
import { LauncherError, PNPM } from '../report.mjs';
import { makePassword } from '../servers/start-mysql-server.mjs';
import { sendRequest } from '../processes/send-request.mjs';

/** A slow and busy machine needs a minute or two to plan and deploy the starter. */
const SERVED_DEADLINE_MS = 240_000;

export const DEMO_EMAIL = 'demo@rowhouse.local';

/**
 * @typedef {object} Demo
 * @property {string} email
 * @property {string} password
 * @property {string} project_id
 * @property {string} database_id
 * @property {string} api_key
 * @property {string} docs_url
 */

/** @typedef {{cookie: string, csrf: string}} Session */
/** @typedef {Pick<Demo, 'project_id' | 'database_id' | 'docs_url' | 'api_key'> & {session: Session}} DemoProject */

/**
 * Creates a first account with the example project over the public API. Each step can be repeated, so a start
 * that was interrupted is finished by the next.
 * @param {{controlUrl: string, gatewayUrl: string, file: string, makeOperator: (() => Promise<void>) | null, report: import('../report.mjs').Report}} options
 *   `makeOperator` makes the demo account an operator; null if it should not become one
 * @returns {Promise<Demo>}
 */
export async function provideDemo({ controlUrl, gatewayUrl, file, makeOperator, report }) {
  /** @type {Partial<Demo> & {email: string, password: string, is_operator?: boolean}} */
  const demo = readJsonFile(file) ?? { email: DEMO_EMAIL, password: makePassword().slice(0, 20) };
  // The file is written before the account is created, so that the account's password cannot be lost.
  writeJsonFile(file, demo);
  if (demo.api_key === undefined) {
    report.step('Creating the demo project');
    const { session, ...found } = (await signUp(controlUrl, demo)) ?? (await findAgain(controlUrl, demo));
    await waitUntilServed(gatewayUrl, found.api_key);
    await insertRows(controlUrl, session, found.database_id);
    Object.assign(demo, found);
    writeJsonFile(file, demo);
  }
  if (makeOperator !== null && demo.is_operator !== true) {
    await makeOperator();
    demo.is_operator = true;
    writeJsonFile(file, demo);
  }
  // `is_operator` only records the progress of this function, so `run.json` does not contain it.
  const { is_operator: _isOperator, ...rest } = demo;
  return /** @type {Demo} */ (rest);
}

/**
 * @param {string} controlUrl
 * @param {{email: string, password: string}} demo
 * @returns {Promise<DemoProject | null>} null when the account exists already
 */
async function signUp(controlUrl, { email, password }) {
  const body = { email, password, name: 'Demo', organization: 'Demo', project: 'Demo blog', starter: 'blog' };
  const { status, json, text, cookie } = await call(controlUrl, 'POST', '/api/auth/signup', { body });
  if (status === 409) return null;
  if (status !== 201 && status !== 200 && status !== 202)
    throw new LauncherError(`The demo sign-up failed with status ${status}: ${text.slice(0, 500)}`);
  const database = pickDatabase(json.databases);
  return {
    project_id: json.project.id,
    database_id: database.id,
    docs_url: database.docs_url,
    api_key: json.api_key,
    session: { cookie, csrf: json.csrf_token },
  };
}

/**
 * Signs in to the demo account and creates its key, if an earlier start ended before that.
 * @param {string} controlUrl
 * @param {{email: string, password: string}} demo
 * @returns {Promise<DemoProject>}
 */
async function findAgain(controlUrl, { email, password }) {
  const login = await call(controlUrl, 'POST', '/api/auth/login', { body: { email, password } });
  if (login.status !== 200)
    throw new LauncherError(
      `The demo account exists, but its password differs from the one in the data folder (${login.status}).`,
    );
  const session = { cookie: login.cookie, csrf: login.json.csrf_token };
  const projects = await call(controlUrl, 'GET', '/api/projects', { session });
  const project = projects.json.items[0];
  if (project === undefined)
    throw new LauncherError('The demo account has no project.', {
      hint: `Start over with: ${PNPM} start --reset`,
    });
  const database = pickDatabase(project.databases);
  const key = await call(controlUrl, 'POST', `/api/databases/${database.id}/keys`, {
    session,
    body: { name: 'Demo' },
  });
  if (key.status !== 201)
    throw new LauncherError(
      `Creating a demo key failed with status ${key.status}: ${key.text.slice(0, 500)}`,
    );
  return {
    project_id: project.id,
    database_id: database.id,
    docs_url: database.docs_url,
    api_key: key.json.secret,
    session,
  };
}

/** @param {{id: string, environment: string, docs_url: string}[]} databases */
function pickDatabase(databases) {
  const database = databases.find((item) => item.environment === 'development') ?? databases[0];
  if (database === undefined) throw new LauncherError('The demo project has no database.');
  return database;
}

/**
 * Waits until the gateway serves the starter. Its deployment may still run when sign-up responds.
 * @param {string} gatewayUrl
 * @param {string} apiKey
 */
async function waitUntilServed(gatewayUrl, apiKey) {
  const deadlineMs = Date.now() + SERVED_DEADLINE_MS;
  for (;;) {
    const { status, text } = await call(gatewayUrl, 'GET', '/v1/-/post-tags?limit=1', { apiKey });
    if (status === 200) return;
    if (Date.now() > deadlineMs)
      throw new LauncherError(
        `The demo database is not available after ${SERVED_DEADLINE_MS / 1_000} s: ${status} ` +
          `${text.slice(0, 500)}`,
        { hint: 'Start Rowhouse again. It continues where it stopped.' },
      );
    await sleep(100);
  }
}

/**
 * Inserts the sample rows of the starter. The control plane skips a database that has rows.
 * @param {string} controlUrl
 * @param {Session} session
 * @param {string} databaseId
 */
async function insertRows(controlUrl, session, databaseId) {
  const { status, text } = await call(controlUrl, 'POST', `/api/databases/${databaseId}/seed`, {
    session,
    body: { starter: 'blog' },
  });
  if (status !== 200)
    throw new LauncherError(`Inserting the demo rows failed with status ${status}: ${text.slice(0, 500)}`);
}

/**
 * @param {string} base
 * @param {string} method
 * @param {string} path
 * @param {{body?: unknown, apiKey?: string, session?: Session}} [options]
 */
async function call(base, method, path, options = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  if (options.apiKey !== undefined) headers['authorization'] = `Bearer ${options.apiKey}`;
  if (options.session !== undefined)
    Object.assign(headers, { cookie: options.session.cookie, 'x-csrf-token': options.session.csrf });
  const { status, text, cookies } = await sendRequest(base + path, {
    method,
    headers,
    timeoutMs: 30_000,
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  return {
    status,
    text,
    json: parseJson(text),
    cookie: cookies.map((line) => line.split(';')[0]).join('; '),
  };
}

/**
 * @param {string} text
 * @returns {any}
 */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
