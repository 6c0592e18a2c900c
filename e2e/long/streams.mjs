// @ts-check
/** A million records in and out, also by clients that are slower than the database: what the gateway takes of memory for it. */
import mysql from 'mysql2/promise';
import { createConnection, deploy, signUp } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { digestRows, fillSql, MANY_ROWS_SQL, readRows, sendRows } from '../support/many-rows.mjs';
import { waitFor } from '../support/wait.mjs';
import { readIdleMemory, watchMemory } from '../support/watch-memory.mjs';
import { withProduct } from '../support/with-product.mjs';
import { readCount, runSuite } from './lib/run-suite.mjs';

const ROWS = readCount('rows', 1_000_000);
const NOTE_LENGTH = 60;
/** Of resident memory, above what the gateway takes at rest. */
const OUT_MIB_MAX = 64;
const OUT_MIB_GOAL = 32;
const IN_MIB_MAX = 64;
/** Slower than any database: bytes each second. */
const SLOW_BYTES_PER_SECOND = readCount('slow', 4_000_000);

/** Without less memory than before, until a case begins. */
const CALM_MS = readCount('calm', 12_000);

await runSuite(() => withProduct({ gateways: 1 }, async (product) => {
  const person = await signUp(product.control, { starter: 'empty' });
  await deploy(person, MANY_ROWS_SQL);
  const target = { base: product.gateways[0] ?? '', key: person.key };
  await waitFor('the tables are served', async () => (await openApi(target.base, target.key).get('/many')).status === 200);
  const direct = await mysql.createConnection((await createConnection(person, { name: 'fill', role: 'read-write' })).connection_string);
  await direct.query(fillSql(ROWS, NOTE_LENGTH));
  await direct.end();
  const metricsUrl = product.metricsUrls['gateway'] ?? '';
  // What is compiled and opened once is no part of what a stream takes.
  await sendRows(target, { format: 'csv', count: 2_000, noteLength: NOTE_LENGTH, prefer: 'on-error=stop, tx=rollback' });
  for (const format of /** @type {const} */ (['ndjson', 'csv'])) await readRows(target, { format, path: '/many?limit=2000' });
  const idle = await readIdleMemory(metricsUrl, CALM_MS);

  /** @type {Record<string, { seconds: number, growth_mib: number, before: import('../support/watch-memory.mjs').MemorySample, peak: import('../support/watch-memory.mjs').MemorySample, samples: number, outcome: unknown }>} */
  const cases = {};
  /** @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
  async function measure(name, work) {
    const before = await readIdleMemory(metricsUrl, CALM_MS);
    const watch = watchMemory(metricsUrl);
    const startMs = performance.now();
    const outcome = await work();
    const seconds = Math.round((performance.now() - startMs) / 100) / 10;
    const { peak, samples } = await watch.stop();
    cases[name] = { seconds, growth_mib: Math.round((peak.rss - idle.rss) * 10) / 10, before, peak, samples, outcome };
    console.log(`${name}: ${seconds} s, ${before.rss} -> ${peak.rss} MiB, heap ${before.heap} -> ${peak.heap}, ${cases[name].growth_mib} above ${idle.rss}`);
    return outcome;
  }

  const lines = await measure('out: NDJSON', () => readRows(target, { format: 'ndjson' }));
  const slow = await measure('out: NDJSON, slow client', () => readRows(target, { format: 'ndjson', bytesPerSecondMax: SLOW_BYTES_PER_SECOND }));
  const csv = await measure('out: CSV', () => readRows(target, { format: 'csv' }));
  const sorted = await measure('out: one statement (distinct)', () => readRows(target, { format: 'ndjson', path: '/many?_distinct=id,code,amount,note&sort=id' }));
  const four = await measure('out: four slow clients at once', () =>
    Promise.all(Array.from({ length: 4 }, () => readRows(target, { format: 'ndjson', path: `/many?limit=${Math.ceil(ROWS / 4)}`, bytesPerSecondMax: SLOW_BYTES_PER_SECOND }))));
  const stored = await measure('in: NDJSON, on-error=stop', () => sendRows(target, { format: 'ndjson', count: ROWS, noteLength: NOTE_LENGTH, prefer: 'on-error=stop' }));
  const merged = await measure('in: CSV, upsert of what is there', () => sendRows(target, { format: 'csv', count: Math.ceil(ROWS / 10), noteLength: NOTE_LENGTH, prefer: 'on-error=continue', query: '?_on_conflict=id' }));
  const refused = await measure('in: CSV, nothing but duplicates', () => sendRows(target, { format: 'csv', count: Math.ceil(ROWS / 10), noteLength: NOTE_LENGTH, prefer: 'on-error=continue' }));

  const wanted = digestRows('ndjson', ROWS, NOTE_LENGTH);
  const isWhole = (/** @type {{ isWhole: boolean, digest: string }} */ found) => found.isWhole && found.digest === wanted;
  const most = (/** @type {string} */ kind) => Math.max(...Object.entries(cases).filter(([name]) => name.startsWith(kind)).map(([, one]) => one.growth_mib));
  const last = (/** @type {{ report: any[] }} */ answer) => answer.report.at(-1) ?? {};
  return {
    suite: 'streams',
    title: `What ${ROWS} records in and out take of a gateway's memory`,
    command: `pnpm test:long streams${ROWS === 1_000_000 ? '' : ` --rows ${ROWS}`}`,
    seed: null,
    engines: { [product.mysql.engine]: product.mysql.version },
    skips: [],
    claims: [
      { claim: `every import is stored whole`, holds: last(stored).committed === ROWS && last(stored).failed === 0 && last(merged).failed === 0, found: JSON.stringify(last(stored)) },
      { claim: 'a refused import is reported and changes nothing', holds: last(refused).committed === 0 && last(refused).failed === Math.ceil(ROWS / 10), found: JSON.stringify(last(refused)) },
      { claim: 'every stream gives just what was sent, each record once and in order', holds: [lines, slow, sorted].every(isWhole) && csv.digest === digestRows('csv', ROWS, NOTE_LENGTH), found: `${lines.rows} lines of NDJSON, ${slow.rows} to a slow client, ${sorted.rows} of one statement, ${csv.rows} of CSV` },
      { claim: 'four streams at once end cleanly', holds: four.every((one) => one.isWhole && one.rows === Math.ceil(ROWS / 4)), found: four.map((one) => one.rows).join(', ') },
      { claim: `no stream out takes more than ${OUT_MIB_MAX} MiB of resident memory above rest (the goal is ${OUT_MIB_GOAL})`, holds: most('out') <= OUT_MIB_MAX, found: `${most('out')} MiB at most` },
      { claim: `no import takes more than ${IN_MIB_MAX} MiB above rest`, holds: most('in') <= IN_MIB_MAX, found: `${most('in')} MiB at most` },
    ],
    notes: [
      `Resident memory as the gateway's own /metrics tells it, every 100 ms; rest is when it has told nothing less for ${CALM_MS / 1_000} s, after a small import and two small streams; each case begins at rest. Slow clients read ${SLOW_BYTES_PER_SECOND} bytes a second. Records have about ${NOTE_LENGTH + 50} bytes.`,
    ],
    figures: { rows: ROWS, bytes_out: lines.bytes, idle, cases: Object.fromEntries(Object.entries(cases).map(([name, { seconds, growth_mib, before, peak, samples }]) => [name, { seconds, growth_mib, before, peak, samples }])) },
  };
}));
