// @ts-check
/**
 * Sends query bombs of one tenant, 32 at once, in several waves. It measures how many run and when each ends.
 * It compares the latency of another tenant with its latency next to a plain process that burns as many
 * cores. The two measurements alternate, so that other work on the machine affects both equally. The tables
 * are small, because statements over large ones would be rejected for their cost before they run.
 *
 * Options: `--seconds` (of each), `--rounds`, `--bombs`, `--rate`, `--engine mariadb|mysql`.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { createKey, signUp } from '../../support/control.mjs';
import { openApi, send } from '../../support/http.mjs';
import { SESSIONS } from '@rowhouse/local/servers/mysql-admin';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { burnCores, forSeconds, readSteadily } from './parts/neighbor.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';
import { createUsers } from './parts/create-users.mjs';

const SECONDS = readCount('seconds', 50);
const ROUNDS = readCount('rounds', 5);
const QUERY_BOMBS = readCount('bombs', 32);
const RATE = readCount('rate', 100);
const RUNNING_MAX = 2;
const STATEMENT_MS_MAX = 10_000;
const SLACK_MS = 250;
const POLL_MS = 25;
/**
 * Each bomb uses one core until it is stopped. Its condition names every table. Otherwise MySQL would compute
 * the count as a product of the tables' row counts.
 */
const BOMB_ALIASES = Array.from('abcdefghij');
const BOMB = `SELECT COUNT(*) AS bomb FROM ${BOMB_ALIASES.map((alias) => `users ${alias}`).join(', ')} WHERE CONCAT(${BOMB_ALIASES.map((alias) => `${alias}.username`).join(', ')}) LIKE '%~%'`;
const ENGINES = /** @type {readonly ('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);

/**
 * Records the statements that run on the server, by session and text, with the time for which each was seen.
 * @param {import('mysql2/promise').Connection} admin
 * @param {() => boolean} until
 */
async function watchServer(admin, until) {
  /** @type {Map<string, { firstMs: number, lastMs: number }>} */
  const seen = new Map();
  let maximum = 0;
  while (!until()) {
    const [rows] = /** @type {any} */ (
      await admin.query(
        `SELECT ID AS id, TIME AS time FROM ${SESSIONS} WHERE INFO LIKE 'SELECT COUNT(*) AS bomb%'`,
      )
    );
    const nowMs = performance.now();
    maximum = Math.max(maximum, rows.length);
    for (const { id, time } of rows) {
      // If no entry matches, the session has started another statement.
      const known = [...seen].find(
        ([name, item]) =>
          name.startsWith(`${id} `) &&
          nowMs - item.lastMs < 1_000 &&
          time * 1_000 + 1_500 > item.lastMs - item.firstMs,
      );
      if (known === undefined) seen.set(`${id} ${nowMs}`, { firstMs: nowMs, lastMs: nowMs });
      else known[1].lastMs = nowMs;
    }
    await sleep(POLL_MS);
  }
  return {
    most: maximum,
    lifetimes: [...seen.values()].map(({ firstMs, lastMs }) => Math.round(lastMs - firstMs)),
  };
}

/** @param {string} base @param {string} key */
async function sendQueryBomb(base, key) {
  const startedMs = performance.now();
  const { status, json } = await send(base, 'POST', '/v1/-/query', {
    headers: { Authorization: `Bearer ${key}` },
    body: { query: BOMB, mode: 'sql' },
  });
  return { status, code: String(json?.code ?? ''), ms: Math.round(performance.now() - startedMs) };
}

/** Collects latencies of several rounds. */
function openTally() {
  /** @type {{ latencies: number[], failed: number }} */
  const tally = { latencies: [], failed: 0 };
  return {
    ...tally,
    /** @param {Awaited<ReturnType<typeof readSteadily>>} round */
    add(round) {
      this.latencies.push(...round.latencies);
      this.failed += round.failed;
    },
  };
}

/** @param {import('../../support/with-product.mjs').RunningProduct} product */
async function openStage({ control, gateways: [base = ''] }) {
  const attacker = await signUp(control, { name: 'bomber' });
  const other = await signUp(control, { name: 'neighbour' });
  for (const { key } of [attacker, other]) {
    const api = openApi(base, key);
    await createUsers(api);
  }
  const { secret: reader } = await createKey(other, { name: 'reader', scopes: ['read'] });
  await waitFor(
    'the reader is known',
    async () =>
      (await send(base, 'GET', '/v1/-/users/1', { headers: { Authorization: `Bearer ${reader}` } }))
        .status === 200,
  );
  return { base, attacker: attacker.key, reader };
}

/** @param {Awaited<ReturnType<typeof openStage>>} stage @param {import('mysql2/promise').Connection} admin */
async function measure({ base, attacker, reader }, admin) {
  const read = (/** @type {() => boolean} */ until) =>
    readSteadily({ base, key: reader, perSecond: RATE, until });
  await read(forSeconds(2));
  const alone = openTally();
  alone.add(await read(forSeconds(Math.min(SECONDS, 10))));
  const burdened = openTally();
  const bombed = openTally();
  /** @type {Awaited<ReturnType<typeof sendQueryBomb>>[][]} */
  const waves = [];
  /** @type {Awaited<ReturnType<typeof watchServer>>[]} */
  const watches = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const stopBurning = burnCores(RUNNING_MAX);
    burdened.add(await read(forSeconds(SECONDS / ROUNDS)).finally(stopBurning));
    let isFinished = false;
    const watched = watchServer(admin, () => isFinished);
    const ended = forSeconds(SECONDS / ROUNDS);
    const bombing = (async () => {
      while (!ended())
        waves.push(
          await Promise.all(Array.from({ length: QUERY_BOMBS }, () => sendQueryBomb(base, attacker))),
        );
      isFinished = true;
    })();
    bombed.add(await read(() => isFinished));
    await bombing;
    watches.push(await watched);
  }
  return {
    alone,
    burdened,
    bombed,
    waves,
    most: Math.max(...watches.map((item) => item.most)),
    lifetimes: watches.flatMap((item) => item.lifetimes),
  };
}

/** @param {'mariadb' | 'mysql'} engine */
async function runEngine(engine) {
  return withProduct({ gateways: 1, engine }, async (product) => {
    const { host, port, user, password } = product.mysql.admin;
    const admin = await mysql.createConnection({ host, port, user, password });
    try {
      const stage = await openStage(product);
      const loadBefore = loadavg()[0] ?? 0;
      const measured = await measure(stage, admin);
      const [left] = /** @type {any} */ (
        await admin.query(`SELECT ID AS id FROM ${SESSIONS} WHERE INFO LIKE 'SELECT COUNT(*) AS bomb%'`)
      );
      return { engine, version: product.mysql.version, loadBefore, left: Number(left.length), ...measured };
    } finally {
      await admin.end();
    }
  });
}

/** @param {Awaited<ReturnType<typeof runEngine>>} measured */
function describeEngine({ engine, left, alone, burdened, bombed, waves, most, lifetimes }) {
  const all = waves.flat();
  const ran = all.filter((item) => item.code === 'query.timeout');
  const turnedAway = all.filter((item) => item.status === 429 && item.code === 'limit.concurrency');
  const [plain, burning, during] = [
    summarize(alone.latencies),
    summarize(burdened.latencies),
    summarize(bombed.latencies),
  ];
  const slowest = Math.max(...ran.map((item) => item.ms));
  const longest = Math.max(...lifetimes);
  const ratio = during.p99 / burning.p99;
  const failed = alone.failed + burdened.failed + bombed.failed;
  return {
    claims: [
      {
        claim: `${engine}: a gateway runs at most ${RUNNING_MAX} bombs at once`,
        holds: most <= RUNNING_MAX && most > 0,
        found: `${most} at most, in ${waves.length} waves`,
      },
      {
        claim: `${engine}: all others are rejected with 429`,
        holds: ran.length + turnedAway.length === all.length && ran.length === waves.length * RUNNING_MAX,
        found: `${ran.length} ran, ${turnedAway.length} turned away, of ${all.length}`,
      },
      {
        claim: `${engine}: each response arrives within the time limit plus ${SLACK_MS} ms`,
        holds: slowest <= STATEMENT_MS_MAX + SLACK_MS,
        found: `${slowest} ms at most`,
      },
      {
        claim: `${engine}: each statement ends within the time limit on the server`,
        holds: left === 0 && longest <= STATEMENT_MS_MAX + SLACK_MS + POLL_MS,
        found: `seen for ${longest} ms at most, ${left} left`,
      },
      {
        claim: `${engine}: the other tenant's p99 is within 1.5 times its p99 next to a plain process that uses as many cores`,
        holds: ratio <= 1.5,
        found: `${during.p99} ms and ${burning.p99} ms (${ratio.toFixed(2)}); ${plain.p99} ms alone`,
      },
      {
        claim: `${engine}: no request of the other tenant fails`,
        holds: failed === 0,
        found: String(failed),
      },
    ],
    figures: {
      alone: plain,
      besideBurners: burning,
      besideBombs: during,
      waves: waves.map((wave) => reportWave(wave)),
      lifetimes,
    },
  };
}

/**
 * Returns how often each outcome occurred, and the longest time that it took.
 * @param {Awaited<ReturnType<typeof sendQueryBomb>>[]} wave
 */
function reportWave(wave) {
  const tell = (/** @type {typeof wave[number]} */ { status, code }) => `${status} ${code}`;
  return [...new Set(wave.map(tell))].map((outcome) => {
    const ones = wave.filter((item) => tell(item) === outcome);
    return `${ones.length} x ${outcome}, ${Math.max(...ones.map((item) => item.ms))} ms at most`;
  });
}

await runSuite(async () => {
  /** @type {Awaited<ReturnType<typeof runEngine>>[]} */
  const measured = [];
  for (const engine of ENGINES) measured.push(await runEngine(engine));
  const described = measured.map((item) => ({ engine: item.engine, ...describeEngine(item) }));
  return {
    suite: 'query-bombs',
    title: `${QUERY_BOMBS} simultaneous query bombs of one tenant`,
    command: `pnpm test:long query-bombs${process.argv
      .slice(2)
      .map((word) => ` ${word}`)
      .join('')}`,
    seed: null,
    engines: Object.fromEntries(measured.map(({ engine, version }) => [engine, version])),
    skips: ['mariadb', 'mysql'].filter((engine) => !measured.some((item) => item.engine === engine)),
    claims: described.flatMap(({ claims }) => claims),
    notes: [
      `${ROUNDS} rounds of both, one after the other. Load of the machine before: ${measured.map(({ engine, loadBefore }) => `${loadBefore.toFixed(1)} (${engine})`).join(', ')}.`,
    ],
    figures: { rate: RATE, ...Object.fromEntries(described.map(({ engine, figures }) => [engine, figures])) },
  };
});
