// @ts-check
import { expectStatus, waitForMigration } from '../../../support/control.mjs';
import { send } from '../../../support/http.mjs';
import { largeDdl } from './large-schema.mjs';

/**
 * The time limit of a call, in milliseconds. It is long, because the machine may be busy and the suite checks
 * only the length of slices.
 */
const TIMEOUT_MS = 300_000;

/**
 * Lists calls of the control plane on a schema of 400 tables, with the jobs that they give to the worker. The
 * order matters, because each builds on the previous one.
 * @param {import('../../../support/control.mjs').TestUser} user
 * @returns {import('./gateway-cases.mjs').Case[]}
 */
export function listControlCases(user) {
  const project = `/api/projects/${user.projectId}`;
  const database = `/api/databases/${user.development.id}`;
  /** @param {string} method @param {string} path @param {unknown} [body] */
  const sendRequest = (method, path, body) => async () => {
    const { base, state } = user.control;
    const { status, text } = await send(base, method, path, {
      body,
      headers: { Cookie: state.cookie, 'X-CSRF-Token': state.csrf },
      timeoutMs: TIMEOUT_MS,
    });
    return { status, bytes: text.length };
  };
  /** @param {string} sql */
  const deployed = (sql) => async () => {
    const { base, state } = user.control;
    const response = await send(base, 'POST', `${project}/deploy`, {
      body: { targets: [{ database: user.development.id }], sql },
      headers: { Cookie: state.cookie, 'X-CSRF-Token': state.csrf },
      timeoutMs: TIMEOUT_MS,
    });
    expectStatus(response, [201], 'deploy');
    const { state: end, error } = await waitForMigration(
      user.control,
      response.json.migrations[0].id,
      TIMEOUT_MS,
    );
    if (end !== 'published') throw new Error(`the migration is ${end}: ${JSON.stringify(error)}`);
    return { status: 200, bytes: sql.length };
  };
  return [
    { name: 'draft of 400 tables', run: sendRequest('PUT', `${project}/schema`, { sql: largeDdl() }) },
    {
      name: 'preview of 400 tables',
      run: sendRequest('POST', `${project}/schema/preview`, {
        sql: 'ALTER TABLE table_3 ADD COLUMN more INT',
        database: user.development.id,
      }),
      wanted: [200, 201],
    },
    { name: 'deploy of 400 tables', run: deployed('') },
    { name: 'diff of 400 tables', run: sendRequest('GET', `${project}/diff?database=${user.production.id}`) },
    {
      name: 'deploy of 400 changes',
      run: deployed(
        Array.from(
          { length: 400 },
          (_, index) => `ALTER TABLE table_${index} ADD COLUMN added INT NULL`,
        ).join(';\n'),
      ),
    },
    { name: 'drift of 400 tables', run: sendRequest('GET', `${project}/drift`), wanted: [200, 202] },
    { name: 'schema of 400 tables', run: sendRequest('GET', `${project}/schema`) },
    { name: 'live schema of 400 tables', run: sendRequest('GET', `${database}/schema`) },
    {
      name: 'edit of 400 tables',
      run: sendRequest('POST', `${project}/schema/requests`, { request: 'add a column notes to table_3' }),
      wanted: [200, 201, 422],
    },
    {
      name: 'TypeScript of 400 tables',
      run: sendRequest('GET', `${database}/code/typescript`),
      wanted: [200, 404],
    },
    { name: 'Python of 400 tables', run: sendRequest('GET', `${database}/code/python`), wanted: [200, 404] },
    { name: 'migrations', run: sendRequest('GET', `${database}/migrations`) },
    { name: 'migrations as files', run: sendRequest('GET', `${database}/migrations/export`) },
    { name: 'revisions', run: sendRequest('GET', `${project}/schema/revisions`) },
    {
      name: 'sign-in',
      run: sendRequest('POST', '/api/auth/login', { email: user.email, password: user.password }),
    },
  ];
}

/**
 * Lists calls of the gateway on the same schema.
 * @param {string} base
 * @param {string} key
 * @returns {import('./gateway-cases.mjs').Case[]}
 */
export function listSchemaCases(base, key) {
  /** @param {string} path @param {RequestInit} [options] */
  const sendRequest =
    (path, options = {}) =>
    async () => {
      const response = await fetch(`${base}/v1/-${path}`, {
        ...options,
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
      });
      return { status: response.status, bytes: (await response.text()).length };
    };
  return [
    { name: 'first read on 400 tables', run: sendRequest('/table_1?limit=1') },
    { name: 'index of 400 tables', run: sendRequest('/') },
    { name: 'schema at the gateway', run: sendRequest('/schema') },
    { name: 'schema as SQL', run: sendRequest('/schema?format=sql') },
    { name: 'OpenAPI of 400 tables', run: sendRequest('/openapi.json') },
    { name: 'samples of 400 tables', run: sendRequest('/query') },
    {
      name: 'question over 400 tables',
      run: sendRequest('/query', {
        method: 'POST',
        body: JSON.stringify({
          mode: 'question',
          query: 'how many table_3 are there with column_1 above 5 and column_0 like x',
        }),
      }),
      wanted: [200, 400, 422],
    },
    {
      name: 'long question over 400 tables',
      run: sendRequest('/query', {
        method: 'POST',
        body: JSON.stringify({ mode: 'question', query: 'table 3 column 1 column 2 '.repeat(70) }),
      }),
      wanted: [200, 400, 422],
    },
    {
      name: 'mcp schema of 400 tables',
      run: sendRequest('/mcp', {
        method: 'POST',
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'get_schema',
            arguments: { tables: Array.from({ length: 400 }, (_, index) => `table_${index}`) },
          },
        }),
      }),
      wanted: [200, 400, 422],
    },
  ];
}
