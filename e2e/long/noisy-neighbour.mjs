// @ts-check
/**
 * One tenant overloads what it shares with another, in every way that its key allows: what the other feels of it, beside
 * what it feels of a plain process that burns as many cores.
 *   --seconds 20   --clients 64   --rate 100   --rounds 3   --only lists,writes
 */
import { readCpuMs } from '../../bench/lib/cpu-time.mjs';
import { createKey, expectStatus, signUp } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { pidOf } from '../support/processes.mjs';
import { waitFor } from '../support/wait.mjs';
import { withProduct } from '../support/with-product.mjs';
import { summarize } from '../support/write-report.mjs';
import { burnCores, forSeconds, readSteadily } from './lib/neighbour.mjs';
import { readCount, readWords, runSuite } from './lib/run-suite.mjs';

const SECONDS = readCount('seconds', 20);
const CLIENTS = readCount('clients', 64);
const RATE = readCount('rate', 100);
const ROUNDS = readCount('rounds', 3);
const ONLY = readWords('only');
const RATIO_MAX = 1.5;
/** Too many at once, too much for its account, too slow: what an overloader may be told. */
const REFUSALS = new Set(['limit.concurrency', 'limit.busy', 'limit.rate', 'limit.streams', 'limit.statement_time', 'limit.query_cost', 'query.timeout', 'db.deadlock', 'db.unavailable']);

/** @typedef {import('../support/http.mjs').Api} Api */
/** @typedef {{ count: number, p50: number, p90: number, p99: number, max: number }} Summary */

/** @type {Record<string, (api: Api, turn: number) => Promise<import('../support/http.mjs').Answer>>} */
const OVERLOADS = {
  lists: (api) => api.get('/posts?limit=1000&include=user'),
  searches: (api, turn) => api.get(`/posts?title__like=%25${turn % 10}%25&content__like=%25x%25&sort=-content&limit=1000`),
  groups: (api) => api.get('/posts?_group=title&_aggregate=count,max:content&sort=-count'),
  queries: (api) => api.query('SELECT COUNT(*) AS many FROM posts a, posts b WHERE a.title < b.content', { mode: 'sql' }),
  writes: (api, turn) => api.post('/tags', Array.from({ length: 500 }, (_, at) => ({ name: `noise ${turn} ${at} ${Math.random()}` }))),
  streams: (api) => api.get('/posts', { Accept: 'application/x-ndjson' }),
};

await runSuite(() => withProduct({ gateways: 1, extraEnv: { ROWHOUSE_ENV: 'test' } }, async (product) => {
  const [base = ''] = product.gateways;
  const [loud, quiet] = [await openTenant(product, 'loud'), await openTenant(product, 'quiet')];
  const { secret } = await createKey(quiet.person, { name: 'reader', scopes: ['read'] });
  await waitFor('the key is known', async () => (await openApi(base, secret).get('/users/1')).status === 200);
  const read = (/** @type {() => boolean} */ until) => readSteadily({ base, key: secret, perSecond: RATE, until });
  const burnt = () => ['gateway', 'mysql'].reduce((sum, name) => sum + (readCpuMs(pidOf(product, name) ?? 0) ?? Number.NaN), 0);
  /** Cores that the product takes while `work` goes on. @template T @param {() => Promise<T>} work */
  const measure = async (work) => {
    const [startMs, before] = [performance.now(), burnt()];
    const result = await work();
    return { result, cores: (burnt() - before) / (performance.now() - startMs) };
  };
  await read(forSeconds(2));
  const alone = await measure(() => read(forSeconds(SECONDS / 2)));
  /** @type {import('../support/write-report.mjs').Report['claims']} */
  const claims = [];
  /** @type {Record<string, unknown>} */
  const figures = { alone: summarize(alone.result.latencies), alone_cores: alone.cores };
  for (const [name, ask] of Object.entries(OVERLOADS).filter(([one]) => ONLY?.includes(one) ?? true)) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const noise = makeNoise(loud.api, ask);
      const beside = await measure(() => read(forSeconds(SECONDS)));
      const { answers, strange } = await noise.stop();
      const cores = Math.max(0, beside.cores - alone.cores);
      const stopBurning = burnCores(cores);
      const burdened = await read(forSeconds(SECONDS)).finally(stopBurning);
      rounds.push({ noisy: summarize(beside.result.latencies), plain: summarize(burdened.latencies), failed: beside.result.failed + burdened.failed, cores, answers, strange });
      console.log(`${name}: ${JSON.stringify(rounds.at(-1))}`);
    }
    const ratios = rounds.map(({ noisy, plain }) => noisy.p99 / plain.p99).sort((a, b) => a - b);
    const ratio = ratios[Math.floor(ratios.length / 2)] ?? Number.NaN;
    const failed = rounds.reduce((sum, one) => sum + one.failed, 0);
    const strange = rounds.flatMap((one) => one.strange);
    claims.push(
      { claim: `${name}: the neighbour's p99 is within ${RATIO_MAX} times its p99 beside a plain process that burns as many cores`, holds: ratio <= RATIO_MAX, found: `${ratios.map((one) => one.toFixed(2)).join(', ')}; ${rounds.map(({ noisy, plain, cores }) => `${noisy.p99} ms beside ${plain.p99} ms at ${cores.toFixed(1)} cores`).join('; ')}` },
      { claim: `${name}: no request of the neighbour fails`, holds: failed === 0, found: String(failed) },
      { claim: `${name}: who overloads is served or told so`, holds: strange.length === 0, found: strange.slice(0, 3).join('; ') || JSON.stringify(rounds[0]?.answers) },
    );
    figures[name] = rounds;
  }
  return {
    suite: 'noisy-neighbour',
    title: `What a tenant feels of another with ${CLIENTS} clients that never rest`,
    command: `pnpm test:long noisy-neighbour${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null, engines: { [product.mysql.engine]: product.mysql.version }, skips: ONLY === undefined ? [] : ['what the options leave out'], claims,
    notes: [`The neighbour reads one record at a time in an open loop of ${RATE}/s on the same gateway and server. The ratio that counts is the median of ${ROUNDS} rounds, each ${SECONDS} s of noise and as many of burning.`],
    figures,
  };
}));

/** @param {import('../support/with-product.mjs').RunningProduct} product @param {string} name */
async function openTenant(product, name) {
  const person = await signUp(product.control, { name });
  const api = openApi(product.gateways[0] ?? '', person.key);
  await waitFor('the tables are served', async () => (await api.get('/users')).status === 200);
  expectStatus(await api.post('/users', Array.from({ length: 40 }, (_, at) => ({ username: `user${at}`, email: `u${at}@example.org` }))), [201], 'users');
  expectStatus(await api.post('/posts', Array.from({ length: 5_000 }, (_, at) => ({ title: `title ${at % 100}`, content: `text ${'x'.repeat(100)} ${at}`, user_id: 1 + (at % 40) }))), [201], 'posts');
  return { person, api };
}

/** Clients that ask again as soon as they are answered. @param {Api} api @param {(api: Api, turn: number) => Promise<import('../support/http.mjs').Answer>} ask */
function makeNoise(api, ask) {
  /** @type {Record<string, number>} */
  const answers = {};
  /** @type {string[]} */
  const strange = [];
  let isOver = false;
  let turn = 0;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const { status, json, text } = await ask(api, (turn += 1));
      const code = String(json?.code ?? '');
      const what = status < 300 ? String(status) : `${status} ${code}`;
      answers[what] = (answers[what] ?? 0) + 1;
      if (status >= 300 && !REFUSALS.has(code)) strange.push(`${what} ${text.slice(0, 100)}`);
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(clients);
      return { answers, strange };
    },
  };
}
