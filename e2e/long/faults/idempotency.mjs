// @ts-check
/**
 * Kills a gateway while it handles writes with an Idempotency-Key, and repeats the writes until they succeed.
 * Each write must take effect exactly once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { openRandom } from '@rowhouse/schema-model/testing';
import { deploy, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { pidOf, signalProcess, waitForSuccessor } from '../../support/processes.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { checkOnce } from './parts/check-once.mjs';
import { makeWrite, ONCE_KINDS, ONCE_SCHEMA, sendUntilAnswered } from './parts/once-writes.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const TIMES = readCount('times', 40);
const KILLS = readCount('kills', 50);
const IN_FLIGHT = readCount('in-flight', 32);
const SEED = readCount('seed', 20260301);
const POINTS = ['before_begin', 'after_record', 'after_write', 'after_commit', 'after_first_byte'];
/** Kill points after the commit, where a repeated write returns the stored response. */
const COMMITTED = new Set(['after_commit', 'after_first_byte']);
const COUNTERS = 100_000;

/** @typedef {import('./parts/once-writes.mjs').Outcome} Outcome */
/** @typedef {import('../../support/with-product.mjs').RunningProduct} Product */
/** @typedef {{ product: Product, apiKey: string, admin: mysql.Connection, schema: string, next: () => import('./parts/once-writes.mjs').OnceWrite }} Context */

await runSuite(async () =>
  withProduct({ gateways: 2, extraEnv: { ROWHOUSE_ENV: 'test' }, backoffMaxMs: 250 }, async (product) => {
    const context = await prepare(product);
    const points = await killAtPoints(context);
    const random = await killAtRandom(context);
    for (const index of product.gateways.keys()) await waitUntilServing(product, index);
    const check = {
      admin: context.admin,
      schema: context.schema,
      gateways: product.gateways,
      apiKey: context.apiKey,
    };
    const ofPoints = await checkOnce(
      check,
      points.outcomes.map(({ outcome }) => outcome),
    );
    const ofRandom = await checkOnce(check, random.outcomes);
    await context.admin.end();
    const wrongEnds = points.outcomes.filter(
      ({ point, outcome }) =>
        (outcome.answer.headers['idempotent-replayed'] === 'true') !== COMMITTED.has(point),
    );
    const retried = random.outcomes.filter((outcome) => outcome.attempts > 1);
    const isUsual = TIMES === 40 && KILLS === 50 && IN_FLIGHT === 32;
    const sample = (/** @type {string[]} */ list) =>
      list.length === 0 ? '' : `: ${list.slice(0, 3).join('; ')}`;
    return {
      suite: 'idempotency',
      title: 'Idempotency-Key: a write happens once even if its gateway is killed',
      command: `pnpm test:long idempotency${isUsual ? '' : ` --times ${TIMES} --kills ${KILLS} --in-flight ${IN_FLIGHT}`}`,
      seed: SEED,
      engines: { [product.mysql.engine]: product.mysql.version },
      skips: [],
      claims: [
        {
          claim: `a gateway is killed at each of ${POINTS.length} points ${TIMES} times`,
          holds: points.deaths === POINTS.length * TIMES,
          found: `${points.deaths} kills`,
        },
        {
          claim: 'each of these writes takes effect exactly once',
          holds: ofPoints.effects.length === 0,
          found: `${points.outcomes.length} writes, ${ofPoints.effects.length} wrong${sample(ofPoints.effects)}`,
        },
        {
          claim: 'its response and every replay equal the stored response byte by byte',
          holds: ofPoints.answers.length === 0,
          found: `${ofPoints.answers.length} differ${sample(ofPoints.answers)}`,
        },
        {
          claim: 'a committed write is replayed, and any other write runs again',
          holds: wrongEnds.length === 0,
          found: `${wrongEnds.length} otherwise`,
        },
        {
          claim: `a gateway is killed ${KILLS} times at random, with ${IN_FLIGHT} writes in flight`,
          holds: random.inFlight.length === KILLS && Math.min(...random.inFlight) === IN_FLIGHT,
          found: `${random.inFlight.length} kills, ${Math.min(...random.inFlight)} to ${Math.max(...random.inFlight)} in flight`,
        },
        {
          claim: 'each of these writes takes effect exactly once',
          holds: ofRandom.effects.length === 0 && random.outcomes.length >= KILLS * 2,
          found: `${random.outcomes.length} writes, ${retried.length} of them sent more than once, ${ofRandom.effects.length} wrong${sample(ofRandom.effects)}`,
        },
        {
          claim: 'its response and every replay equal the stored response byte by byte',
          holds: ofRandom.answers.length === 0,
          found: `${ofRandom.answers.length} differ${sample(ofRandom.answers)}`,
        },
      ],
      notes: [
        `Kinds of writes, in turn: ${ONCE_KINDS.join(', ')}. Effects are counted in the database itself.`,
        'A request is in flight from sending until its response, on either gateway. Fail points ' +
          'cannot be loaded in production: apps/gateway/test/writes/idempotency-kill.int.test.ts.',
      ],
      figures: {
        attempts_at_points: summarize(points.outcomes.map(({ outcome }) => outcome.attempts)),
        attempts_at_random: summarize(random.outcomes.map((outcome) => outcome.attempts)),
        kills_at_points: points.deaths,
        replayed_at_random: random.outcomes.filter(
          (outcome) => outcome.answer.headers['idempotent-replayed'] === 'true',
        ).length,
        refused: addRejections([...points.outcomes.map(({ outcome }) => outcome), ...random.outcomes]),
        writes_by_kind: Object.fromEntries(
          ONCE_KINDS.map((kind) => [
            kind,
            [...points.outcomes.map(({ outcome }) => outcome), ...random.outcomes].filter(
              (outcome) => outcome.write.kind === kind,
            ).length,
          ]),
        ),
      },
    };
  }),
);

/** @param {Product} product @returns {Promise<Context>} */
async function prepare(product) {
  const user = await signUp(product.control, { name: 'once', starter: 'empty' });
  await deploy(user, ONCE_SCHEMA);
  const admin = await mysql.createConnection({ ...product.mysql.admin });
  const platform = await mysql.createConnection({ ...product.platform.admin });
  const [rows] = await platform.query('SELECT schema_name FROM rowhouse_cell.tenant_database WHERE id = ?', [
    user.development.id,
  ]);
  await platform.end();
  const schema = /** @type {{ schema_name: string }[]} */ (rows)[0]?.schema_name ?? '';
  for (let from = 0; from < COUNTERS; from += 10_000) {
    await admin.query(
      `INSERT INTO ${schema}.counters (id) VALUES ${Array.from({ length: 10_000 }, (_, index) => `(${from + index})`).join(',')}`,
    );
  }
  for (const base of product.gateways)
    await waitFor(
      'the tables are served',
      async () => (await openApi(base, user.key).get('/counters/1')).status === 200,
    );
  let number = 0;
  return { product, apiKey: user.key, admin, schema, next: () => makeWrite(number++) };
}

/**
 * Kills a gateway at each fail point in turn, alternating between the two gateways. Waits until both serve
 * before the next kill.
 * @param {Context} context
 */
async function killAtPoints({ product, apiKey, next }) {
  /** @type {{ point: string, outcome: Outcome }[]} */
  const outcomes = [];
  let deaths = 0;
  for (let time = 0; time < TIMES; time += 1) {
    for (const [index, point] of POINTS.entries()) {
      const first = (time * POINTS.length + index) % product.gateways.length;
      await waitUntilServing(product, first);
      const pid = pidOf(product, nameOf(first));
      outcomes.push({
        point,
        outcome: await sendUntilAnswered(product.gateways, apiKey, next(), { first, failPoint: point }),
      });
      if (await waitForSuccessor(product, nameOf(first), pid)) deaths += 1;
    }
    if (time % 10 === 9) console.log(`${time + 1} of ${TIMES} rounds of points`);
  }
  return { outcomes, deaths };
}

/**
 * Runs writers that send one write after the other, and kills a gateway at random moments.
 * @param {Context} context
 */
async function killAtRandom({ product, apiKey, next }) {
  const random = openRandom(SEED, 0);
  /** @type {Outcome[]} */
  const outcomes = [];
  /** @type {number[]} */
  const inFlight = [];
  const sockets = { open: 0 };
  let isFinished = false;
  const write = async (/** @type {number} */ first) => {
    for (let iteration = first; !isFinished; iteration += 1)
      outcomes.push(await sendUntilAnswered(product.gateways, apiKey, next(), { first: iteration, sockets }));
  };
  const writers = Array.from({ length: IN_FLIGHT }, (_, first) => write(first));
  const kill = async () => {
    for (let iteration = 0; iteration < KILLS; iteration += 1) {
      const index = random.integer(product.gateways.length);
      for (const gateway of product.gateways.keys()) await waitUntilServing(product, gateway);
      // The kill happens at a random moment, after both gateways have been writing for a while.
      await sleep(100 + random.integer(400));
      await waitFor(`${IN_FLIGHT} requests are open`, async () => sockets.open === IN_FLIGHT, {
        timeoutMs: 60_000,
        intervalMs: 1,
      });
      inFlight.push(sockets.open);
      await waitForSuccessor(product, nameOf(index), await signalProcess(product, nameOf(index)));
      if (iteration % 10 === 9) console.log(`${iteration + 1} of ${KILLS} kills`);
    }
    isFinished = true;
  };
  await Promise.all([kill(), ...writers]);
  return { outcomes, inFlight };
}

/** @param {Product} product @param {number} index */
async function waitUntilServing(product, index) {
  const base = product.gateways[index] ?? '';
  await waitFor(
    `${base} serves`,
    () =>
      openApi(base, null)
        .get('/health')
        .then(
          (response) => response.status === 200,
          () => false,
        ),
    { timeoutMs: 60_000 },
  );
}

/** @param {number} index */
function nameOf(index) {
  return index === 0 ? 'gateway' : `gateway-${index + 1}`;
}

/** @param {readonly Outcome[]} outcomes */
function addRejections(outcomes) {
  /** @type {Record<string, number>} */
  const sum = {};
  for (const { refused: rejected } of outcomes)
    for (const [what, count] of Object.entries(rejected)) sum[what] = (sum[what] ?? 0) + count;
  return sum;
}
