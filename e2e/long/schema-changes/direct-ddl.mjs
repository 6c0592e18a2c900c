// @ts-check
/**
 * Runs random DDL over an owner's connection string, and measures the time from the server's response to the
 * first `/schema` with another ETag on each of two gateways.
 */
import mysql from 'mysql2/promise';
import { openRandom } from '@rowhouse/schema-model/testing';
import { createConnection, deploy, signUp } from '../../support/control.mjs';
import { openApi, send } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { limitPace } from '../lib/pace.mjs';
import { createRandomDdl } from './parts/random-ddl.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

const STATEMENTS = readCount('count', 200);
const SEED = readCount('seed', 20_261_121);
const PER_SECOND = readCount('rate', 50);
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);
const BAR_MS = 1_000;
const GIVE_UP_MS = 20_000;

/** @typedef {ReturnType<typeof createRandomDdl>} RandomDdl */
/** @typedef {{ kind: string, sql: string, waitsMs: number[] }} Measured */

await runSuite(async () => {
  /** @type {Record<string, string>} */
  const engines = {};
  /** @type {Record<string, { measured: Measured[], answers: Record<string, number>, faults: string[], history: string[] }>} */
  const found = {};
  for (const engine of ENGINES) {
    await withProduct({ gateways: 2, engine }, async (product) => {
      engines[engine] = product.mysql.version;
      found[engine] = await runDdl(product);
    });
  }
  const all = Object.values(found);
  const waits = all.flatMap(({ measured }) => measured.flatMap(({ waitsMs: waitMs }) => waitMs));
  const slow = all.flatMap(({ measured }) =>
    measured.filter(({ waitsMs: waitMs }) => Math.max(...waitMs) > BAR_MS),
  );
  const faults = all.flatMap((item) => item.faults);
  const answers = all.reduce(
    (sum, item) => sum + Object.values(item.answers).reduce((part, count) => part + count, 0),
    0,
  );
  const kinds = new Set(all.flatMap(({ measured }) => measured.map(({ kind }) => kind)));
  return {
    suite: 'direct-ddl',
    title: 'DDL over a connection string is served within a second',
    command: `pnpm test:long direct-ddl${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: SEED,
    engines,
    skips: ENGINES.length === 2 ? [] : ['the other engine'],
    claims: [
      {
        claim:
          `each of ${STATEMENTS} random statements per engine is served by two gateways within ` +
          `${BAR_MS} ms`,
        holds: slow.length === 0,
        found:
          slow.length === 0
            ? `p99 ${summarize(waits).p99} ms, max ${summarize(waits).max} ms`
            : slow
                .slice(0, 5)
                .map(({ sql, waitsMs: waitMs }) => `${sql}: ${waitMs.map(Math.round).join(' and ')} ms`)
                .join('; '),
      },
      {
        claim: `each of ${PER_SECOND} requests per second on the same tables gets a response, and none a 5xx`,
        holds: faults.length === 0,
        found: faults.length === 0 ? `0 of ${answers}` : `${faults.length}: ${faults.slice(0, 5).join('; ')}`,
      },
      {
        claim: 'the history has each statement, with its connection',
        holds: all.every((item) => item.history.length === 0),
        found:
          all
            .flatMap((item) => item.history)
            .slice(0, 5)
            .join(' | ') || `${STATEMENTS} on each`,
      },
    ],
    notes: [
      `Kinds: ${[...kinds].join(', ')}. The time runs from the server's response to the statement ` +
        'until the first gateway response with another tag, polled without a pause. The next ' +
        'statement follows as soon as the previous one is served.',
    ],
    figures: Object.fromEntries(
      Object.entries(found).map(([engine, item]) => [
        engine,
        {
          wait_ms: summarize(item.measured.flatMap(({ waitsMs: waitMs }) => waitMs)),
          answers: item.answers,
          slowest: [...item.measured]
            .sort((a, b) => Math.max(...b.waitsMs) - Math.max(...a.waitsMs))
            .slice(0, 10),
        },
      ]),
    ),
  };
});

/** @param {import('../../support/with-product.mjs').RunningProduct} product */
async function runDdl(product) {
  const user = await signUp(product.control, { name: 'direct', starter: 'empty' });
  await deploy(user, 'CREATE TABLE fixed (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NULL)');
  const connection = await createConnection(user, { name: 'owner', role: 'owner' });
  const direct = await mysql.createConnection(connection.connection_string);
  const apis = product.gateways.map((base) => openApi(base, user.key));
  for (const api of apis)
    await waitFor('the table is served', async () => (await api.get('/fixed')).status === 200);
  const ddl = createRandomDdl(openRandom(SEED, 0));
  const load = startLoad(product.gateways, user.key, ddl);
  /** @type {Measured[]} */
  const measured = [];
  for (let index = 0; index < STATEMENTS; index += 1) {
    const tags = await Promise.all(apis.map(async (api) => String((await api.get('/schema')).headers.etag)));
    const { kind, sql } = ddl.next();
    await direct.query(sql);
    const doneMs = performance.now();
    const waitMs = await Promise.all(
      apis.map(async (api, index) => (await watchForNewTag(api, tags[index] ?? '', sql)) - doneMs),
    );
    measured.push({ kind, sql, waitsMs: waitMs });
  }
  const { answers, faults } = await load.stop();
  await direct.end();
  const history = judgeHistory(measured, await readHistory(user, connection.id));
  return { measured, answers, faults, history };
}

/**
 * @param {import('../../support/http.mjs').Api} api
 * @param {string} oldTag
 * @param {string} sql
 * @returns {Promise<number>} by `performance.now()`
 */
async function watchForNewTag(api, oldTag, sql) {
  const endMs = performance.now() + GIVE_UP_MS;
  while (performance.now() < endMs) {
    const response = await api.get('/schema', { 'If-None-Match': oldTag });
    if (response.status === 200 && response.headers.etag !== oldTag) return performance.now();
  }
  throw new Error(`not live within ${GIVE_UP_MS} ms: ${sql}`);
}

/**
 * Returns the history of direct changes, oldest first.
 * @param {import('../../support/control.mjs').TestUser} user
 * @param {string} connectionId
 * @returns {Promise<{ isByConnection: boolean, statements: string[] }[]>}
 */
async function readHistory(user, connectionId) {
  /** @type {{ isByConnection: boolean, statements: string[] }[]} */
  const entries = [];
  let cursor = '';
  do {
    const response = await user.control.call(
      'GET',
      `/api/databases/${user.development.id}/migrations?limit=100${cursor}`,
    );
    for (const item of response.json.items)
      if (item.origin === 'direct')
        entries.push({
          isByConnection: item.by?.id === connectionId,
          statements: item.plan.steps.map((/** @type {any} */ step) => step.sql),
        });
    cursor = response.json.next_cursor ? `&cursor=${encodeURIComponent(response.json.next_cursor)}` : '';
  } while (cursor !== '');
  return entries.reverse();
}

/**
 * Lists how the history differs from one entry for each statement, each with its connection.
 * @param {readonly Measured[]} measured
 * @param {Awaited<ReturnType<typeof readHistory>>} history
 */
function judgeHistory(measured, history) {
  const faults = history.flatMap(({ isByConnection, statements }, index) =>
    isByConnection
      ? []
      : [`entry ${index + 1} without its connection: ${statements.join('; ').slice(0, 200)}`],
  );
  if (history.length === measured.length) return faults;
  const several = history.flatMap(({ statements }, index) =>
    statements.length > 1
      ? [
          `entry ${index + 1}: ${statements.join('; ').slice(0, 200)} (sent: ${measured
            .slice(Math.max(0, index - 1), index + 2)
            .map(({ sql }) => sql)
            .join(' | ')})`,
        ]
      : [],
  );
  return [...faults, `${history.length} entries for ${measured.length} statements`, ...several.slice(0, 5)];
}

/**
 * Sends reads, writes, includes and queries for whatever tables exist, or existed a moment ago.
 * @param {readonly string[]} gateways
 * @param {string} key
 * @param {RandomDdl} ddl
 */
function startLoad(gateways, key, ddl) {
  /** @type {Record<string, number>} */
  const answers = {};
  /** @type {string[]} */
  const faults = [];
  /** @type {Set<Promise<void>>} */
  const running = new Set();
  let isFinished = false;
  const sendRequest = async (/** @type {number} */ index) => {
    const names = ['fixed', ...ddl.tables(), ...ddl.views()];
    const name = names[index % names.length] ?? 'fixed';
    /** @type {[string, string, unknown][]} */
    const methods = [
      ['GET', `/${name}?limit=3`, undefined],
      ['POST', `/${name}`, { name: `n${index}` }],
      ['GET', `/${name}?limit=3&include=${name.startsWith('t') ? 'above' : 'x'}`, undefined],
      ['POST', '/query', { query: `SELECT * FROM ${name} LIMIT 3` }],
      ['PATCH', `/${name}/1`, { name: 'changed' }],
    ];
    const [method, path, body] = methods[Math.floor(index / names.length) % methods.length] ??
      methods[0] ?? ['GET', '/', undefined];
    const response = await send(gateways[index % gateways.length] ?? '', method, `/v1/-${path}`, {
      headers: { Authorization: `Bearer ${key}` },
      body,
    }).catch((/** @type {Error} */ err) => err);
    const status = response instanceof Error ? 'none' : String(response.status);
    answers[status] = (answers[status] ?? 0) + 1;
    if (response instanceof Error || response.status >= 500)
      faults.push(
        `${method} ${path}: ${response instanceof Error ? response.message : `${response.status} ${response.text.slice(0, 160)}`}`,
      );
  };
  const pace = limitPace({
    perSecond: PER_SECOND,
    until: () => isFinished,
    fire(index) {
      const work = sendRequest(index).finally(() => running.delete(work));
      running.add(work);
    },
  });
  return {
    async stop() {
      isFinished = true;
      await pace;
      await Promise.all(running);
      return { answers, faults };
    },
  };
}
