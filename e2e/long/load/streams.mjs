// @ts-check
/**
 * Streams a million records in and out, also with clients that are slower than the database, and measures the
 * memory of the gateway.
 */
import { signUp } from '../../support/control.mjs';
import { digestRows, prepareRows, readRows, sendRows } from '../../support/schemas/many-rows.mjs';
import { readIdleMemory, watchMemory } from '../../support/watch-memory.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

/** @typedef {import('../../support/watch-memory.mjs').MemorySample} MemorySample */
/** @typedef {{ seconds: number, growth_mib: number, before: MemorySample, peak: MemorySample, samples: number }} Case */
/** @typedef {{ base: string, key: string }} Target */
/** @typedef {<T>(name: string, callback: () => Promise<T>) => Promise<T>} Measure */

const ROWS = readCount('rows', 1_000_000);
const FEWER_ROWS = Math.ceil(ROWS / 10);
const NOTE_LENGTH = 60;
/** The maximum resident memory above what the gateway uses at rest. */
const GROWTH_MIB_MAX = 64;
const GROWTH_MIB_GOAL = 32;
/**
 * Limits the old generation of the heap to twice the size that the gateway uses at rest, so that the garbage
 * collector cannot postpone its work. Also fixes the size of the young generation.
 */
const NODE_OPTIONS = '--max-old-space-size=96 --max-semi-space-size=16';
/** The bytes per second of a client that is slower than any database. */
const SLOW_BYTES_PER_SECOND = readCount('slow', 4_000_000);
/** A measurement starts after resident memory has not fallen for this time. */
const CALM_MS = readCount('calm', 12_000);

await runSuite(async () => {
  const { engine, version, ...tight } = await runWith({ NODE_OPTIONS }, runAll);
  const loose = await runWith({}, (target, measure) =>
    measure('out: NDJSON', () => readRows(target, { format: 'ndjson' })),
  );
  const { lines, slow, csv, sorted, four, stored, merged, refused: rejected } = tight.outcome;

  const expected = digestRows('ndjson', ROWS, NOTE_LENGTH);
  const isComplete = (/** @type {{ isComplete: boolean, digest: string }} */ found) =>
    found.isComplete && found.digest === expected;
  const last = (/** @type {{ report: any[] }} */ answer) => answer.report.at(-1) ?? {};
  const most = (/** @type {string} */ kind) =>
    Math.max(
      ...Object.entries(tight.cases)
        .filter(([name]) => name.startsWith(kind))
        .map(([, item]) => item.growth_mib),
    );
  return {
    suite: 'streams',
    title: `Gateway memory while ${ROWS} records are imported and streamed`,
    command: `pnpm test:long streams${ROWS === 1_000_000 ? '' : ` --rows ${ROWS}`}`,
    seed: null,
    engines: { [engine]: version },
    skips: [],
    claims: [
      {
        claim: 'every import is stored completely',
        holds:
          last(stored).committed === ROWS &&
          last(stored).failed === 0 &&
          last(merged).committed === FEWER_ROWS,
        found: JSON.stringify(last(stored)),
      },
      {
        claim: 'a rejected import is reported and changes nothing',
        holds: last(rejected).committed === 0 && last(rejected).failed === FEWER_ROWS,
        found: JSON.stringify(last(rejected)),
      },
      {
        claim: 'every stream returns exactly what was stored, each record once and in order',
        holds:
          [lines, slow, sorted, loose.outcome].every(isComplete) &&
          csv.digest === digestRows('csv', ROWS, NOTE_LENGTH),
        found: `${lines.rows} lines of NDJSON, ${slow.rows} to a slow client, ${sorted.rows} of one statement, ${csv.rows} of CSV`,
      },
      {
        claim: 'four simultaneous streams end cleanly',
        holds: four.every((item) => item.isComplete && item.rows === Math.ceil(ROWS / 4)),
        found: four.map((item) => item.rows).join(', '),
      },
      {
        claim: `a stream out uses at most ${GROWTH_MIB_MAX} MiB more resident memory than at rest (the goal is ${GROWTH_MIB_GOAL} MiB)`,
        holds: most('out') <= GROWTH_MIB_MAX,
        found: `${most('out')} MiB at most`,
      },
      {
        claim: `an import uses at most ${GROWTH_MIB_MAX} MiB more resident memory than at rest`,
        holds: most('in') <= GROWTH_MIB_MAX,
        found: `${most('in')} MiB at most`,
      },
    ],
    notes: [
      `Resident memory comes from the gateway's own /metrics, every 100 ms. The gateway is at rest when this has not fallen for ${CALM_MS / 1_000} s, after a small import and two small streams, and each case begins at rest. Slow clients read ${SLOW_BYTES_PER_SECOND} bytes a second. Records have about ${NOTE_LENGTH + 50} bytes.`,
      `The processes run with ${NODE_OPTIONS}: half of the young generation that gateways usually have, which grows under any load. Otherwise V8 leaves garbage in the old generation while the machine has free memory: \`collector_at_leisure\` shows one such stream.`,
    ],
    figures: {
      rows: ROWS,
      bytes_out: lines.bytes,
      idle: tight.idle,
      cases: tight.cases,
      collector_at_leisure: { idle: loose.idle, cases: loose.cases },
    },
  };
});

/**
 * Starts a product with the rows in it, and runs measured work on it.
 * @template T
 * @param {Record<string, string>} extraEnv
 * @param {(target: Target, measure: Measure) => Promise<T>} callback
 */
async function runWith(extraEnv, callback) {
  return withProduct({ gateways: 1, extraEnv }, async (product) => {
    const user = await signUp(product.control, { starter: 'empty' });
    const target = await prepareRows(user, product.gateways[0] ?? '', ROWS, NOTE_LENGTH);
    const metricsUrl = product.metricsUrls['gateway'] ?? '';
    // Code is compiled and connections are opened before the measurement of a stream.
    await sendRows(target, {
      format: 'csv',
      count: 2_000,
      noteLength: NOTE_LENGTH,
      prefer: 'on-error=stop, tx=rollback',
    });
    for (const format of /** @type {const} */ (['ndjson', 'csv']))
      await readRows(target, { format, path: '/many?limit=2000' });
    const idle = await readIdleMemory(metricsUrl, CALM_MS);
    /** @type {Record<string, Case>} */
    const cases = {};
    const outcome = await callback(target, async (name, run) => {
      const before = await readIdleMemory(metricsUrl, CALM_MS);
      const watch = watchMemory(metricsUrl);
      const startMs = performance.now();
      const result = await run();
      const seconds = Math.round((performance.now() - startMs) / 100) / 10;
      const { peak, samples } = await watch.stop();
      const growth = Math.round((peak.rss - idle.rss) * 10) / 10;
      cases[name] = { seconds, growth_mib: growth, before, peak, samples };
      console.log(
        `${name}: ${seconds} s, ${before.rss} -> ${peak.rss} MiB, heap ${before.heap} -> ${peak.heap}, ${growth} above ${idle.rss}`,
      );
      return result;
    });
    return { engine: product.mysql.engine, version: product.mysql.version, idle, cases, outcome };
  });
}

/** @param {Target} target @param {Measure} measure */
async function runAll(target, measure) {
  const part = { count: FEWER_ROWS, noteLength: NOTE_LENGTH, prefer: 'on-error=continue' };
  return {
    lines: await measure('out: NDJSON', () => readRows(target, { format: 'ndjson' })),
    slow: await measure('out: NDJSON, slow client', () =>
      readRows(target, { format: 'ndjson', bytesPerSecondMax: SLOW_BYTES_PER_SECOND }),
    ),
    csv: await measure('out: CSV', () => readRows(target, { format: 'csv' })),
    sorted: await measure('out: one statement (distinct)', () =>
      readRows(target, { format: 'ndjson', path: '/many?_distinct=id,code,amount,note&sort=id' }),
    ),
    four: await measure('out: four slow clients at once', () =>
      Promise.all(
        Array.from({ length: 4 }, () =>
          readRows(target, {
            format: 'ndjson',
            path: `/many?limit=${Math.ceil(ROWS / 4)}`,
            bytesPerSecondMax: SLOW_BYTES_PER_SECOND,
          }),
        ),
      ),
    ),
    stored: await measure('in: NDJSON, on-error=stop', () =>
      sendRows(target, { format: 'ndjson', count: ROWS, noteLength: NOTE_LENGTH, prefer: 'on-error=stop' }),
    ),
    merged: await measure('in: CSV, upsert of existing records', () =>
      sendRows(target, { ...part, format: 'csv', query: '?_on_conflict=id' }),
    ),
    refused: await measure('in: CSV, nothing but duplicates', () =>
      sendRows(target, { ...part, format: 'csv' }),
    ),
  };
}
