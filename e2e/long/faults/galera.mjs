// @ts-check
/**
 * Uses a Galera cluster of three nodes as the server of tenants' databases. First it changes schemas. Then it
 * kills one node after the other under load and checks all acknowledged writes. Then it stops one node with
 * SIGSTOP, and finally kills two nodes at once.
 *
 * Options: `--kills 3`, `--stalls 1`, `--rate 100`, `--quorum 1` (0 skips the loss of two nodes).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { createTerminalReport } from '@rowhouse/local/report';
import { startGaleraCluster } from '@rowhouse/test-servers/start-galera-cluster';
import {
  claimNone,
  countAnswers,
  listFaults,
  openAdmin,
  startTenantLoad,
  stopLoads,
  takesWrites,
  timeUntil,
} from '../../faults/fault-stage.mjs';
import { writeFromTwoNodes } from '../../faults/certified-writes.mjs';
import { registerServer } from '../../faults/register-server.mjs';
import {
  beginDeploy,
  createConnection,
  deploy,
  expectStatus,
  waitForMigration,
} from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const KILLS = readCount('kills', 3);
const STALLS = readCount('stalls', 1);
const PER_SECOND = readCount('rate', 100);
const HAS_QUORUM_TRIAL = readCount('quorum', 1) > 0;
const GAP_BAR_MS = 7_000;
/**
 * The limit for a stopped node. It is higher than for a killed node, because a stopped node is only detected
 * when it does not answer a poll.
 */
const STALL_GAP_BAR_MS = 9_000;
const REVOKED_BAR_MS = 2_000;
const SEEN_BAR_MS = 2_000;
/**
 * The codes that a request may get while a node fails. Each says that nothing was done, or that the outcome
 * is unknown.
 */
const ALLOWED = new Set(['db.unavailable', 'db.outcome_unknown', 'db.deadlock', 'limit.busy']);

/**
 * @typedef {import('@rowhouse/test-servers/start-galera-cluster').GaleraCluster} GaleraCluster
 * @typedef {import('@rowhouse/test-servers/start-galera-cluster').ClusterNode} ClusterNode
 * @typedef {import('../../faults/fault-stage.mjs').Asked} Asked
 * @typedef {import('../../faults/fault-stage.mjs').Tenant} Tenant
 * @typedef {import('../../faults/fault-stage.mjs').FaultEnvironment} TestEnvironment
 * @typedef {{ hit: string, gapMs: number, readGapMs: number, joinedMs: number, deployMs: number, faults: string[], lost: string[], answers: Record<string, number>, acknowledged: number, open: number }} Trial
 * @typedef {{ changes: string[], differences: string[], direct: { seenMs: number, revokedMs: number }, certified: Awaited<ReturnType<typeof writeFromTwoNodes>>, trials: Trial[], stalls: Trial[], quorum: { faults: string[], lost: string[], answers: Record<string, number>, backMs: number } | null }} Found
 */

/** Schema changes that each use another strategy. */
const CHANGES = [
  'ALTER TABLE entries ADD COLUMN place VARCHAR(20) NULL;',
  'ALTER TABLE entries ADD INDEX by_place (place, note(20));',
  'CREATE TABLE remarks (id INT AUTO_INCREMENT PRIMARY KEY, entry_id INT NOT NULL, text VARCHAR(100), FOREIGN KEY (entry_id) REFERENCES entries (id) ON DELETE CASCADE);',
  'CREATE TRIGGER trim_remark BEFORE INSERT ON remarks FOR EACH ROW SET NEW.text = TRIM(NEW.text);',
  'CREATE OR REPLACE TRIGGER trim_remark BEFORE INSERT ON remarks FOR EACH ROW SET NEW.text = LOWER(NEW.text);',
  'ALTER TABLE counters MODIFY value BIGINT NOT NULL DEFAULT 0;',
  'ALTER TABLE entries DROP INDEX by_place;',
  'ALTER TABLE entries RENAME COLUMN place TO spot;',
];

/** @typedef {{ word: string, hit: (node: ClusterNode) => Promise<void>, back: (node: ClusterNode) => Promise<void> }} Trouble */

/** @type {{ killed: Trouble, stalled: Trouble }} */
const TROUBLES = {
  killed: { word: 'killed', hit: (node) => node.kill(), back: (node) => node.start() },
  stalled: {
    word: 'stalled',
    hit: async (node) => void process.kill(node.pid(), 'SIGSTOP'),
    async back(node) {
      process.kill(node.pid(), 'SIGCONT');
      // By then, the stopped node must have been excluded from the cluster.
      await sleep(3_000);
      await waitFor('the node takes part again', () => isSynced(node), {
        timeoutMs: 60_000,
        intervalMs: 200,
      });
    },
  },
};

await runSuite(async () => {
  const homeDir = mkdtempSync(join(tmpdir(), 'rowhouse-galera-'));
  const cluster = await startGaleraCluster({ homeDir, report: createTerminalReport() });
  try {
    const found = await withProduct({ gateways: 2, extraEnv: { ROWHOUSE_ENV: 'test' } }, async (product) => {
      try {
        return await useCluster(
          cluster,
          { ...product, admin: product.mysql.admin, platform: product.platform.admin },
          product.run.demo,
        );
      } finally {
        await stopLoads();
      }
    });
    return describe(cluster, found);
  } finally {
    await cluster.stop();
    rmSync(homeDir, { recursive: true, force: true });
  }
});

/**
 * @param {GaleraCluster} cluster
 * @param {Found} found
 * @returns {import('../../support/write-report.mjs').Report}
 */
function describe(cluster, { changes, differences, direct, certified, trials, stalls, quorum }) {
  const all = (/** @type {(item: { faults: string[], lost: string[] }) => string[]} */ of) =>
    [...trials, ...stalls, ...(quorum === null ? [] : [quorum])].flatMap(of);
  const gapsOf = (/** @type {readonly Trial[]} */ some) => some.map(({ gapMs }) => gapMs);
  const [gaps, stallGaps] = [gapsOf(trials), gapsOf(stalls)];
  return {
    suite: 'galera',
    title: 'A Galera cluster whose nodes are killed under load',
    command: `pnpm test:long galera${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines: { mariadb: `${cluster.version}, Galera of three nodes` },
    skips: [
      'the transfer of a whole data folder (SST): nodes begin with the same folder, and one that was killed gets the write sets it missed (IST)',
      ...(STALLS === 0 ? ['a stopped node'] : []),
      ...(quorum === null ? ['the loss of two nodes'] : []),
    ],
    claims: [
      claimNone(
        'each kind of schema change is published and is equal on every node',
        [...changes, ...differences],
        `${CHANGES.length} changes`,
      ),
      {
        claim: `direct DDL on another node is served within ${SEEN_BAR_MS} ms`,
        holds: direct.seenMs <= SEEN_BAR_MS,
        found: `${direct.seenMs} ms`,
      },
      {
        claim: `a revoked user's sessions on every node end within ${REVOKED_BAR_MS} ms`,
        holds: direct.revokedMs <= REVOKED_BAR_MS,
        found: `${direct.revokedMs} ms`,
      },
      claimNone(
        'two nodes that write the same row at the same time lose no increment',
        certified.faults,
        `${certified.sure} by the API, ${certified.refused} refused; ${certified.direct} on another ` +
          `node, ${certified.conflicts} of them retried`,
      ),
      claimNone(
        'no acknowledged write is lost, and no rejected write is stored',
        all(({ lost }) => lost),
        `0 of ${[...trials, ...stalls].reduce((sum, { acknowledged }) => sum + acknowledged, 0)}`,
      ),
      {
        claim: `when a node is killed, a write is acknowledged at least every ${GAP_BAR_MS} ms`,
        holds: trials.length > 0 && Math.max(...gaps) <= GAP_BAR_MS,
        found: reportGaps(gaps),
      },
      ...(STALLS === 0
        ? []
        : [
            {
              claim: `when the node in use is stopped, a write is acknowledged at least every ${STALL_GAP_BAR_MS} ms`,
              holds: Math.max(...stallGaps) <= STALL_GAP_BAR_MS,
              found: reportGaps(stallGaps),
            },
          ]),
      claimNone(
        'every request succeeds or is rejected with 503',
        all(({ faults }) => faults),
        [...trials, ...stalls].map(({ answers }) => JSON.stringify(answers)).join(' '),
      ),
    ],
    notes: [
      `${PER_SECOND} requests/s run over two gateways in an open loop. The node that gateways use is killed with SIGKILL while a schema is deployed. The node returns and catches up before the next is killed. A node stopped by SIGSTOP is tested the same way. Galera's timeouts are the defaults: the others declare a silent node failed after five seconds, and acknowledge nothing until then.`,
      ...(quorum === null
        ? []
        : [
            'When two of three nodes are killed, the last one rejects every statement, and requests get ' +
              '503 until another node returns.',
          ]),
    ],
    figures: { direct, certified, trials, stalls, quorum },
  };
}

/**
 * @param {GaleraCluster} cluster
 * @param {TestEnvironment} environment
 * @param {{ email: string, password: string } | null} operator
 * @returns {Promise<Found>}
 */
async function useCluster(cluster, environment, operator) {
  if (operator === null) throw new Error('the operator is needed');
  const [first, ...rest] = cluster.nodes;
  if (first === undefined) throw new Error('a cluster has nodes');
  const server = await registerServer(environment, operator, {
    name: 'cluster',
    admin: first.admin,
    port: first.admin.port,
    nodes: rest.map(({ admin }) => ({ host: admin.host, port: admin.port })),
  });
  const tenant = await server.openTenant('galera');
  const changes = await makeChanges(tenant);
  const differences = await compareNodes(cluster, tenant.schema);
  const direct = await useDirectly(cluster, environment, tenant);
  const certified = await writeFromTwoNodes(
    environment,
    tenant,
    /** @type {ClusterNode} */ (cluster.nodes.at(-1)).admin,
    { times: 50, callers: 4 },
  );
  const trials = await troubleNodes(
    cluster,
    environment,
    tenant,
    KILLS,
    (iteration) => iteration,
    TROUBLES.killed,
  );
  // The index 0 selects the node that the gateways use.
  const stalls = await troubleNodes(cluster, environment, tenant, STALLS, () => 0, TROUBLES.stalled);
  return {
    changes,
    differences,
    direct,
    certified,
    trials,
    stalls,
    quorum: HAS_QUORUM_TRIAL ? await breakQuorum(cluster, environment, tenant) : null,
  };
}

/**
 * @param {GaleraCluster} cluster
 * @param {TestEnvironment} environment
 * @param {Tenant} tenant
 * @param {number} count
 * @param {(index: number) => number} toIteration
 * @param {Trouble} trouble
 */
async function troubleNodes(cluster, environment, tenant, count, toIteration, trouble) {
  /** @type {Trial[]} */
  const trials = [];
  for (let index = 0; index < count; index += 1) {
    const trial = await troubleNode(cluster, environment, tenant, {
      at: index,
      iteration: toIteration(index),
      trouble,
    });
    trials.push(trial);
    const { answers: _answers, ...messages } = trial;
    console.log(JSON.stringify(messages));
  }
  return trials;
}

/**
 * Returns the changes that did not end as they should.
 * @param {Tenant} tenant
 */
async function makeChanges({ person: user }) {
  /** @type {string[]} */
  const faults = [];
  for (const sql of CHANGES) {
    const { state, error } = await waitForMigration(user.control, await beginDeploy(user, sql));
    if (state !== 'published') faults.push(`${sql} ended ${state}: ${JSON.stringify(error)}`);
  }
  return faults;
}

/** @param {GaleraCluster} cluster @param {string} schema */
async function compareNodes(cluster, schema) {
  const texts = await Promise.all(
    cluster.nodes.map(async ({ admin }) => {
      const connection = await openAdmin(admin);
      await connection.query('SET SESSION wsrep_sync_wait = 15');
      const [tables] = await connection.query(
        "SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_TYPE = 'BASE TABLE' ORDER BY 1",
        [schema],
      );
      const [triggers] = await connection.query(
        'SELECT TRIGGER_NAME, ACTION_STATEMENT FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ? ORDER BY 1',
        [schema],
      );
      const created = [];
      for (const { name } of /** @type {{ name: string }[]} */ (tables))
        created.push(
          JSON.stringify((await connection.query(`SHOW CREATE TABLE ${schema}.${name}`))[0]).replace(
            / AUTO_INCREMENT=\d+/,
            '',
          ),
        );
      await connection.end();
      return JSON.stringify([created, triggers]);
    }),
  );
  return texts.flatMap((text, index) =>
    text === texts[0] ? [] : [`${cluster.nodes[index]?.name} differs: ${text.slice(0, 200)}`],
  );
}

/**
 * Uses a person's own connection to the last node: DDL there, and the revocation of the connection.
 * @param {GaleraCluster} cluster
 * @param {TestEnvironment} environment
 * @param {Tenant} tenant
 */
async function useDirectly(cluster, environment, { person: user, key }) {
  const created = await createConnection(user, { name: 'direct', role: 'owner' });
  const node = /** @type {ClusterNode} */ (cluster.nodes.at(-1));
  const connection = await mysql.createConnection({
    host: node.admin.host,
    port: node.admin.port,
    user: created.user,
    password: created.password,
    database: created.database,
  });
  connection.on('error', () => undefined);
  await connection.query('CREATE TABLE elsewhere (id INT AUTO_INCREMENT PRIMARY KEY)');
  const seenMs = Math.max(
    ...(await Promise.all(
      environment.gateways.map((base) =>
        timeUntil(
          'the table is served',
          async () => (await openApi(base, key).get('/elsewhere')).status === 200,
        ),
      ),
    )),
  );
  // The table is dropped again. Otherwise each later deploy would have to confirm this change that no deploy
  // made.
  await connection.query('DROP TABLE elsewhere');
  for (const base of environment.gateways)
    await timeUntil(
      'the table is gone',
      async () => (await openApi(base, key).get('/elsewhere')).status === 404,
    );
  // The time is measured from the request, because the response is sent only after the sessions have ended.
  const requestedMs = performance.now();
  expectStatus(
    await user.control.call('DELETE', `/api/connections/${created.id}`),
    [200, 202, 204],
    'revoke',
  );
  await timeUntil('the session is dead', () =>
    connection.query('SELECT 1').then(
      () => false,
      () => true,
    ),
  );
  const revokedMs = Math.round(performance.now() - requestedMs);
  connection.destroy();
  return { seenMs, revokedMs };
}

/**
 * Returns the node for new sessions: the first running one, in the server's order.
 * @param {GaleraCluster} cluster
 */
function nodeInUse(cluster) {
  return /** @type {ClusterNode} */ (cluster.nodes.find((node) => node.isRunning()));
}

/** @param {ClusterNode} node */
async function isSynced({ admin }) {
  const connection = await openAdmin(admin).catch(() => null);
  const [rows] = (await connection
    ?.query("SHOW GLOBAL STATUS LIKE 'wsrep_local_state'")
    .catch(() => null)) ?? [[]];
  connection?.destroy();
  return /** @type {{ Value: string }[]} */ (rows)[0]?.Value === '4';
}

/**
 * Stops or kills one node under load. An even `iteration` means the node in use, an odd one another node.
 * @param {GaleraCluster} cluster
 * @param {TestEnvironment} environment
 * @param {Tenant} tenant
 * @param {{ at: number, iteration: number, trouble: Trouble }} which
 * @returns {Promise<Trial>}
 */
async function troubleNode(
  cluster,
  environment,
  tenant,
  { at: index, iteration, trouble: { word, hit, back } },
) {
  const load = await startTenantLoad(environment, tenant, {
    perSecond: PER_SECOND,
    prefix: `${word}${index}-`,
  });
  await sleep(3_000);
  const node =
    iteration % 2 === 0
      ? nodeInUse(cluster)
      : /** @type {ClusterNode} */ (cluster.nodes[(iteration % (cluster.nodes.length - 1)) + 1]);
  await hit(node);
  const hitMs = performance.now();
  await deploy(tenant.person, `CREATE TABLE while_${word}_${index} (id INT AUTO_INCREMENT PRIMARY KEY);`);
  const deployMs = Math.round(performance.now() - hitMs);
  await sleep(Math.max(0, 9_000 - deployMs));
  await back(node);
  const joinedMs = Math.round(performance.now() - hitMs);
  // Wait until the gateways use the first node again.
  await sleep(8_000);
  const { lost, ghosts, acknowledged, open } = await load.settle(nodeInUse(cluster).admin);
  const requests = load.take();
  return {
    hit: `${node.name} ${word}`,
    gapMs: longestGap(requests, ['create', 'count', 'delete']),
    readGapMs: longestGap(requests, ['read', 'list']),
    joinedMs,
    deployMs,
    faults: listFaults(requests, isAllowed),
    lost: [...lost, ...ghosts],
    answers: countAnswers(requests),
    acknowledged,
    open,
  };
}

/** @param {Asked} one */
function isAllowed({ status, code }) {
  return status === 503 && ALLOWED.has(code);
}

/** @param {readonly number[]} gaps */
function reportGaps(gaps) {
  return gaps.map((item) => `${item} ms`).join(', ') || 'none tried';
}

/**
 * Returns the longest time between two consecutive acknowledgements.
 * @param {readonly Asked[]} requests
 * @param {readonly string[]} kinds
 */
function longestGap(requests, kinds) {
  const ends = requests
    .filter(({ kind, status }) => kinds.includes(kind) && status >= 200 && status < 300)
    .map(({ endMs }) => endMs)
    .sort((a, b) => a - b);
  return Math.round(Math.max(0, ...ends.slice(1).map((end, index) => end - (ends[index] ?? end))));
}

/**
 * Kills two nodes at once, after which the last one has no majority.
 * @param {GaleraCluster} cluster
 * @param {TestEnvironment} environment
 * @param {Tenant} tenant
 */
async function breakQuorum(cluster, environment, tenant) {
  const load = await startTenantLoad(environment, tenant, { perSecond: PER_SECOND, prefix: 'q-' });
  await sleep(2_000);
  const [first, second] = /** @type {[ClusterNode, ClusterNode]} */ (cluster.nodes.slice(0, 2));
  await Promise.all([first.kill(), second.kill()]);
  const faults = await rejectWrites(environment, tenant);
  // Both start at the same time, because the cluster forms a majority only with all nodes of its last
  // membership.
  await Promise.all([first.start(), second.start()]);
  const backMs = await timeUntil('the cluster takes writes', async () =>
    (await Promise.all(environment.gateways.map((base) => takesWrites(base, tenant.key)))).every(Boolean),
  );
  await sleep(2_000);
  const { lost, ghosts } = await load.settle(nodeInUse(cluster).admin);
  const requests = load.take();
  return {
    faults: [...faults, ...listFaults(requests, isAllowed)],
    lost: [...lost, ...ghosts],
    answers: countAnswers(requests),
    backMs,
  };
}

/**
 * Waits until the last node has detected the loss of its majority. Then checks that writes are rejected with
 * Retry-After.
 * @param {TestEnvironment} environment
 * @param {Tenant} tenant
 */
async function rejectWrites(environment, tenant) {
  const [base = ''] = environment.gateways;
  await sleep(12_000);
  const response = await openApi(base, tenant.key).post('/counters', { value: 0 });
  if (response.status === 503 && response.headers['retry-after'] !== undefined) return [];
  return [
    `a write without a majority was answered with ${response.status}, Retry-After ${response.headers['retry-after']}: ${response.text.slice(0, 200)}`,
  ];
}
