// @ts-check
/**
 * Kills any process at any moment under load. Acknowledged writes stay, a killed process comes back, and the
 * other processes are not affected.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openRandom } from '@rowhouse/schema-model/testing';
import { beginDeploy, deploy, openProject } from '../support/control.mjs';
import { pidOf, signalProcess, waitForSuccessor } from '../support/processes.mjs';
import { waitFor } from '../support/wait.mjs';
import { summarize } from '../support/write-report.mjs';
import {
  accepts,
  claimNone,
  countAnswers,
  listFaults,
  openAdmin,
  serves,
  startTenantLoad,
  takesWrites,
  timeUntil,
} from './fault-stage.mjs';

/**
 * @typedef {import('./fault-stage.mjs').FaultEnvironment} TestEnvironment
 * @typedef {import('./fault-stage.mjs').Tenant} Tenant
 * @typedef {import('./ledger-client.mjs').Asked} Asked
 * @typedef {'gateway' | 'worker' | 'control' | 'redis' | 'database' | 'platform'} Target
 * @typedef {{ target: Target, recoveredMs: number, asked: Asked[], faults: string[] }} Kill
 */

const BARS_MS = { gateway: 1_500, database: 500, worker: 10_000 };
/**
 * The targets of ten kills, in order. Further kills start again at the first one.
 * @type {readonly Target[]}
 */
const DECK = [
  'gateway',
  'database',
  'worker',
  'platform',
  'redis',
  'control',
  'gateway',
  'worker',
  'database',
  'redis',
];
const END_STATES = new Set(['published', 'reverted', 'failed', 'cancelled', 'needs_attention']);
/**
 * The codes that a gateway may return while its database is down. None of them reports a defect or a success.
 */
const AWAY_CODES = new Set([
  'db.unavailable',
  'db.outcome_unknown',
  'db.timeout',
  'limit.busy',
  'platform.unavailable',
  'limit.concurrency',
]);
const BIG_TABLE =
  'CREATE TABLE big (id INT AUTO_INCREMENT PRIMARY KEY, amount INT NOT NULL, name VARCHAR(50) NULL);';

/**
 * @param {TestEnvironment} environment
 * @param {Tenant} tenant
 * @param {{ kills: number, seed: number, perSecond: number, rows: number, deck?: readonly Target[] }} options
 *   `rows` is the size of the table that the killed worker rebuilds
 * @returns {Promise<import('./fault-stage.mjs').Outcome>}
 */
export async function runRandomKills(environment, tenant, { kills, seed, perSecond, rows, deck = DECK }) {
  const random = openRandom(seed, 0);
  const change = await openChange(environment, tenant, rows);
  const load = await startTenantLoad(environment, tenant, { perSecond, prefix: 'k' });
  const strike = {
    gateway: killGateway,
    worker: killWorker,
    control: killControl,
    redis: killRedis,
    database: killDatabase,
    platform: killPlatform,
  };
  /** @type {Kill[]} */
  const done = [];
  /** @type {Asked[]} */
  const calm = [];
  for (let iteration = 0; iteration < kills; iteration += 1) {
    const target = /** @type {Target} */ (deck[iteration % deck.length]);
    await Promise.all(
      environment.gateways.map((base) => timeUntil(`${base} serves`, () => serves(base, tenant.key))),
    );
    load.take();
    await sleep(100 + random.integer(300));
    for (const item of load.take()) calm.push(item);
    const { recoveredMs, isAllowed, fault } = await strike[target]({
      environment,
      tenant,
      change,
      random,
    });
    await sleep(100);
    const requests = load.take();
    done.push({
      target,
      recoveredMs,
      asked: requests,
      faults: [...listFaults(requests, isAllowed), ...(fault === undefined ? [] : [fault])],
    });
    if (iteration % 10 === 9) console.log(`${iteration + 1} of ${kills} kills`);
  }
  const checked = await load.settle();
  await change.close();
  return tell(done, calm, checked);
}

/**
 * @param {readonly Kill[]} done
 * @param {readonly Asked[]} calm
 * @param {Awaited<ReturnType<Awaited<ReturnType<typeof startTenantLoad>>['settle']>>} checked
 * @returns {import('./fault-stage.mjs').Outcome}
 */
function tell(done, calm, { lost, ghosts, acknowledged, open }) {
  const of = (/** @type {Target} */ target) => done.filter((item) => item.target === target);
  const recovered = (
    /** @type {'gateway' | 'database' | 'worker'} */ target,
    /** @type {string} */ claim,
  ) => {
    const { max, p50 } = summarize(of(target).map(({ recoveredMs }) => recoveredMs));
    return {
      claim,
      holds: of(target).length === 0 || max <= BARS_MS[target],
      found: of(target).length === 0 ? 'not killed' : `median ${p50} ms, max ${max} ms`,
    };
  };
  const targets = [...new Set(done.map(({ target }) => target))];
  return {
    claims: [
      claimNone(
        `${done.length} kills lose no acknowledged write`,
        lost,
        `${acknowledged} acknowledged, ${open} left open`,
      ),
      claimNone('no rejected write is stored', ghosts, 'none'),
      claimNone(
        'no request fails except those to a killed process',
        [
          ...done.flatMap(({ target, faults }) => faults.map((fault) => `${target}: ${fault}`)),
          ...listFaults(calm).map((fault) => `between kills: ${fault}`),
        ],
        `of ${done.reduce((sum, { asked: requests }) => sum + requests.length, calm.length)}`,
      ),
      recovered('gateway', `a killed gateway serves again within ${BARS_MS.gateway} ms`),
      recovered(
        'database',
        `reads and writes are served within ${BARS_MS.database} ms after the database accepts ` +
          'connections',
      ),
      recovered(
        'worker',
        `the change of a killed worker continues within ${BARS_MS.worker} ms and is published`,
      ),
    ],
    figures: Object.fromEntries(
      targets.map((target) => [
        target,
        {
          kills: of(target).length,
          recovered_ms: summarize(of(target).map(({ recoveredMs }) => recoveredMs)),
          answers: countAnswers(of(target).flatMap(({ asked: requests }) => requests)),
        },
      ]),
    ),
  };
}

/** @typedef {{ environment: TestEnvironment, tenant: Tenant, change: Awaited<ReturnType<typeof openChange>>, random: import('@rowhouse/schema-model/testing').Random }} Context */
/** @typedef {{ recoveredMs: number, isAllowed: (item: Asked) => boolean, fault?: string }} Struck */

/** @param {Context} context @returns {Promise<Struck>} */
async function killGateway({ environment, tenant, random }) {
  const index = random.integer(environment.gateways.length);
  const base = environment.gateways[index] ?? '';
  const name = index === 0 ? 'gateway' : 'gateway-2';
  const startMs = performance.now();
  const pid = await signalProcess(environment, name);
  await waitForSuccessor(environment, name, pid);
  const recoveredMs = await timeUntil(`${base} serves again`, () => serves(base, tenant.key), startMs);
  return { recoveredMs, isAllowed: (item) => item.base === base && item.status === 0 };
}

/** @param {Context} context @returns {Promise<Struck>} */
async function killWorker({ environment, change, random }) {
  const id = await change.begin();
  await sleep(random.integer(150));
  const before = await change.read(id);
  const startMs = performance.now();
  await signalProcess(environment, 'migration-worker');
  const recoveredMs = await timeUntil(
    `${id} goes on`,
    async () => {
      const row = await change.read(id);
      return row.attempt > before.attempt || END_STATES.has(row.state);
    },
    startMs,
  );
  const { state, error } = await waitFor(
    `${id} ends`,
    async () => {
      const row = await change.read(id);
      return END_STATES.has(row.state) ? row : undefined;
    },
    { timeoutMs: 300_000 },
  );
  return {
    recoveredMs,
    isAllowed: () => false,
    ...(state === 'published' ? {} : { fault: `the change ended ${state}: ${JSON.stringify(error)}` }),
  };
}

/** @param {Context} context @returns {Promise<Struck>} */
async function killControl({ environment, tenant }) {
  const startMs = performance.now();
  const pid = await signalProcess(environment, 'control-plane');
  await waitForSuccessor(environment, 'control-plane', pid);
  const recoveredMs = await timeUntil('the control plane answers again', () => answersUser(tenant), startMs);
  return { recoveredMs, isAllowed: () => false };
}

/** @param {Context} context @returns {Promise<Struck>} */
async function killRedis({ environment, tenant }) {
  const startMs = performance.now();
  const pid = await signalProcess(environment, 'redis');
  await waitForSuccessor(environment, 'redis', pid);
  const recoveredMs = Math.round(performance.now() - startMs);
  await Promise.all(
    environment.gateways.map((base) => timeUntil(`${base} serves`, () => serves(base, tenant.key))),
  );
  return { recoveredMs, isAllowed: () => false };
}

/**
 * Kills the server of the platform database. Gateways go on serving from their caches.
 * @param {Context} context
 * @returns {Promise<Struck>}
 */
async function killPlatform({ environment, tenant }) {
  const startMs = performance.now();
  const pid = await signalProcess(environment, 'platform-mysql');
  await waitForSuccessor(environment, 'platform-mysql', pid);
  const recoveredMs = await timeUntil('the control plane answers again', () => answersUser(tenant), startMs);
  return { recoveredMs, isAllowed: () => false };
}

/**
 * Returns whether the control plane recognizes the person, for which it needs the platform database.
 * @param {Tenant} tenant
 */
async function answersUser(tenant) {
  return (await tenant.person.control.call('GET', '/api/me').catch(() => null))?.status === 200;
}

/**
 * Kills the server of tenants' databases. Recovery counts from the moment that the server accepts a
 * connection. The control plane must not be affected, because its database is on another server.
 * @param {Context} context
 * @returns {Promise<Struck>}
 */
async function killDatabase({ environment, tenant }) {
  const pid = pidOf(environment, 'mysql');
  await environment.killDatabase();
  const isAnswered = (await accepts(environment.admin)) || (await answersUser(tenant));
  if (pid !== undefined) await waitForSuccessor(environment, 'mysql', pid);
  await timeUntil('the database accepts', () => accepts(environment.admin));
  const startMs = performance.now();
  const times = await Promise.all(
    environment.gateways.flatMap((base) => [
      timeUntil(`${base} reads`, () => serves(base, tenant.key), startMs),
      timeUntil(`${base} writes`, () => takesWrites(base, tenant.key), startMs),
    ]),
  );
  const fault = isAnswered ? {} : { fault: 'the control plane did not answer while the database was away' };
  return { recoveredMs: Math.max(...times), isAllowed: (item) => AWAY_CODES.has(item.code), ...fault };
}

/**
 * Creates a project of the same owner whose large table is rebuilt again and again.
 * @param {TestEnvironment} environment
 * @param {Tenant} tenant
 * @param {number} rows
 */
async function openChange(environment, tenant, rows) {
  const user = await openProject(tenant.person, { name: 'changing' });
  await deploy(user, BIG_TABLE);
  const open = () => openAdmin(environment.platform);
  let platform = await open();
  const [found] = await platform.query('SELECT schema_name FROM rowhouse_cell.tenant_database WHERE id = ?', [
    user.development.id,
  ]);
  const admin = await openAdmin(environment.admin);
  // The sequence engine creates its tables in the current schema.
  await admin.query(`USE ${/** @type {any[]} */ (found)[0].schema_name}`);
  await admin.query(
    `INSERT INTO big (amount, name) SELECT seq % 1000, CONCAT('n', seq) FROM seq_1_to_${rows}`,
  );
  await admin.end();
  let isWide = false;
  /** @param {string} id @returns {Promise<{ state: string, attempt: number, error: unknown }>} */
  const read = async (id) => {
    for (;;) {
      try {
        const [rowsFound] = await platform.query(
          'SELECT state, attempt, error FROM rowhouse_cell.migration WHERE id = ?',
          [id],
        );
        return /** @type {any[]} */ (rowsFound)[0];
      } catch {
        platform.destroy();
        platform = await waitFor('the platform database', () => open().catch(() => null), {
          timeoutMs: 60_000,
        });
      }
    }
  };
  return {
    read,
    /** Begins a change and returns its id once a worker runs it. */
    async begin() {
      isWide = !isWide;
      const id = await beginDeploy(
        user,
        `ALTER TABLE big MODIFY amount ${isWide ? 'BIGINT' : 'INT'} NOT NULL`,
      );
      await waitFor(`a worker is at ${id}`, async () => (await read(id)).state !== 'queued', {
        timeoutMs: 30_000,
        intervalMs: 5,
      });
      return id;
    },
    close: () => platform.end(),
  };
}
