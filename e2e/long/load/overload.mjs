// @ts-check
/**
 * Sends a gateway more requests than it can serve. Its successful responses stay near its capacity, accepted
 * requests are answered in time, the others are rejected at once, and afterwards everything is as before. It
 * also measures what large streams cost a tenant on the same event loop.
 *
 * Options: `--seconds 15`, `--tenants 4`, `--keys 4`, `--rate 50`, `--factors 0.5,1,2,4`, `--kind search`.
 */
import http from 'node:http';
import {
  createKey,
  deploy,
  expectStatus,
  openProject,
  signUp,
  waitUntilProvisioned,
} from '../../support/control.mjs';
import { openApi, send } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { readMemory, watchMemory } from '../../support/watch-memory.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { forSeconds, readSteadily } from './parts/neighbor.mjs';
import { readListenDrops } from './parts/listen-drops.mjs';
import { limitPace } from '../lib/pace.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

const SECONDS = readCount('seconds', 15);
const TENANTS = readCount('tenants', 4);
const KEYS = readCount('keys', 4);
const RATE = readCount('rate', 50);
const FACTORS = (readWords('factors') ?? ['0.5', '1', '2', '4']).map(Number);
const CLIENTS = 48;
const STREAMS = 4;
const STREAM_ROWS = readCount('stream-rows', 60_000);
const GOODPUT_SHARE_MIN = 0.7;
const ACCEPTED_P99_MS_MAX = 4_000;
const GROWTH_MIB_MAX = 400;
const TABLES = `CREATE TABLE users (id int AUTO_INCREMENT PRIMARY KEY, username varchar(40) NOT NULL);
CREATE TABLE posts (id int AUTO_INCREMENT PRIMARY KEY, user_id int NOT NULL, title varchar(80) NOT NULL, content text NOT NULL, FOREIGN KEY (user_id) REFERENCES users (id))`;
/**
 * The kind of request. `search` loads mostly the database, so the clients on this machine use little CPU.
 * `list` loads mostly the gateway.
 */
const KIND = readWords('kind')?.[0] === 'list' ? 'list' : 'search';
const PATH = {
  search: '/v1/-/posts?content__like=%25zz%25&limit=1',
  list: '/v1/-/posts?limit=200&include=user',
}[KIND];

/** @typedef {{ base: string, keys: string[] }} Target */
/** @typedef {{ offered: number, good: number, goodPerSecond: number, refused: Record<string, number>, lost: Record<string, number>, handshakesDropped: number | null, bare: number, failed: number, accepted: ReturnType<typeof summarize>, refusedMs: ReturnType<typeof summarize>, peakMib: number }} Step */

await runSuite(() =>
  withProduct({ gateways: 1, extraEnv: { LOG_LEVEL: 'warn' } }, async (product) => {
    const [base = ''] = product.gateways;
    const metricsUrl = product.metricsUrls['gateway'] ?? '';
    const first = await signUp(product.control, { name: 'load', starter: 'empty' });
    const people = [first];
    while (people.length < TENANTS) people.push(await openProject(first, { name: `load ${people.length}` }));
    const keys = [];
    for (const user of people) {
      await fill(base, user);
      for (let index = 0; index < KEYS; index += 1)
        keys.push((await createKey(user, { name: `load ${index}` })).secret);
    }
    const target = { base, keys };
    for (const key of keys)
      await waitFor(
        'the key is known',
        async () => (await openApi(base, key).get('/posts?limit=1')).status === 200,
      );
    const capacity = await measureCapacity(target);
    const rest = await readMemory(metricsUrl);
    /** @type {Record<string, Step>} */
    const steps = {};
    for (const factor of FACTORS) {
      steps[factor] = await offerLoad(target, capacity * factor, metricsUrl);
      console.log(`${factor} x ${Math.round(capacity)}/s: ${JSON.stringify(steps[factor])}`);
    }
    const afterwards = await offerLoad(target, capacity * 0.3, metricsUrl);
    const streams = await alongsideStreams(base, first);
    const over = FACTORS.filter((factor) => factor > 1).map((factor) => /** @type {Step} */ (steps[factor]));
    const peak = Math.max(...Object.values(steps).map((item) => item.goodPerSecond));
    const all = [...Object.values(steps), afterwards];
    const growth = Math.max(...all.map((item) => item.peakMib)) - rest.rss;
    return {
      suite: 'overload',
      title: 'An overloaded gateway',
      command: `pnpm test:long overload${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
      seed: null,
      engines: { [product.mysql.engine]: product.mysql.version },
      skips: [
        KIND === 'search'
          ? 'lists, which keep the event loop busy (--kind list)'
          : 'searches, which keep the database busy (--kind search)',
      ],
      claims: [
        {
          claim: `an overloaded gateway still serves at least ${GOODPUT_SHARE_MIN} of its best rate`,
          holds: over.every((item) => item.goodPerSecond >= peak * GOODPUT_SHARE_MIN),
          found: `${FACTORS.map((factor) => `${factor} x: ${steps[factor]?.goodPerSecond}/s`).join(', ')}`,
        },
        {
          claim: `p99 of accepted requests is within ${ACCEPTED_P99_MS_MAX} ms`,
          holds: all.every((item) => !(item.accepted.p99 > ACCEPTED_P99_MS_MAX)),
          found: FACTORS.map((factor) => `${factor} x: ${steps[factor]?.accepted.p99} ms`).join(', '),
        },
        {
          claim: 'all other requests get 429 or 503 with Retry-After',
          holds: all.every((item) => item.failed === 0 && item.bare === 0),
          found: JSON.stringify(
            Object.fromEntries(
              FACTORS.map((factor) => [
                factor,
                {
                  ...steps[factor]?.refused,
                  failed: steps[factor]?.failed,
                  ...steps[factor]?.lost,
                  handshakes_dropped: steps[factor]?.handshakesDropped,
                  without_time: steps[factor]?.bare,
                },
              ]),
            ),
          ),
        },
        {
          claim: `it uses at most ${GROWTH_MIB_MAX} MiB more than at rest`,
          holds: growth <= GROWTH_MIB_MAX,
          found: `${Math.round(growth)} MiB`,
        },
        {
          claim: 'afterwards all requests succeed again',
          holds: afterwards.failed === 0 && Object.keys(afterwards.refused).length === 0,
          found: `${afterwards.good} of ${afterwards.offered}, p99 ${afterwards.accepted.p99} ms`,
        },
        {
          claim: `during ${STREAMS} large streams, another tenant's p99 is within 25 ms or 4 times its p99 alone`,
          holds: streams.beside.p99 <= Math.max(25, 4 * streams.alone.p99) && streams.failed === 0,
          found: `${streams.beside.p99} ms while ${streams.rows} records are streamed, ${streams.alone.p99} ms alone`,
        },
      ],
      notes: [
        `An open loop over ${keys.length} keys of ${TENANTS} databases; clients run on the same machine and use a part of it. The capacity is therefore the rate of ${CLIENTS} clients that are always active. The time of a rejection counts from when the request was sent.`,
      ],
      figures: { capacity: Math.round(capacity), rest_mib: rest.rss, steps, afterwards, streams },
    };
  }),
);

/** @param {string} base @param {import('../../support/control.mjs').TestUser} user */
async function fill(base, user) {
  await waitUntilProvisioned(base, user);
  await deploy(user, TABLES);
  const api = openApi(base, user.key);
  await waitFor('the tables are served', async () => (await api.get('/posts')).status === 200);
  expectStatus(
    await api.post(
      '/users',
      Array.from({ length: 20 }, (_, index) => ({ username: `user${index}` })),
    ),
    [201],
    'users',
  );
  expectStatus(
    await api.post(
      '/posts',
      Array.from({ length: 2_000 }, (_, index) => ({
        user_id: 1 + (index % 20),
        title: `title ${index}`,
        content: 'x'.repeat(200),
      })),
    ),
    [201],
    'posts',
  );
}

/** @param {Target} target */
async function measureCapacity({ base, keys }) {
  let answered = 0;
  const isFinished = forSeconds(SECONDS / 2);
  const startMs = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (!isFinished()) {
        const { status } = await send(base, 'GET', PATH, {
          headers: { Authorization: `Bearer ${keys[client % keys.length]}` },
        });
        if (status === 200) answered += 1;
      }
    }),
  );
  return (answered * 1_000) / (performance.now() - startMs);
}

/** @param {Target} target @param {number} perSecond @param {string} metricsUrl @returns {Promise<Step>} */
async function offerLoad({ base, keys }, perSecond, metricsUrl) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const watch = watchMemory(metricsUrl);
  const counts = { good: 0, failed: 0, bare: 0 };
  const dropsBefore = readListenDrops();
  /**
   * Requests without a response, by the error of the client.
   * @type {Record<string, number>}
   */
  const lost = {};
  /** @type {Record<string, number>} */
  const rejected = {};
  /** @type {number[]} */
  const acceptedMs = [];
  /** @type {number[]} */
  const rejectedMs = [];
  /** @type {Promise<void>[]} */
  const open = [];
  const startMs = performance.now();
  const { fired } = await limitPace({
    perSecond,
    until: forSeconds(SECONDS),
    fire: (index) => {
      const sentMs = performance.now();
      open.push(
        send(base, 'GET', PATH, {
          agent,
          headers: { Authorization: `Bearer ${keys[index % keys.length]}` },
        }).then(
          ({ status, headers, json }) => {
            const ms = performance.now() - sentMs;
            if (status === 200) {
              counts.good += 1;
              acceptedMs.push(ms);
              return;
            }
            rejectedMs.push(ms);
            if (status !== 429 && status !== 503) counts.failed += 1;
            else if (!(Number(headers['retry-after']) >= 1)) counts.bare += 1;
            const what = `${status} ${json?.code}`;
            rejected[what] = (rejected[what] ?? 0) + 1;
          },
          (/** @type {NodeJS.ErrnoException} */ err) => {
            counts.failed += 1;
            const what = err.code ?? err.message;
            lost[what] = (lost[what] ?? 0) + 1;
          },
        ),
      );
    },
  });
  await Promise.all(open);
  const seconds = (performance.now() - startMs) / 1_000;
  const { peak } = await watch.stop();
  agent.destroy();
  const drops = readListenDrops();
  return {
    offered: fired,
    ...counts,
    lost,
    handshakesDropped: drops === null || dropsBefore === null ? null : drops - dropsBefore,
    goodPerSecond: Math.round(counts.good / seconds),
    refused: rejected,
    accepted: summarize(acceptedMs),
    refusedMs: summarize(rejectedMs),
    peakMib: peak.rss,
  };
}

/**
 * Measures a tenant that reads one record at a time, while another tenant streams.
 * @param {string} base
 * @param {import('../../support/control.mjs').TestUser} user
 */
async function alongsideStreams(base, user) {
  const verbose = await openProject(user, { name: 'streams' });
  await fill(base, verbose);
  const api = openApi(base, verbose.key);
  for (let rows = 2_000; rows < STREAM_ROWS; rows += 10_000) {
    expectStatus(
      await api.post(
        '/posts',
        Array.from({ length: 10_000 }, (_, index) => ({
          user_id: 1 + (index % 20),
          title: `title ${index}`,
          content: 'x'.repeat(200),
        })),
        { Prefer: 'return=minimal' },
      ),
      [201, 204],
      'posts',
    );
  }
  const alone = await readSteadily({ base, key: user.key, perSecond: RATE, until: forSeconds(SECONDS) });
  let isFinished = false;
  let rows = 0;
  const streaming = Array.from({ length: STREAMS }, async () => {
    while (!isFinished) rows += await drain(base, verbose.key, () => isFinished);
  });
  const alongside = await readSteadily({ base, key: user.key, perSecond: RATE, until: forSeconds(SECONDS) });
  isFinished = true;
  await Promise.all(streaming);
  return {
    alone: summarize(alone.latencies),
    beside: summarize(alongside.latencies),
    failed: alone.failed + alongside.failed,
    rows,
  };
}

/**
 * Reads a stream as fast as it arrives and discards it.
 * @param {string} base
 * @param {string} key
 * @param {() => boolean} isFinished
 * @returns {Promise<number>} the number of lines
 */
function drain(base, key, isFinished) {
  return new Promise((resolve, reject) => {
    let lines = 0;
    const req = http.request(
      `${base}/v1/-/posts`,
      { headers: { Authorization: `Bearer ${key}`, Accept: 'application/x-ndjson' } },
      (res) => {
        res.on('data', (/** @type {Buffer} */ chunk) => {
          for (let index = chunk.indexOf(10); index >= 0; index = chunk.indexOf(10, index + 1)) lines += 1;
          if (isFinished()) res.destroy();
        });
        res.on('close', () => resolve(lines));
        res.on('error', () => resolve(lines));
      },
    );
    req.on('error', reject);
    req.end();
  });
}
