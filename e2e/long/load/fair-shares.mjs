// @ts-check
/**
 * Shows that one organization's direct connections leave other tenants their share of the server: CPU under
 * full load, then connections, memory and temporary disk under attack.
 *
 * Options: `--users 60`, `--sessions 1`, `--seconds 12`, `--rounds 4`, `--only memory,disk,connections,load`,
 * `--engine mariadb|mysql`.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { readCpuMs } from '../../../bench/lib/cpu-time.mjs';
import { createConnection, createKey, deploy, openProject, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { pidOf } from '../../support/processes.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { burnCores, forSeconds, readSteadily } from './parts/neighbor.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';
import { startDirectLoad } from './parts/start-direct-load.mjs';
import { createUsers } from './parts/create-users.mjs';

const USERS = readCount('users', 60);
const SESSIONS = readCount('sessions', 1);
const SECONDS = readCount('seconds', 12);
const ROUNDS = readCount('rounds', 4);
const ONLY = readWords('only');
const ENGINE = readWords('engine')?.[0] === 'mysql' ? 'mysql' : 'mariadb';
const ONSET_SECONDS = 10;
const RATIO_MAX = 1.5;
const RATE = 50;
const LOGIN_INTERVAL_MS = 50;
const USERS_PER_DATABASE = 20;
const MEMORY_GROWTH_MB_MAX = 700;
const TEMP_DISK_MB_MAX = 4_200;

/** @typedef {{ reads: number[], logins: number[], deploys: number[], failed: string[] }} Observed */

await runSuite(() =>
  withProduct({ gateways: 1, engine: ENGINE }, async (product) => {
    const [base = ''] = product.gateways;
    const verbose = await openLoud(product);
    const quiet = await openQuiet(product);
    const serverPid = product.databasePid() ?? 0;
    /** @type {import('../../support/write-report.mjs').Report['claims']} */
    const claims = [];
    /** @type {Record<string, unknown>} */
    const figures = {};
    const stages = { memory: stageMemory, disk: stageDisk, connections: stageConnections, load: stageLoad };
    for (const [name, stage] of Object.entries(stages)) {
      if (ONLY?.includes(name) === false) continue;
      const found = await stage();
      claims.push(...found.claims);
      figures[name] = found.figures;
      console.log(`${name}: ${JSON.stringify(found.figures)}`);
    }
    const options = process.argv.slice(2).join(' ');
    return {
      suite: 'fair-shares',
      title: `Latency of a tenant while ${USERS} connection users of another organization use all they can`,
      command: `pnpm test:long fair-shares${options === '' ? '' : ` ${options}`}`,
      seed: null,
      engines: { [product.mysql.engine]: product.mysql.version },
      skips: ONLY === undefined ? [] : ['the stages that the options omit'],
      claims,
      notes: [
        `The tenant reads one record at a time in an open loop of ${RATE}/s, logs in over a direct connection every ${LOGIN_INTERVAL_MS} ms and deploys changes one after the other.`,
        `The first ${ONSET_SECONDS} s of each load, in which its users log in, are in the figures as ` +
          'its onset, but not in the claims.',
        'The worker runs on the machine of the server: threads of the busy organization get niceness 19 and half of the processors, and none of its statements is ended for its processor time.',
        'On a machine that other programs keep busy, the burner gets less than the load would use, and the ratios say less.',
        'Load and plain burning alternate. The burner takes as many cores as the server, the gateway and the clients of the load took above what they take without it.',
      ],
      figures,
    };

    /** @param {() => boolean} until @returns {Promise<Observed>} */
    async function observe(until) {
      const [reads, logins, deploys] = await Promise.all([
        readSteadily({ base, key: quiet.key, perSecond: RATE, until }),
        loginSteadily(quiet.connection, until),
        deploySteadily(quiet.person, until),
      ]);
      const failed = [
        ...(reads.failed > 0 ? [`${reads.failed} reads`] : []),
        ...logins.failed,
        ...deploys.failed,
      ];
      return { reads: reads.latencies, logins: logins.latencies, deploys: deploys.latencies, failed };
    }

    /**
     * Returns the number of cores used while `callback` runs.
     * @template T
     * @param {() => Promise<T>} callback
     * @param {number[]} others
     */
    async function measure(callback, others = []) {
      const pids = [serverPid, pidOf(product, 'gateway') ?? 0, ...others];
      const burnt = () => pids.reduce((sum, pid) => sum + (readCpuMs(pid) ?? 0), 0);
      const [startMs, before] = [performance.now(), burnt()];
      const result = await callback();
      return { result, cores: (burnt() - before) / (performance.now() - startMs) };
    }

    async function stageLoad() {
      await observe(forSeconds(3));
      const alone = await measure(() => observe(forSeconds(SECONDS)));
      /** @type {Record<'noisy' | 'plain', Observed>} */
      const all = { noisy: emptyObserved(), plain: emptyObserved() };
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const load = await startDirectLoad({
          logins: verbose.connections.slice(0, USERS),
          sessions: SESSIONS,
          kind: 'mix',
        });
        // Shortly after users log in, the worker lowers the priority of their threads. Latencies before that
        // are reported separately.
        const onset = await observe(forSeconds(ONSET_SECONDS));
        const noisy = await measure(() => observe(forSeconds(SECONDS)), [load.pid]);
        const reported = await load.stop();
        const cores = Math.max(0.1, noisy.cores - alone.cores);
        const stopBurning = burnCores(cores);
        await sleep(1_000);
        const plain = await observe(forSeconds(SECONDS)).finally(stopBurning);
        addObserved(all.noisy, noisy.result);
        addObserved(all.plain, plain);
        rounds.push({
          cores,
          onset: describe(onset),
          noisy: describe(noisy.result),
          plain: describe(plain),
          reported,
        });
        console.log(`round ${round + 1}: ${JSON.stringify(rounds.at(-1))}`);
      }
      const [noisy, plain] = [describe(all.noisy), describe(all.plain)];
      const compare = (
        /** @type {'reads' | 'logins' | 'deploys'} */ what,
        /** @type {'p50' | 'p99'} */ at,
      ) => {
        const ratio = noisy[what][at] / plain[what][at];
        return {
          claim: `${what}: ${at} is within ${RATIO_MAX} times the value next to a plain process that uses the same cores`,
          holds: ratio <= RATIO_MAX,
          found: `${ratio.toFixed(2)}: ${noisy[what][at]} ms and ${plain[what][at]} ms`,
        };
      };
      const failed = [...all.noisy.failed, ...all.plain.failed];
      const statementsEnded = (await listEvents('statements')).length;
      return {
        claims: [
          compare('reads', 'p99'),
          compare('logins', 'p50'),
          compare('logins', 'p99'),
          compare('deploys', 'p50'),
          {
            claim: 'load: no statement is ended because of its CPU time',
            holds: statementsEnded === 0,
            found: `${statementsEnded} events`,
          },
          {
            claim: 'load: no request of the tenant fails',
            holds: failed.length === 0,
            found: failed.slice(0, 5).join('; ') || 'none',
          },
        ],
        figures: { alone: describe(alone.result), alone_cores: alone.cores, noisy, plain, rounds },
      };
    }

    async function stageConnections() {
      const load = await startDirectLoad({ logins: verbose.connections, sessions: 20, kind: 'hold' });
      await sleep(3_000);
      const observed = await observe(forSeconds(SECONDS));
      const reported = await load.stop();
      // Waits for a minute, because a user whose session was ended may use less during that time.
      await sleep(65_000);
      return {
        claims: [
          {
            claim: `connections: with ${verbose.connections.length} users that open 20 sessions each, no request of the tenant fails`,
            holds: observed.failed.length === 0,
            found: `${observed.failed.slice(0, 3).join('; ') || 'none'} (${observed.failed.length})`,
          },
        ],
        figures: { observed: describe(observed), reported },
      };
    }

    async function stageMemory() {
      const before = readRssMb(serverPid);
      const session = await openSession(verbose.connections[0]);
      let [maximum, set, ended] = [before, 0, ''];
      for (let index = 0; index < 90 && ended === ''; index += 1) {
        await session.query(`SET @v${index} = REPEAT('x', 16000000)`).then(
          () => (set += 1),
          (/** @type {Error} */ error) => (ended = error.message),
        );
        maximum = Math.max(maximum, readRssMb(serverPid));
      }
      for (let index = 0; index < 10 && ended === ''; index += 1) {
        await sleep(300);
        await session.query('SELECT 1').catch((/** @type {Error} */ error) => (ended = error.message));
      }
      session.destroy();
      const event = await findEvent('memory');
      const growth = maximum - before;
      return {
        claims: [
          {
            claim: `memory: variables of one session use at most ${MEMORY_GROWTH_MB_MAX} MiB of the server`,
            holds: growth <= MEMORY_GROWTH_MB_MAX,
            found: `${growth} MiB, ${set} variables set, then: ${ended || 'nothing ended it'}`,
          },
          {
            claim: 'memory: the audit log of the organization gives the reason why the session ended',
            holds: event !== null,
            found: JSON.stringify(event),
          },
        ],
        figures: { before_mb: before, most_mb: maximum, variables_set: set, ended },
      };
    }

    async function stageDisk() {
      const tmp = () => readFolderMb(findTempFolders(product.dataDir));
      const before = tmp();
      const session = await openSession(verbose.connections[1]);
      let ended = '';
      await session
        .query('CREATE TEMPORARY TABLE held (id int AUTO_INCREMENT PRIMARY KEY, a longblob)')
        .catch((/** @type {Error} */ error) => (ended = error.message));
      let maximum = before;
      for (let index = 0; index < 400 && ended === ''; index += 1) {
        await session
          .query("INSERT INTO held (a) VALUES (REPEAT('x', 15000000))")
          .catch((/** @type {Error} */ error) => (ended = error.message));
        maximum = Math.max(maximum, tmp());
      }
      session.destroy();
      const growth = maximum - before;
      return {
        claims: [
          {
            claim: `disk: temporary tables of one session use at most ${TEMP_DISK_MB_MAX} MiB`,
            holds: growth <= TEMP_DISK_MB_MAX && ended !== '',
            found: `${growth} MiB, then: ${ended || 'nothing ended it'}`,
          },
        ],
        figures: { before_mb: before, most_mb: maximum, ended },
      };
    }

    /** @param {string} bound @returns {Promise<any[]>} */
    async function listEvents(bound) {
      const organization = verbose.person.answer.organization?.id;
      const { json } = await verbose.person.control.call(
        'GET',
        `/api/organizations/${organization}/audit?action=connection.session_ended`,
      );
      return /** @type {any[]} */ (json?.items ?? []).filter((item) => item.detail?.bound === bound);
    }

    /** @param {string} bound */
    async function findEvent(bound) {
      return waitFor('the audit log has the event', async () => (await listEvents(bound))[0]?.detail, {
        timeoutMs: 30_000,
      }).catch(() => null);
    }
  }),
);

/** @param {import('../../support/with-product.mjs').RunningProduct} product */
async function openLoud(product) {
  const user = await signUp(product.control, { name: 'loud' });
  const second = await openProject(user, { name: 'Second', starter: 'blog' });
  const databases = [
    { person: user, id: user.development.id },
    { person: user, id: user.production.id },
    { person: second, id: second.development.id },
  ];
  await deploy(user, 'CREATE TABLE notes (id int NOT NULL AUTO_INCREMENT PRIMARY KEY)', {
    database: user.production.id,
  });
  /** @type {import('./parts/direct-load.mjs').Login[]} */
  const connections = [];
  const count = Math.ceil(Math.max(USERS, 3) / 3);
  for (const { person: maker, id } of databases) {
    for (let index = 0; index < Math.min(USERS_PER_DATABASE, count); index += 1) {
      connections.push(
        /** @type {any} */ (await createConnection(maker, { name: `load ${index}`, role: 'owner' }, id)),
      );
    }
  }
  for (const index of [0, count, 2 * count]) await fillPosts(connections[index]);
  // The connections alternate between the two databases, so that the first part of the list has connections
  // of both.
  const mixed = Array.from({ length: count }, (_, index) => [
    connections[index],
    connections[count + index],
    connections[2 * count + index],
  ]).flat();
  return { person: user, connections: mixed.filter((item) => item !== undefined) };
}

/** @param {import('./parts/direct-load.mjs').Login | undefined} login */
async function fillPosts(login) {
  const session = await openSession(login);
  await session.query(
    'CREATE TABLE IF NOT EXISTS users (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, username varchar(100) NOT NULL, email varchar(200) NOT NULL)',
  );
  await session.query(
    'CREATE TABLE IF NOT EXISTS posts (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, title varchar(200) NOT NULL, content text, user_id int NOT NULL)',
  );
  await session.query("INSERT INTO users (username, email) VALUES ('load', 'load@example.org')");
  const [[user]] = /** @type {any} */ (await session.query('SELECT MAX(id) AS id FROM users'));
  const rows = Array.from(
    { length: 500 },
    (_, index) => `('title ${index}', '${'x'.repeat(100)} ${index}', ${user.id})`,
  ).join(', ');
  for (let index = 0; index < 20; index += 1)
    await session.query(`INSERT INTO posts (title, content, user_id) VALUES ${rows}`);
  session.destroy();
}

/** @param {import('../../support/with-product.mjs').RunningProduct} product */
async function openQuiet(product) {
  const user = await signUp(product.control, { name: 'quiet' });
  const api = openApi(product.gateways[0] ?? '', user.key);
  await createUsers(api);
  const { secret } = await createKey(user, { name: 'reader', scopes: ['read'] });
  await waitFor(
    'the key is known',
    async () => (await openApi(product.gateways[0] ?? '', secret).get('/users/1')).status === 200,
  );
  return {
    person: user,
    key: secret,
    connection: await createConnection(user, { name: 'login', role: 'read-only' }),
  };
}

/** @param {import('./parts/direct-load.mjs').Login | undefined} login */
async function openSession(login) {
  if (login === undefined) throw new Error('no such connection');
  const { host, port, user, password, database, ca } = login;
  const session = await mysql.createConnection({
    host,
    port,
    user,
    password,
    database,
    connectTimeout: 10_000,
    ...(ca === null ? {} : { ssl: { ca } }),
  });
  session.on('error', () => undefined);
  return session;
}

/** @param {any} login @param {() => boolean} until */
async function loginSteadily(login, until) {
  /** @type {number[]} */
  const latencies = [];
  /** @type {string[]} */
  const failed = [];
  while (!until()) {
    const startedMs = performance.now();
    await openSession(login)
      .then(async (session) => {
        await session.query('SELECT 1');
        session.destroy();
        latencies.push(performance.now() - startedMs);
      })
      .catch((/** @type {Error} */ error) => failed.push(`login: ${error.message}`));
    await sleep(LOGIN_INTERVAL_MS);
  }
  return { latencies, failed };
}

/** @param {import('../../support/control.mjs').TestUser} user @param {() => boolean} until */
async function deploySteadily(user, until) {
  /** @type {number[]} */
  const latencies = [];
  /** @type {string[]} */
  const failed = [];
  while (!until()) {
    const name = `c${Math.random().toString(36).slice(2, 10)}`;
    const startedMs = performance.now();
    await deploy(
      user,
      `CREATE TABLE ${name} (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, body varchar(100))`,
    ).then(
      () => latencies.push(performance.now() - startedMs),
      (/** @type {Error} */ error) => failed.push(`deploy: ${error.message}`),
    );
    await sleep(200);
  }
  return { latencies, failed };
}

/** @returns {Observed} */
function emptyObserved() {
  return { reads: [], logins: [], deploys: [], failed: [] };
}

/** @param {Observed} all @param {Observed} more */
function addObserved(all, more) {
  for (const what of /** @type {const} */ (['reads', 'logins', 'deploys'])) all[what].push(...more[what]);
  all.failed.push(...more.failed);
}

/** @param {Observed} observed */
function describe({ reads, logins, deploys, failed }) {
  return {
    reads: summarize(reads),
    logins: summarize(logins),
    deploys: summarize(deploys),
    failed: failed.length,
  };
}

/** @param {number} pid */
function readRssMb(pid) {
  return Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024,
  );
}

/**
 * Lists the folders in which servers store temporary files.
 * @param {string} dataDir
 */
function findTempFolders(dataDir) {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter(
      (item) =>
        item.isDirectory() && (item.name === 'tmp' || item.name === '#innodb_temp' || item.name === 'data'),
    )
    .map((item) => join(item.parentPath, item.name));
}

/**
 * Returns the size of the temporary files of both engines.
 * @param {string[]} folders
 */
function readFolderMb(folders) {
  let bytes = 0;
  for (const folder of folders) {
    for (const item of readdirSync(folder, { withFileTypes: true })) {
      const isTemporary = !folder.endsWith('data') || /^ibtmp/.test(item.name);
      if (item.isFile() && isTemporary)
        bytes += statSync(join(folder, item.name), { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return Math.round(bytes / 2 ** 20);
}
