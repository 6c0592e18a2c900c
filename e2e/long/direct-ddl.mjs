// @ts-check
/**
 * Runs random DDL over an owner's connection string, and measures the time from the server's response to the
 * first `/schema` with another ETag on each of two gateways.
 */
import mysql from 'mysql2/promise';
import { openRandom } from '@rowhouse/schema-model/testing';
import { createConnection, deploy, signUp } from '../support/control.mjs';
import { openApi, send } from '../support/http.mjs';
import { waitFor } from '../support/wait.mjs';
import { withProduct } from '../support/with-product.mjs';
import { summarize } from '../support/write-report.mjs';
import { keepPace } from './lib/pace.mjs';
import { createRandomDdl } from './lib/random-ddl.mjs';
import { readCount, readWords, runSuite } from './lib/run-suite.mjs';

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
  const waits = all.flatMap(({ measured }) => measured.flatMap(({ waitsMs }) => waitsMs));
  const slow = all.flatMap(({ measured }) => measured.filter(({ waitsMs }) => Math.max(...waitsMs) > BAR_MS));
  const faults = all.flatMap((one) => one.faults);
  const answers = all.reduce((sum, one) => sum + Object.values(one.answers).reduce((part, count) => part + count, 0), 0);
  const kinds = new Set(all.flatMap(({ measured }) => measured.map(({ kind }) => kind)));
  return {
    suite: 'direct-ddl',
    title: 'DDL over a connection string is live within a second',
    command: `pnpm test:long direct-ddl${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: SEED,
    engines,
    skips: ENGINES.length === 2 ? [] : ['the other engine'],
    claims: [
      { claim: `${STATEMENTS} random statements on each engine are each live on two gateways within ${BAR_MS} ms`, holds: slow.length === 0, found: slow.length === 0 ? `p99 ${summarize(waits).p99} ms, max ${summarize(waits).max} ms` : slow.slice(0, 5).map(({ sql, waitsMs }) => `${sql}: ${waitsMs.map(Math.round).join(' and ')} ms`).join('; ') },
      { claim: `${PER_SECOND} requests a second on the same tables at the same time: each has a response, and none has a 5xx`, holds: faults.length === 0, found: faults.length === 0 ? `0 of ${answers}` : `${faults.length}: ${faults.slice(0, 5).join('; ')}` },
      { claim: 'the history has each statement, with its connection', holds: all.every((one) => one.history.length === 0), found: all.flatMap((one) => one.history).slice(0, 5).join(' | ') || `${STATEMENTS} on each` },
    ],
    notes: [`Kinds: ${[...kinds].join(', ')}. From the answer of the server to the statement, to the first answer of a gateway with another tag, asked for without a pause. The next statement follows as soon as the one before is live.`],
    figures: Object.fromEntries(Object.entries(found).map(([engine, one]) => [engine, { wait_ms: summarize(one.measured.flatMap(({ waitsMs }) => waitsMs)), answers: one.answers, slowest: [...one.measured].sort((a, b) => Math.max(...b.waitsMs) - Math.max(...a.waitsMs)).slice(0, 10) }])),
  };
});

/** @param {import('../support/with-product.mjs').RunningProduct} product */
async function runDdl(product) {
  const person = await signUp(product.control, { name: 'direct', starter: 'empty' });
  await deploy(person, 'CREATE TABLE fixed (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NULL)');
  const connection = await createConnection(person, { name: 'owner', role: 'owner' });
  const direct = await mysql.createConnection(connection.connection_string);
  const apis = product.gateways.map((base) => openApi(base, person.key));
  for (const api of apis) await waitFor('the table is served', async () => (await api.get('/fixed')).status === 200);
  const ddl = createRandomDdl(openRandom(SEED, 0));
  const load = startLoad(product.gateways, person.key, ddl);
  /** @type {Measured[]} */
  const measured = [];
  for (let index = 0; index < STATEMENTS; index += 1) {
    const tags = await Promise.all(apis.map(async (api) => String((await api.get('/schema')).headers.etag)));
    const { kind, sql } = ddl.next();
    await direct.query(sql);
    const doneMs = performance.now();
    const waitsMs = await Promise.all(apis.map(async (api, at) => (await watchForNewTag(api, tags[at] ?? '', sql)) - doneMs));
    measured.push({ kind, sql, waitsMs });
  }
  const { answers, faults } = await load.stop();
  await direct.end();
  const history = judgeHistory(measured, await readHistory(person, connection.id));
  return { measured, answers, faults, history };
}

/** @param {import('../support/http.mjs').Api} api @param {string} oldTag @param {string} sql @returns {Promise<number>} by `performance.now()` */
async function watchForNewTag(api, oldTag, sql) {
  const endMs = performance.now() + GIVE_UP_MS;
  while (performance.now() < endMs) {
    const answer = await api.get('/schema', { 'If-None-Match': oldTag });
    if (answer.status === 200 && answer.headers.etag !== oldTag) return performance.now();
  }
  throw new Error(`not live within ${GIVE_UP_MS} ms: ${sql}`);
}

/**
 * Returns the history of direct changes, oldest first.
 * @param {import('../support/control.mjs').Person} person
 * @param {string} connectionId
 * @returns {Promise<{ isByConnection: boolean, statements: string[] }[]>}
 */
async function readHistory(person, connectionId) {
  /** @type {{ isByConnection: boolean, statements: string[] }[]} */
  const entries = [];
  let cursor = '';
  do {
    const answer = await person.control.call('GET', `/api/databases/${person.development.id}/migrations?limit=100${cursor}`);
    for (const one of answer.json.items) if (one.origin === 'direct') entries.push({ isByConnection: one.by?.id === connectionId, statements: one.plan.steps.map((/** @type {any} */ step) => step.sql) });
    cursor = answer.json.next_cursor ? `&cursor=${encodeURIComponent(answer.json.next_cursor)}` : '';
  } while (cursor !== '');
  return entries.reverse();
}

/**
 * Lists how the history differs from one entry for each statement, each with its connection.
 * @param {readonly Measured[]} measured
 * @param {Awaited<ReturnType<typeof readHistory>>} history
 */
function judgeHistory(measured, history) {
  const faults = history.flatMap(({ isByConnection, statements }, at) => (isByConnection ? [] : [`entry ${at + 1} without its connection: ${statements.join('; ').slice(0, 200)}`]));
  if (history.length === measured.length) return faults;
  const several = history.flatMap(({ statements }, at) => (statements.length > 1 ? [`entry ${at + 1}: ${statements.join('; ').slice(0, 200)} (sent: ${measured.slice(Math.max(0, at - 1), at + 2).map(({ sql }) => sql).join(' | ')})`] : []));
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
  let isOver = false;
  const ask = async (/** @type {number} */ index) => {
    const names = ['fixed', ...ddl.tables(), ...ddl.views()];
    const name = names[index % names.length] ?? 'fixed';
    /** @type {[string, string, unknown][]} */
    const ways = [
      ['GET', `/${name}?limit=3`, undefined],
      ['POST', `/${name}`, { name: `n${index}` }],
      ['GET', `/${name}?limit=3&include=${name.startsWith('t') ? 'above' : 'x'}`, undefined],
      ['POST', '/query', { query: `SELECT * FROM ${name} LIMIT 3` }],
      ['PATCH', `/${name}/1`, { name: 'changed' }],
    ];
    const [method, path, body] = ways[Math.floor(index / names.length) % ways.length] ?? ways[0] ?? ['GET', '/', undefined];
    const answer = await send(gateways[index % gateways.length] ?? '', method, `/v1/-${path}`, { headers: { Authorization: `Bearer ${key}` }, body }).catch((/** @type {Error} */ err) => err);
    const status = answer instanceof Error ? 'none' : String(answer.status);
    answers[status] = (answers[status] ?? 0) + 1;
    if (answer instanceof Error || answer.status >= 500) faults.push(`${method} ${path}: ${answer instanceof Error ? answer.message : `${answer.status} ${answer.text.slice(0, 160)}`}`);
  };
  const pace = keepPace({
    perSecond: PER_SECOND, until: () => isOver,
    fire(index) {
      const work = ask(index).finally(() => running.delete(work));
      running.add(work);
    },
  });
  return {
    async stop() {
      isOver = true;
      await pace;
      await Promise.all(running);
      return { answers, faults };
    },
  };
}
