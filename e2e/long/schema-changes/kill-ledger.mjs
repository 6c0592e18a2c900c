// @ts-check
/**
 * Kills the worker before and after every step of every strategy for a change, once alone and once together
 * with Redis or the database. A third trial of each step kills only Redis or the database while the worker
 * waits at that step. Each change ends published or fully reverted, with all of its rows, and nothing is left
 * over.
 *
 * - `--only rebuild`: scenarios by a part of their name
 * - `--points before-ddl`, `--kills worker`, `--engine mariadb|mysql`, `--parallel 2`
 * - `--ledger file`: each trial is written there; those that passed on the same commit are not run again
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { listLeftovers } from '../../support/change-load/run-change.mjs';
import {
  beginDeploy,
  createConnection,
  deploy,
  expectStatus,
  openProject,
  signUp,
} from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { pidOf, signalProcess, waitForSuccessor } from '../../support/processes.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { KILL_SCENARIOS } from './parts/kill-scenarios.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';
import { openTrialFile } from '../lib/trial-file.mjs';
import { openPlatform } from '../../support/open-platform.mjs';

const ONLY = readWords('only');
const POINTS = readWords('points');
const KILLS = readWords('kills');
/** The number of products per engine at the same time. Most of a trial is waiting. */
const PARALLEL = readCount('parallel', 2);
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);
const RESUME_BAR_MS = 10_000;
/**
 * The usual time until another worker resumes on an idle machine: the rest of the lease and the start of the
 * worker.
 */
const RESUME_USUAL_MS = 5_000;
let products = 0;
const END_STATES = ['published', 'reverted', 'failed', 'cancelled', 'needs_attention'];
/**
 * The processes to kill. Two trials of each point kill the worker, alternating with Redis and with the
 * database. The third leaves the worker alive.
 */
const KILLED = /** @type {const} */ ([
  ['worker'],
  ['worker', 'redis'],
  ['mysql'],
  ['worker'],
  ['worker', 'mysql'],
  ['redis'],
]);

/**
 * @typedef {import('./parts/kill-scenarios.mjs').KillScenario} KillScenario
 * @typedef {import('../../support/with-product.mjs').RunningProduct} RunningProduct
 * @typedef {'mariadb' | 'mysql'} Engine
 * @typedef {'worker' | 'redis' | 'mysql'} Victim
 * @typedef {{ scenario: KillScenario, point: string, victims: readonly Victim[] }} Wanted
 * @typedef {{ engine: string, scenario: string, point: string, killed: string, state: string, resumedMs: number | null, attempts: number, faults: string[] }} Trial
 */

const FILE = openTrialFile(
  (/** @type {Trial} */ item) => item.faults.length === 0 && (item.resumedMs ?? 0) <= RESUME_BAR_MS,
);

await runSuite(async () => {
  /** @type {Record<string, string>} */
  const engines = {};
  const { retained, earlier } = FILE;
  const trials = [
    ...retained,
    ...(await Promise.all(ENGINES.map((engine) => runEngine(engine, engines, retained)))).flat(),
  ];
  const faulty = trials.filter(({ faults }) => faults.length > 0);
  const waits = trials.map(({ resumedMs }) => resumedMs).filter((item) => item !== null);
  const slow = trials.filter(({ resumedMs }) => resumedMs !== null && resumedMs > RESUME_BAR_MS);
  const describe = (/** @type {Trial} */ item) =>
    `${item.engine}, ${item.scenario}, ${item.point}, ${item.killed} killed: ${item.faults.join('; ') || `${item.resumedMs} ms`}`;
  return {
    suite: 'kill-ledger',
    title: 'Schema changes during which the worker is killed',
    command: `pnpm test:long kill-ledger${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines,
    skips:
      ONLY === undefined && POINTS === undefined && KILLS === undefined && ENGINES.length === 2
        ? []
        : ['the cases that the options omit'],
    claims: [
      {
        claim:
          'each change is published or fully reverted, with every row, key and trigger, and leaves ' +
          'nothing behind',
        holds: trials.length > 0 && faulty.length === 0,
        found: faulty.length === 0 ? `${trials.length} kills` : faulty.slice(0, 5).map(describe).join(' | '),
      },
      {
        claim: `another worker continues within ${RESUME_BAR_MS} ms after the servers respond`,
        holds: slow.length === 0,
        found:
          slow.length === 0
            ? `p99 ${summarize(waits).p99} ms, max ${summarize(waits).max} ms; ${waits.filter((item) => item > RESUME_USUAL_MS).length} of ${waits.length} above ${RESUME_USUAL_MS} ms`
            : slow.slice(0, 5).map(describe).join(' | '),
      },
    ],
    notes: [
      'The points are those of a run without a kill: before and after each step, each phase of a ' +
        'rebuild and each single statement. Points that all changes share (claim, grants, ' +
        'publishing) are tested with the first change that reaches them.',
      'At each point the worker is killed twice: once alone, and once with Redis or the database ' +
        'in turn. The other of the two is killed while the worker is paused there.',
      ...(!FILE.isUsed
        ? []
        : [
            `${retained.length} of the trials are from an earlier run on the same commit. ` +
              `${earlier.length === 0 ? 'None had to be repeated.' : `Repeated: ${earlier.map(describe).join(' | ')}.`}`,
          ]),
    ],
    figures: {
      trials: trials.length,
      states: count(trials.map(({ state }) => state)),
      killed: count(trials.map(({ killed }) => killed)),
      resumed_ms: summarize(waits),
      attempts: count(trials.map(({ attempts }) => String(attempts))),
      points: count(trials.map(({ point }) => point)),
      faulty,
    },
  };
});

/** @param {Pick<Trial, 'engine' | 'scenario' | 'point' | 'killed'>} trial */
function nameTrial({ engine, scenario, point, killed }) {
  return [engine, scenario, point, killed].join(' | ');
}

/**
 * @param {Engine} engine
 * @param {Record<string, string>} engines
 * @param {readonly Trial[]} retained
 * @returns {Promise<Trial[]>}
 */
async function runEngine(engine, engines, retained) {
  const known = new Set(retained.map(nameTrial));
  /** @type {Trial[]} */
  const trials = [];
  /** @type {Promise<Wanted[]> | null} */
  let listed = null;
  await Promise.all(
    Array.from({ length: PARALLEL }, () =>
      withKillableProduct(engine, async (context) => {
        engines[engine] = context.product.mysql.version;
        listed ??= listAll(context);
        const waiting = await listed;
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const expected = next;
          if (
            known.has(
              nameTrial({
                engine,
                scenario: expected.scenario.name,
                point: expected.point,
                killed: expected.victims.join(' and '),
              }),
            )
          )
            continue;
          const trial = await tryKill(context, expected).catch((/** @type {Error} */ err) =>
            untried(engine, expected, err),
          );
          trials.push(trial);
          FILE.note(trial);
          console.log(
            `${engine} ${trial.scenario}: ${trial.point}, ${trial.killed} killed: ${trial.state}, resumed after ${trial.resumedMs ?? '-'} ms, ${waiting.length} to go${trial.faults.map((fault) => `\n  ${fault}`).join('')}`,
          );
        }
      }),
    ),
  );
  return trials;
}

/** @param {Engine} engine @param {Wanted} wanted @param {Error} err @returns {Trial} */
function untried(engine, { scenario, point, victims }, err) {
  return {
    engine,
    scenario: scenario.name,
    point,
    killed: victims.join(' and '),
    state: 'unknown',
    resumedMs: null,
    attempts: 0,
    faults: [err.message],
  };
}

/** @param {Context} context */
async function listAll(context) {
  /** @type {Wanted[]} */
  const expected = [];
  /** @type {Set<string>} */
  const known = new Set();
  for (const scenario of KILL_SCENARIOS.filter(
    ({ name }) => ONLY?.some((part) => name.includes(part)) ?? true,
  )) {
    for (const point of await listPoints(context, scenario)) {
      if (!isStrategyPoint(point) && known.has(point)) continue;
      known.add(point);
      const index = expected.length;
      for (const victims of KILLED.slice(index % 2 === 0 ? 0 : 3, index % 2 === 0 ? 3 : 6)) {
        if (KILLS?.includes(victims.join('+')) ?? true) expected.push({ scenario, point, victims });
      }
    }
  }
  return expected;
}

/**
 * Returns whether a kill point belongs to one strategy only. Other points occur in every migration.
 * @param {string} point
 */
function isStrategyPoint(point) {
  return !/^(?:before|after)-(?:grant|acknowledge|publish|publish_target|publish_pair|prepare|check_rows|end)$|^(?:migration-claimed|journal-written|preflight-done|published-not-announced)$/.test(
    point,
  );
}

/** @param {string[]} words */
function count(words) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/**
 * @typedef {{ product: RunningProduct, findOwner: () => Promise<import('../../support/control.mjs').TestUser>, pointFile: string, engine: 'mariadb' | 'mysql' }} Context
 * @param {'mariadb' | 'mysql'} engine
 * @param {(context: Context) => Promise<void>} use
 */
async function withKillableProduct(engine, use) {
  const pointFile = join(tmpdir(), `rowhouse-point-${process.pid}-${(products += 1)}`);
  try {
    await withProduct(
      {
        gateways: 1,
        engine,
        backoffMaxMs: 250,
        extraEnv: { ROWHOUSE_ENV: 'test', FAIL_POINT_FILE: pointFile },
      },
      async (product) => use({ product, findOwner: makeOwners(product), pointFile, engine }),
    );
  } finally {
    for (const file of [pointFile, `${pointFile}.seen`]) rmSync(file, { force: true });
  }
}

/**
 * Creates owners in turn, because an account may have at most a hundred projects.
 * @param {RunningProduct} product
 */
function makeOwners(product) {
  const PROJECTS_MAX = 90;
  /** @type {Promise<import('../../support/control.mjs').TestUser> | null} */
  let owner = null;
  let projects = 0;
  return () => {
    if (owner === null || projects === PROJECTS_MAX) {
      owner = signUp(product.control, { name: 'kill', starter: 'empty' });
      projects = 0;
    }
    projects += 1;
    return owner;
  };
}

/**
 * Lists every point that the scenario passes, from a run without kills.
 * @param {Context} context
 * @param {KillScenario} scenario
 */
async function listPoints(context, scenario) {
  rmSync(`${context.pointFile}.seen`, { force: true });
  const stage = await prepare(context, scenario);
  writeFileSync(context.pointFile, '*');
  await runToEnd(context, await begin(stage, scenario));
  rmSync(context.pointFile);
  await stage.close();
  const seen = [...new Set(readFileSync(`${context.pointFile}.seen`, 'utf8').split('\n'))].filter(
    (name) =>
      name !== '' &&
      !name.startsWith('task-') &&
      name !== 'scratch-made' &&
      (POINTS?.some((part) => name.includes(part)) ?? true),
  );
  // Every DDL step has two kill points: a general one and one with the name of its kind. The general one is
  // skipped.
  return seen.filter((name) => !(name === 'before-ddl' || name === 'after-ddl'));
}

/** @param {Context} context @param {Wanted} wanted @returns {Promise<Trial>} */
async function tryKill(context, { scenario, point, victims }) {
  const { product, pointFile, engine } = context;
  const stage = await prepare(context, scenario);
  const before = await countRows(stage.direct, scenario);
  const pid = pidOf(product, 'migration-worker');
  const isKilled = victims.includes('worker');
  const letGoOn = () => void (!isKilled && pid !== undefined && process.kill(pid, 'SIGCONT'));
  try {
    writeFileSync(pointFile, isKilled ? point : `hold ${point}`);
    const id = await begin(stage, scenario);
    await waitFor(
      `the worker reaches ${point}`,
      async () => !existsSync(pointFile) && (!isKilled || pidOf(product, 'migration-worker') !== pid),
      { timeoutMs: 60_000 },
    );
    const attempt = (await readMigration(context, id))?.attempt ?? 0;
    for (const victim of victims) if (victim !== 'worker') await killServer(context, victim);
    letGoOn();
    const resumedMs = await waitUntilResumed(context, id, attempt, performance.now());
    const row = await runToEnd(context, id);
    await stage.reconnect();
    const faults = await judge(stage, scenario, before, row);
    return {
      engine,
      scenario: scenario.name,
      point,
      killed: victims.join(' and '),
      state: row.state,
      resumedMs,
      attempts: row.attempt,
      faults,
    };
  } finally {
    letGoOn();
    rmSync(pointFile, { force: true });
    await stage.close();
  }
}

/**
 * Creates a project with the scenario's tables and rows.
 * @param {Context} context
 * @param {KillScenario} scenario
 */
async function prepare({ product, findOwner }, scenario) {
  const user = await openProject(await findOwner(), { name: 'kill' });
  await deploy(user, scenario.tables);
  const { connection_string } = await createConnection(user, { name: 'look', role: 'owner' });
  const open = () => mysql.createConnection(connection_string);
  let direct = await open();
  direct.on('error', () => undefined);
  for (const sql of scenario.fill) await direct.query(sql);
  const first =
    scenario.first === undefined ? null : await deploy(user, scenario.first, { accept_loss: true });
  return {
    person: user,
    first,
    api: openApi(product.gateways[0] ?? '', user.key),
    get direct() {
      return direct;
    },
    /** Opens a new connection, because the server may have been killed. */
    async reconnect() {
      direct.destroy();
      direct = await waitFor('a direct connection', () => open().catch(() => null));
    },
    close: () => direct.end().catch(() => undefined),
  };
}

/** @typedef {Awaited<ReturnType<typeof prepare>>} Stage */

/** @param {Stage} stage @param {KillScenario} scenario @returns {Promise<string>} the id of the migration */
async function begin({ person: user, first }, scenario) {
  if (scenario.change === null) {
    const response = await user.control.call('POST', `/api/migrations/${first?.id}/revert`, {});
    expectStatus(response, [200, 201, 202], 'revert');
    return response.json.id ?? response.json.migration?.id;
  }
  return beginDeploy(user, scenario.change);
}

/**
 * @param {Context} context
 * @param {string} id
 * @returns {Promise<{ state: string, attempt: number, error: unknown } | undefined>} undefined when the
 *   database does not respond
 */
async function readMigration({ product }, id) {
  try {
    const platform = await openPlatform(product.platform.admin, { connectTimeout: 1_000 });
    platform.on('error', () => undefined);
    const [rows] = await platform.query('SELECT state, attempt, error FROM migration WHERE id = ?', [id]);
    await platform.end();
    return /** @type {any[]} */ (rows)[0];
  } catch {
    return undefined;
  }
}

/**
 * @param {Context} context
 * @param {string} id
 * @param {number} attempt
 * @param {number} sinceMs
 * @returns {Promise<number | null>} null when the migration had ended before the worker died
 */
async function waitUntilResumed(context, id, attempt, sinceMs) {
  return waitFor(
    `${id} goes on`,
    async () => {
      const row = await readMigration(context, id);
      if (row === undefined) return undefined;
      if (row.attempt > attempt) return { ms: Math.round(performance.now() - sinceMs) };
      return END_STATES.includes(row.state) ? { ms: null } : undefined;
    },
    { timeoutMs: 60_000, intervalMs: 25 },
  ).then(({ ms }) => ms);
}

/** @param {Context} context @param {string} id */
async function runToEnd(context, id) {
  return waitFor(
    `${id} ends`,
    async () => {
      const row = await readMigration(context, id);
      return row !== undefined && END_STATES.includes(row.state) ? row : undefined;
    },
    { timeoutMs: 120_000, intervalMs: 50 },
  );
}

/**
 * Sends SIGKILL to Redis or to both database servers, which are started again, and returns when they answer.
 * @param {Context} context
 * @param {'redis' | 'mysql'} name
 */
async function killServer({ product }, name) {
  if (name === 'redis') {
    await waitForSuccessor(product, 'redis', await signalProcess(product, 'redis'));
    return;
  }
  await Promise.all([product.killDatabase(), product.killPlatform()]);
  for (const {
    admin: { host, port, user, password },
  } of [product.mysql, product.platform]) {
    await waitFor(
      'the database answers again',
      async () => {
        const connection = await mysql
          .createConnection({ host, port, user, password, connectTimeout: 500 })
          .catch(() => null);
        await connection?.end();
        return connection !== null;
      },
      { timeoutMs: 60_000, intervalMs: 50 },
    );
  }
}

/** @param {mysql.Connection} direct @param {KillScenario} scenario */
async function countRows(direct, scenario) {
  /** @type {string[]} */
  const counted = [];
  for (const sql of scenario.counts) counted.push(`${sql}: ${JSON.stringify((await direct.query(sql))[0])}`);
  return counted;
}

/**
 * @param {Stage} stage
 * @param {KillScenario} scenario
 * @param {string[]} before
 * @param {{ state: string, error: unknown }} row
 */
async function judge(stage, scenario, before, row) {
  /** @type {string[]} */
  const faults = [];
  if (row.state !== 'published' && row.state !== 'failed')
    faults.push(`ended ${row.state}: ${JSON.stringify(row.error)}`);
  if (row.state === 'failed') faults.push(`failed: ${JSON.stringify(row.error)}`);
  const after = await countRows(stage.direct, scenario);
  for (const [index, text] of after.entries())
    if (text !== before[index]) faults.push(`${before[index]} became ${text}`);
  for (const hold of scenario.holds)
    if (/** @type {unknown[]} */ ((await stage.direct.query(hold))[0]).length > 0) faults.push(hold);
  faults.push(...(await listLeftovers(stage.direct)).map((name) => `${name} is left over`));
  // The gateway serves the current schema: introspection finds no change, and each table can be read.
  const served = await waitFor('the schema is served', async () => {
    const response = await stage.api.get('/schema').catch(() => null);
    return response?.status === 200 ? response : undefined;
  });
  const [tables] = await stage.direct.query(
    'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
  );
  for (const { name } of /** @type {{ name: string }[]} */ (tables)) {
    await sleep(0);
    const response = await stage.api.get(`/${name}?limit=1`).catch(() => null);
    if (response?.status !== 200)
      faults.push(`/${name} answers ${response?.status ?? 'nothing'} ${response?.text.slice(0, 200) ?? ''}`);
    if (!served.text.includes(`"${name}"`)) faults.push(`${name} is not in the schema`);
  }
  return faults;
}
