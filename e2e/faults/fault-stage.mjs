// @ts-check
/**
 * Shared functions of the fault suites. They create a tenant, run a load that records all writes in a ledger,
 * and check the requests and the ledger afterwards.
 */
import mysql from 'mysql2/promise';
import { deploy } from '../support/control.mjs';
import { openApi, send } from '../support/http.mjs';
import { waitFor } from '../support/wait.mjs';
import { checkLedger, isServed, LEDGER_SCHEMA, startLedgerClient } from './ledger-client.mjs';

/**
 * @typedef {import('../support/control.mjs').TestUser} User
 * @typedef {import('./ledger-client.mjs').Asked} Asked
 * @typedef {{ host: string, port: number, user: string, password: string }} Admin
 * @typedef {{ control: string, gateways: readonly string[], metricsUrls: Record<string, string>, admin: Admin, platform: Admin, redisUrl: string, dataDir: string, killDatabase: () => Promise<void>, listProcesses: () => readonly { name: string, pid: number }[] }}
 *   FaultEnvironment `admin` is the first server of tenants' databases, `platform` the server of the
 *   platform database
 * @typedef {{ person: User, key: string, schema: string, admin: Admin }} Tenant `admin` is the server of
 *   its databases
 * @typedef {{ claim: string, holds: boolean, found: string }} Claim
 * @typedef {{ claims: Claim[], figures: Record<string, unknown>, skips?: string[] }} Outcome
 */

/**
 * Creates a project with the ledger's tables.
 * @param {FaultEnvironment} environment
 * @param {User} user
 * @param {Admin} [server] the server for its databases
 * @returns {Promise<Tenant>}
 */
export async function openLedgerTenant(environment, user, server = environment.admin) {
  await deploy(user, LEDGER_SCHEMA);
  for (const base of environment.gateways)
    await waitFor(
      'the tables are served',
      async () => (await openApi(base, user.key).get('/counters')).status === 200,
    );
  const platform = await openAdmin(environment.platform);
  const [rows] = await platform.query('SELECT schema_name FROM rowhouse_cell.tenant_database WHERE id = ?', [
    user.development.id,
  ]);
  await platform.end();
  return {
    person: user,
    key: user.key,
    schema: /** @type {{ schema_name: string }[]} */ (rows)[0]?.schema_name ?? '',
    admin: server,
  };
}

/** @param {Admin} admin @param {number} [connectTimeout] */
export async function openAdmin({ host, port, user, password }, connectTimeout = 3_000) {
  const connection = await mysql.createConnection({
    host,
    port,
    user,
    password,
    connectTimeout,
    timezone: 'Z',
  });
  // Ignore connection errors, because a suite may stop the server while this connection is open.
  connection.on('error', () => undefined);
  return connection;
}

/**
 * Returns whether the server accepts a connection now.
 * @param {Admin} admin
 */
export async function accepts(admin) {
  const connection = await openAdmin(admin, 500).catch(() => null);
  connection?.destroy();
  return connection !== null;
}

/**
 * Returns whether a read by key reaches the database.
 * @param {string} base
 * @param {string} key
 */
export async function serves(base, key) {
  const response = await send(base, 'GET', '/v1/-/counters?limit=1', {
    headers: { Authorization: `Bearer ${key}` },
    timeoutMs: 2_000,
  }).catch(() => null);
  return response?.status === 200;
}

/**
 * Returns whether a write reaches the database.
 * @param {string} base
 * @param {string} key
 */
export async function takesWrites(base, key) {
  const response = await send(base, 'POST', '/v1/-/counters', {
    headers: { Authorization: `Bearer ${key}` },
    body: { value: 0 },
    timeoutMs: 2_000,
  }).catch(() => null);
  return response?.status === 201;
}

/**
 * Returns the time until `probe` succeeds, which is polled every few milliseconds.
 * @param {string} what
 * @param {() => Promise<boolean>} probe
 * @param {number} [sinceMs]
 */
export async function timeUntil(what, probe, sinceMs = performance.now()) {
  await waitFor(what, probe, { timeoutMs: 90_000, intervalMs: 5 });
  return Math.round(performance.now() - sinceMs);
}

/**
 * The running loads. A suite that fails stops all of them.
 * @type {Set<{ stop: () => Promise<void> }>}
 */
const running = new Set();

export async function stopLoads() {
  await Promise.all([...running].map((load) => load.stop()));
}

/**
 * @param {FaultEnvironment} environment
 * @param {Tenant} tenant
 * @param {{ perSecond: number, prefix: string }} options
 */
export async function startTenantLoad(environment, tenant, { perSecond, prefix }) {
  const client = await startLedgerClient({
    gateways: environment.gateways,
    key: tenant.key,
    perSecond,
    owner: tenant.schema,
    prefix,
  });
  running.add(client);
  return {
    ...client,
    /**
     * Ends the load and checks that every acknowledged write exists. `server` is the database server to
     * check, by default the tenant's server.
     */
    async settle(server = tenant.admin) {
      await client.stop();
      running.delete(client);
      const direct = await waitFor('the database', () => openAdmin(server).catch(() => null));
      const checked = await checkLedger(direct, tenant.schema, client.ledger);
      await direct.end();
      return checked;
    },
  };
}

/**
 * @param {readonly Asked[]} requests
 * @param {(item: Asked) => boolean} [isAllowed] accepts responses in addition to the expected ones
 * @returns {string[]}
 */
export function listFaults(requests, isAllowed = () => false) {
  return requests.flatMap((item) => {
    if (item.fault !== null) return [item.fault];
    return isServed(item) || isAllowed(item) ? [] : [`${item.kind} answered ${item.status} ${item.code}`];
  });
}

/** @param {readonly Asked[]} requests */
export function countAnswers(requests) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { status, code } of requests) {
    const name = status === 0 ? 'no answer' : `${status}${code === '' ? '' : ` ${code}`}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** @param {string} claim @param {readonly string[]} faults @param {string} good @returns {Claim} */
export function claimNone(claim, faults, good) {
  return {
    claim,
    holds: faults.length === 0,
    found: faults.length === 0 ? good : `${faults.length}: ${[...new Set(faults)].slice(0, 4).join('; ')}`,
  };
}

/** @param {readonly Asked[]} requests */
export function longestMs(requests) {
  return Math.round(Math.max(0, ...requests.map(({ sentMs, endMs }) => endMs - sentMs)));
}
