// @ts-check
/**
 * Runs Redis behind Sentinels, then as a cluster, each with replicas. The server that holds the cell's keys
 * is killed under load, again and again, while keys are revoked and schemas deployed.
 *
 * Options: `--kills 3`, `--rate 100`, `--only sentinel,cluster`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyRecordKey } from '@rowhouse/contracts';
import { createTerminalReport } from '@rowhouse/local/report';
import { startRedisCluster, startRedisSentinels } from '@rowhouse/test-servers/start-redis-group';
import {
  claimNone,
  countAnswers,
  listFaults,
  longestMs,
  openLedgerTenant,
  startTenantLoad,
  stopLoads,
  timeUntil,
} from '../../faults/fault-stage.mjs';
import { createKey, deploy, expectStatus, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

const KILLS = readCount('kills', 3);
const PER_SECOND = readCount('rate', 100);
const ONLY = readWords('only');
/** The maximum time until every gateway rejects a revoked key while Redis is down. */
const REVOKED_WITHIN_MS = 2_000;
/** Any Redis key of the cell. All keys of a cell are on the same server. */
const ANY_KEY = keyRecordKey('c1', 'any');

/**
 * @typedef {import('@rowhouse/test-servers/start-redis-group').RedisGroup} RedisGroup
 * @typedef {import('../../support/with-product.mjs').RunningProduct} RunningProduct
 * @typedef {import('../../faults/fault-stage.mjs').Tenant} Tenant
 * @typedef {{ kind: string, failoverMs: number, revokedMs: number, revokedLaterMs: number, deployMs: number, deployLaterMs: number }} Trial
 * @typedef {{ trials: Trial[], faults: string[], lost: string[], answers: Record<string, number>, longestMs: number, requests: number, acknowledged: number }} Found
 */

/** @type {Record<string, (options: { homeDir: string, report: import('@rowhouse/local/report').Report }) => Promise<RedisGroup>>} */
const GROUPS = {
  sentinel: startRedisSentinels,
  cluster: (options) => startRedisCluster({ ...options, masters: 3, replicas: 1 }),
};

await runSuite(async () => {
  /** @type {Record<string, Found>} */
  const found = {};
  /** @type {Record<string, string>} */
  const engines = {};
  for (const [kind, start] of Object.entries(GROUPS))
    if (ONLY?.includes(kind) ?? true) found[kind] = await tryGroup(kind, start, engines);
  const all = Object.entries(found);
  const trials = all.flatMap(([, item]) => item.trials);
  const tell = (/** @type {(item: Found) => string[]} */ of) =>
    all.flatMap(([kind, item]) => of(item).map((fault) => `${kind}: ${fault}`));
  const revokedMs = trials.flatMap((trial) => [trial.revokedMs, trial.revokedLaterMs]);
  return {
    suite: 'redis-ha',
    title: 'Redis with Sentinels and Redis Cluster, with the primary killed under load',
    command: `pnpm test:long redis-ha${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines,
    skips: ONLY === undefined ? [] : ['the cases that the options omit'],
    claims: [
      claimNone(
        'no request fails',
        tell(({ faults }) => faults),
        `0 of ${all.reduce((sum, [, item]) => sum + item.requests, 0)}`,
      ),
      claimNone(
        'no acknowledged write is lost',
        tell(({ lost }) => lost),
        `0 of ${all.reduce((sum, [, item]) => sum + item.acknowledged, 0)}`,
      ),
      {
        claim: 'another server takes over each time, and Rowhouse uses it',
        holds: trials.length === KILLS * all.length && all.length > 0,
        found:
          `${trials.length} kills, ${summarize(trials.map(({ failoverMs }) => failoverMs)).max} ms at ` +
          'most until a new primary',
      },
      {
        claim: `a revoked key is rejected within ${REVOKED_WITHIN_MS} ms, before and after the failover`,
        holds: revokedMs.every((item) => item <= REVOKED_WITHIN_MS),
        found: `max ${Math.max(...revokedMs)} ms`,
      },
    ],
    notes: [
      `${PER_SECOND} requests/s run over two gateways in an open loop. The Sentinel setup has one primary, two replicas and three Sentinels. The cluster has three masters with a replica each, and the master of the cell's slot is killed. A silent server counts as failed after a second.`,
      'In each trial a key is revoked and a schema deployed at once after the kill, and again when there is a new primary; then the killed server comes back.',
    ],
    figures: Object.fromEntries(
      all.map(([kind, { trials: own, answers, longestMs: longest, requests }]) => [
        kind,
        { trials: own, answers, longest_ms: longest, requests },
      ]),
    ),
  };
});

/** @param {string} kind @param {(typeof GROUPS)[string]} start @param {Record<string, string>} engines */
async function tryGroup(kind, start, engines) {
  const homeDir = mkdtempSync(join(tmpdir(), 'rowhouse-redis-ha-'));
  const group = await start({ homeDir, report: createTerminalReport() });
  try {
    return await withProduct(
      { gateways: 2, redisUrl: group.url, extraEnv: { ROWHOUSE_ENV: 'test' } },
      async (product) => {
        engines['mariadb'] = product.mysql.version;
        try {
          return await killPrimaries(kind, group, product);
        } finally {
          await stopLoads();
        }
      },
    );
  } finally {
    await group.stop();
    rmSync(homeDir, { recursive: true, force: true });
  }
}

/**
 * @param {string} kind
 * @param {RedisGroup} group
 * @param {RunningProduct} product
 * @returns {Promise<Found>}
 */
async function killPrimaries(kind, group, product) {
  const environment = { ...product, admin: product.mysql.admin, platform: product.platform.admin };
  const owner = await signUp(product.control, { name: kind, starter: 'empty' });
  const tenant = await openLedgerTenant(environment, owner);
  const load = await startTenantLoad(environment, tenant, { perSecond: PER_SECOND, prefix: `${kind}-` });
  /** @type {Trial[]} */
  const trials = [];
  for (let iteration = 0; iteration < KILLS; iteration += 1) {
    trials.push({ kind, ...(await killPrimary(group, product, tenant, iteration)) });
    console.log(JSON.stringify(trials.at(-1)));
  }
  const requests = load.take();
  const { lost, ghosts, acknowledged } = await load.settle();
  return {
    trials,
    faults: listFaults(requests),
    lost: [...lost, ...ghosts],
    answers: countAnswers(requests),
    longestMs: longestMs(requests),
    requests: requests.length,
    acknowledged,
  };
}

/**
 * @param {RedisGroup} group
 * @param {RunningProduct} product
 * @param {Tenant} tenant
 * @param {number} iteration
 */
async function killPrimary(group, product, tenant, iteration) {
  const primary = await group.findPrimary(ANY_KEY);
  const [before, following] = [
    await warmKey(product, tenant, `before ${iteration}`),
    await warmKey(product, tenant, `behind ${iteration}`),
  ];
  await primary.kill();
  const killedMs = performance.now();
  const failover = waitFor(
    'another primary',
    async () => {
      const found = await group.findPrimary(ANY_KEY).catch(() => null);
      return found !== null && found !== primary ? { atMs: performance.now() } : undefined;
    },
    { timeoutMs: 60_000, intervalMs: 20 },
  );
  const revokedMs = await revoke(product, tenant, before);
  const deployMs = await timeDeploy(tenant, `during_${iteration}`);
  const { atMs } = await failover;
  // The processes reconnect within a second.
  await sleep(1_500);
  const revokedLaterMs = await revoke(product, tenant, following);
  const deployLaterMs = await timeDeploy(tenant, `later_${iteration}`);
  await primary.start();
  // Without a replica that has caught up, no server could replace the next one that is killed.
  await waitFor('the server stands by again', () => group.isComplete(), { timeoutMs: 60_000 });
  return { failoverMs: Math.round(atMs - killedMs), revokedMs, revokedLaterMs, deployMs, deployLaterMs };
}

/**
 * Creates a key and uses it on every gateway, so that each has cached it.
 * @param {RunningProduct} product
 * @param {Tenant} tenant
 * @param {string} name
 */
async function warmKey(product, tenant, name) {
  const key = await createKey(tenant.person, { name });
  for (const base of product.gateways)
    await waitFor(
      'the key is known',
      async () => (await openApi(base, key.secret).get('/counters?limit=1')).status === 200,
    );
  return key;
}

/**
 * Returns the time until every gateway rejects the key, counted from the response to the revocation.
 * @param {RunningProduct} product
 * @param {Tenant} tenant
 * @param {{ id: string, secret: string }} key
 */
async function revoke(product, tenant, key) {
  expectStatus(await tenant.person.control.call('DELETE', `/api/keys/${key.id}`), [200, 204], 'revoke');
  const sinceMs = performance.now();
  const times = await Promise.all(
    product.gateways.map((base) =>
      timeUntil(
        'the key is refused',
        async () => (await openApi(base, key.secret).get('/counters?limit=1')).status === 401,
        sinceMs,
      ),
    ),
  );
  return Math.max(...times);
}

/** @param {Tenant} tenant @param {string} table */
async function timeDeploy(tenant, table) {
  const sinceMs = performance.now();
  await deploy(tenant.person, `CREATE TABLE ${table} (id int AUTO_INCREMENT PRIMARY KEY);`);
  return Math.round(performance.now() - sinceMs);
}
