// @ts-check
/**
 * Sends requests continuously while a column is hidden and shown again. Reports requests that fail, and
 * responses that contain the column after its hiding was confirmed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey, deploy, expectStatus } from './control.mjs';
import { openApi, send } from './http.mjs';

/** The value of the hidden column, in every row. */
const MARK = 'marked';
/** The pause between two requests of a probe, because a database runs few queries at a time. */
const PAUSE_MS = 5;
const SETTLED_MS = 150;

const TABLES = { customers: ['read', 'write'], orders: ['read', 'write'] };
const SCOPES = ['read', 'write', 'query', 'query:write', 'schema'];

const SQL = `
  CREATE TABLE customers (id int PRIMARY KEY, name varchar(40) NOT NULL, status varchar(20) NOT NULL DEFAULT '${MARK}', visits int NOT NULL DEFAULT 0);
  CREATE TABLE orders (id int PRIMARY KEY, customer_id int NOT NULL, total int NOT NULL, FOREIGN KEY (customer_id) REFERENCES customers (id));
  CREATE TABLE notes (id int PRIMARY KEY, text varchar(40));`;

/**
 * @typedef {{ name: string, showsAll: boolean, send: () => Promise<import('./http.mjs').HttpResponse> }} Probe
 *   `showsAll` means that the response has the column whenever it is visible
 * @typedef {{ probe: string, status: number, text: string, phase: string }} Fault
 */

/**
 * Deploys the tables of the probes to a project without tables of these names, and fills them.
 * @param {import('./control.mjs').TestUser} user
 * @param {string} gateway
 */
export async function prepareProbes(user, gateway) {
  await deploy(user, SQL);
  const api = openApi(gateway, user.key);
  expectStatus(
    await api.post(
      '/customers',
      [1, 2, 3].map((id) => ({ id, name: `name ${id}` })),
    ),
    [201],
    'rows',
  );
  expectStatus(
    await api.post(
      '/orders',
      [1, 2, 3].map((id) => ({ id, customer_id: id, total: 10 * id })),
    ),
    [201],
    'rows',
  );
}

/**
 * Hides and shows `customers.status` several times under load.
 * @param {import('./control.mjs').TestUser} user
 * @param {readonly string[]} gateways
 * @param {{ rounds: number }} options
 */
export async function probeHiddenColumns(user, gateways, { rounds }) {
  const narrow = await createKey(user, { name: 'narrow', tables: TABLES, scopes: SCOPES });
  const whole = await createKey(user, { name: 'whole', scopes: SCOPES });
  const probes = gateways.flatMap((base, index) => [
    ...listProbes(base, narrow.secret, `narrow ${index}`),
    ...listProbes(base, whole.secret, `whole ${index}`),
  ]);
  const state = { phase: 'shown', isHidden: /** @type {boolean | null} */ (false), isFinished: false };
  /** @type {Fault[]} */
  const faults = [];
  /** @type {Record<string, number>} */
  const counts = {};
  const loops = probes.map((probe) => runProbe(probe, state, faults, counts));
  const changeMs = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const names of [['status'], ['status', 'name'], ['status'], []]) {
      await sleep(SETTLED_MS);
      const isHidden = names.length > 0;
      if (isHidden !== state.isHidden) state.isHidden = null;
      state.phase = `round ${round}, to ${JSON.stringify(names)}`;
      const startedMs = performance.now();
      const response = await user.control.call('PATCH', `/api/databases/${user.development.id}`, {
        settings: { hidden_columns: { customers: names } },
      });
      changeMs.push(performance.now() - startedMs);
      expectStatus(response, [200], 'hide columns');
      state.isHidden = isHidden;
      state.phase = `round ${round}, after ${JSON.stringify(names)}`;
    }
  }
  await sleep(SETTLED_MS);
  state.isFinished = true;
  await Promise.all(loops);
  return { faults, counts, changeMs };
}

/**
 * @param {Probe} probe
 * @param {{ phase: string, isHidden: boolean | null, isFinished: boolean }} state
 * @param {Fault[]} faults
 * @param {Record<string, number>} counts
 */
async function runProbe(probe, state, faults, counts) {
  while (!state.isFinished) {
    const { isHidden, phase } = state;
    const response = await probe.send();
    counts[probe.name] = (counts[probe.name] ?? 0) + 1;
    const hasMark = response.text.includes(MARK);
    const isFailed = response.status >= 300 || (response.json?.result?.isError ?? false);
    const isWrong =
      (isHidden === true && hasMark) ||
      (isHidden === false && state.phase === phase && probe.showsAll && !hasMark);
    if (isFailed || isWrong)
      faults.push({
        probe: probe.name,
        status: response.status,
        text: response.text.slice(0, 300),
        phase: `${phase} -> ${state.phase}`,
      });
    await sleep(PAUSE_MS);
  }
}

/** @param {string} base @param {string} secret @param {string} label @returns {Probe[]} */
function listProbes(base, secret, label) {
  const api = openApi(base, secret);
  const tool = (/** @type {string} */ name, /** @type {unknown} */ args) =>
    send(base, 'POST', '/mcp', {
      headers: { Authorization: `Bearer ${secret}`, Accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    });
  /**
   * These queries are sent one at a time, because a database runs at most two queries at once.
   * @type {[string, boolean, () => Promise<import('./http.mjs').HttpResponse>][]}
   */
  const queries = [
    ['query *', true, () => api.query('SELECT * FROM customers', { mode: 'sql' })],
    [
      'query of named columns',
      false,
      () =>
        api.query('SELECT c.id, o.total FROM customers c JOIN orders o ON o.customer_id = c.id', {
          mode: 'sql',
        }),
    ],
    ['query of another table', false, () => api.query('SELECT * FROM orders', { mode: 'sql' })],
    ['question', false, () => api.query('how many customers are there', { mode: 'question' })],
    ['question of rows', false, () => api.query('show all customers', { mode: 'question' })],
    ['dry run', false, () => api.query('SELECT * FROM customers', { mode: 'sql', dry_run: true })],
    [
      'query as CSV',
      true,
      () =>
        api.call('POST', '/query', {
          headers: { Accept: 'text/csv' },
          body: { query: 'SELECT * FROM customers', mode: 'sql' },
        }),
    ],
    [
      'query that writes',
      false,
      () => api.query('UPDATE customers SET visits = visits + 1 WHERE id = 1', { mode: 'sql' }),
    ],
    ['MCP query', true, () => tool('query_database', { query: 'SELECT * FROM customers' })],
  ];
  let index = 0;
  return [
    { name: `${label}: list`, showsAll: true, send: () => api.get('/customers') },
    { name: `${label}: MCP list`, showsAll: true, send: () => tool('read_records', { table: 'customers' }) },
    rotating(`${label}: queries`, queries, () => (index = (index + 1) % queries.length)),
  ];
}

/**
 * @param {string} label
 * @param {readonly [string, boolean, () => Promise<import('./http.mjs').HttpResponse>][]} queries
 * @param {() => number} next
 * @returns {Probe}
 */
function rotating(label, queries, next) {
  /** @type {Probe} */
  const probe = {
    name: label,
    showsAll: false,
    send() {
      const [name, showsAll, run] = queries[next()] ?? [];
      probe.name = `${label}: ${name}`;
      probe.showsAll = showsAll === true;
      return /** @type {() => Promise<import('./http.mjs').HttpResponse>} */ (run)();
    },
  };
  return probe;
}
