// @ts-check
/**
 * Runs every golden change under an open loop of requests, on each engine. No request may fail or wait, and
 * no write may be lost. The engines run one after the other, each with its own product and load; with
 * `--together` they run at the same time.
 *
 * - `--again`: only the changes that were too slow or are missing in `reports/changes.json`; the others
 *   are retained
 * - `--only a,b`: some of the changes
 * - `--engine mariadb|mysql`, `--rate 200`, `--in-flight 200`, `--requests 600`, `--holder-ms 5000`,
 *   `--family-items 30000`
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { readGoldenChanges } from '../../support/schemas/golden-change.mjs';
import { runChange } from '../../support/change-load/run-change.mjs';
import { signUp } from '../../support/control.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { describeChange, reportChange } from './parts/describe-change.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

const PER_SECOND = readCount('rate', 200);
const IN_FLIGHT_MIN = readCount('in-flight', 200);
const CHANGED_MIN = readCount('requests', 600);
const ROUNDS_MAX = readCount('rounds-max', 40);
const HOLDER_MS = readCount('holder-ms', 5_000);
const CONTROL_MS_MIN = readCount('control-ms', 500);
/** The number of rows in changes that rebuild several related tables. */
const FAMILY_ITEMS = readCount('family-items', 30_000);
const WARM_UP_MS = readCount('warm-up-ms', 4_000);
const ONLY = readWords('only');
const IS_TOGETHER = process.argv.includes('--together');
const IS_AGAIN = process.argv.includes('--again');
/** The machine is shared with other work, so a change counts as slow only if three attempts were slow. */
const ATTEMPTS_MAX = 3;
/** @type {readonly Engine[]} */
const ALL_ENGINES = ['mariadb', 'mysql'];
const ENGINES = /** @type {readonly Engine[]} */ (readWords('engine') ?? ALL_ENGINES);
const OPTIONS = {
  perSecond: PER_SECOND,
  inFlightMin: IN_FLIGHT_MIN,
  changedMin: CHANGED_MIN,
  roundsMin: 2,
  roundsMax: ROUNDS_MAX,
  controlMsMin: CONTROL_MS_MIN,
  holderMs: HOLDER_MS,
};

/**
 * @typedef {import('../../support/schemas/golden-change.mjs').Engine} Engine
 * @typedef {import('../../support/schemas/golden-change.mjs').GoldenChange} GoldenChange
 * @typedef {ReturnType<typeof describeChange>} Described
 * @typedef {Described & { earlier: Described[] }} Measured `earlier` holds attempts that were only too slow
 * @typedef {{ commit: string, engines: Record<string, string>, changes: Measured[] }} Kept
 */

await runSuite(async () => {
  const all = await readGoldenChanges();
  const changes = all.filter((change) => ONLY?.includes(change.name) ?? true);
  const unknown = (ONLY ?? []).filter((name) => !changes.some((change) => change.name === name));
  if (unknown.length > 0) throw new Error(`there is no golden change ${unknown.join(', ')}`);
  const before = IS_AGAIN ? readStored() : null;
  /** @type {Measured[]} */
  const described = before?.changes.filter(isFine) ?? [];
  const isRetained = (/** @type {string} */ engine, /** @type {string} */ name) =>
    described.some((item) => item.engine === engine && item.name === name);
  const earlierOf = (/** @type {string} */ engine, /** @type {string} */ name) => {
    const last = before?.changes.find((item) => item.engine === engine && item.name === name);
    return last === undefined ? [] : [...last.earlier, last];
  };
  /** @type {Record<string, string>} */
  const engines = { ...before?.engines };
  const runEngine = (/** @type {Engine} */ engine) =>
    withProduct({ gateways: 2, engine }, async (product) => {
      engines[engine] = product.mysql.version;
      const user = await signUp(product.control, { name: 'changes', starter: 'empty' });
      const stage = {
        person: user,
        gateways: product.gateways,
        dataDir: product.dataDir,
        mysql: { ...product.mysql.admin, engine },
        platform: product.platform.admin,
      };
      const own = changes.filter((change) => isFor(change, engine) && !isRetained(engine, change.name));
      for (const change of own.slice(0, 1)) await warmUp(stage, change);
      for (const change of own) {
        const items = change.strategies[engine].includes('rebuild_family') ? FAMILY_ITEMS : change.items;
        described.push(
          await measure(
            async () => describeChange(await runChange(stage, change, { ...OPTIONS, items })),
            earlierOf(engine, change.name),
          ),
        );
      }
    });
  if (IS_TOGETHER) await Promise.all(ENGINES.map(runEngine));
  else for (const engine of ENGINES) await runEngine(engine);
  return toReport(described, engines, all, before);
});

/** @param {GoldenChange} change @param {Engine} engine */
function isFor({ only }, engine) {
  return only === null || only === engine;
}

/**
 * Lists the changes that have no measurement, neither new nor earlier.
 * @param {Measured[]} measured
 * @param {GoldenChange[]} changes
 */
function listSkips(measured, changes) {
  return ALL_ENGINES.flatMap((engine) => {
    const missing = changes
      .filter(
        (change) =>
          isFor(change, engine) &&
          !measured.some((item) => item.engine === engine && item.name === change.name),
      )
      .map(({ name }) => name);
    return missing.length === 0 ? [] : [`on ${engine}: ${missing.join(', ')}`];
  });
}

/** @param {Described} item */
function isFaultless(item) {
  return item.failed.length + item.lost.length + item.broken.length === 0;
}

/** @param {Described} item */
function isFine(item) {
  return isFaultless(item) && item.is_within && item.is_held_within;
}

/**
 * Reads the measurements of `reports/changes.json`.
 * @returns {Kept}
 */
function readStored() {
  const path = join(rootDir, 'reports', 'changes.json');
  if (!existsSync(path)) throw new Error(`--again goes on from ${path}, and there is none`);
  const { commit, engines, figures } = JSON.parse(readFileSync(path, 'utf8'));
  const wrong = figures.changes.filter((/** @type {Measured} */ item) => !isFaultless(item));
  if (wrong.length > 0)
    throw new Error(
      `not time alone is wrong with ${wrong.map((/** @type {Measured} */ item) => item.name).join(', ')}: run everything again`,
    );
  return { commit, engines, changes: figures.changes };
}

/**
 * Repeats a measurement that failed only because it was slow. A change that is slow in every attempt has
 * failed. The report lists all attempts.
 * @param {() => Promise<Described>} run
 * @param {Described[]} before
 * @returns {Promise<Measured>}
 */
async function measure(run, before) {
  const earlier = [...before];
  for (let attempts = 1; ; attempts += 1) {
    const item = await run();
    console.log(`${earlier.length > 0 ? 'again: ' : ''}${reportChange(item)}`);
    if (!isFaultless(item) || isFine(item) || attempts === ATTEMPTS_MAX) return { ...item, earlier };
    earlier.push(item);
  }
}

/**
 * Runs the first change once before the measurements, because processes that have just started are slow until
 * their code is compiled. Everything but the time of this run is checked.
 * @param {import('../../support/change-load/run-change.mjs').ChangeProduct} stage
 * @param {import('../../support/schemas/golden-change.mjs').GoldenChange} change
 */
async function warmUp(stage, change) {
  const { failed, lost, broken } = await runChange(stage, change, {
    ...OPTIONS,
    roundsMin: 4,
    roundsMax: 4,
    controlMsMin: WARM_UP_MS,
    holderMs: 0,
  });
  const faults = [...failed, ...lost, ...broken];
  if (faults.length > 0) throw new Error(`warming up: ${faults.slice(0, 5).join('; ')}`);
}

/**
 * @param {Measured[]} all
 * @param {Record<string, string>} engines
 * @param {GoldenChange[]} changes
 * @param {Kept | null} before
 */
function toReport(all, engines, changes, before) {
  const requests = all.reduce(
    (sum, item) => sum + item.changed.asked + item.control.asked + (item.held?.asked ?? 0),
    0,
  );
  const nameOf = (/** @type {Described} */ item) => `${item.name} on ${item.engine}`;
  const claim = (
    /** @type {string} */ text,
    /** @type {(item: Described) => boolean} */ isBad,
    /** @type {string} */ good,
  ) => {
    const bad = all.filter(isBad);
    return {
      claim: text,
      holds: all.length > 0 && bad.length === 0,
      found: bad.length === 0 ? good : bad.map(nameOf).join(', '),
    };
  };
  const again = all.filter(({ earlier }) => earlier.length > 0);
  const reportTimes = (/** @type {Measured} */ item) =>
    `${nameOf(item)} (p99 before ${item.earlier.map(({ changed, control, held }) => `${changed.p99} of ${control.p99}, held ${held?.p99 ?? '-'}`).join('; ')} ms)`;
  const requested = process.argv.slice(2);
  return {
    suite: 'changes',
    title: 'Every kind of schema change under load',
    command: `pnpm test:long changes${requested.length === 0 ? '' : ` ${requested.join(' ')}`}`,
    seed: null,
    engines,
    skips: listSkips(all, changes),
    claims: [
      claim(
        'no request fails: each has a response, none has a 5xx, and each row or 4xx is correct for the schema before or after the change',
        (item) => item.failed.length > 0,
        `0 of ${requests} requests during ${new Set(all.map(({ name }) => name)).size} of ${changes.length} kinds of changes`,
      ),
      claim('no acknowledged write is lost', (item) => item.lost.length > 0, '0'),
      claim(
        'all invariants hold, and nothing is left over',
        (item) => item.broken.length > 0,
        `${all.length} times`,
      ),
      claim(
        `at least ${IN_FLIGHT_MIN} requests are in flight during the cut-overs of each change`,
        (item) => item.in_flight < IN_FLIGHT_MIN,
        `fewest ${Math.min(...all.map((item) => item.in_flight))}`,
      ),
      claim(
        'p99 is at most max(2 x control, control + 10 ms), and no request takes longer than max(250 ms, control maximum + 100 ms)',
        (item) => !item.is_within,
        'each',
      ),
      ...(HOLDER_MS === 0
        ? []
        : [
            claim(
              `the same bounds hold while an idle transaction locks the table for ${HOLDER_MS} ms`,
              (item) => !item.is_held_within,
              'each',
            ),
          ]),
    ],
    notes: [
      ...(!IS_TOGETHER || ENGINES.length === 1
        ? []
        : [
            'Both engines run at the same time on this machine, so each also slows the control windows ' +
              'of the other.',
          ]),
      `An open loop of ${PER_SECOND} starts a second runs in a separate process, on two gateways. Latency counts from the moment at which a request was due. A start may be several consecutive requests.`,
      'Control: the same load between the changes, for as long as each change took. A request is ' +
        'in flight from sending to its response. Only DDL, publishing and acknowledgment count, and ' +
        'not the copying and comparing of a rebuild.',
      'If the host withheld the processors for 20 ms within 100 ms, requests due then or up to 100 ' +
        'ms later are not in any p99, of changes or of control (p99_of_all includes them). Maxima ' +
        'include all requests.',
      again.length === 0
        ? 'Each change was measured once.'
        : `Measured again, up to ${ATTEMPTS_MAX} times in a run, because it exceeded a time limit ` +
          `before: ${again.map(reportTimes).join(', ')}.`,
      ...(before === null
        ? []
        : [`Results within the limits from an earlier run at commit ${before.commit} are reused.`]),
      'Tables have 6,000 rows at first; where a whole family is rebuilt, ' +
        `${FAMILY_ITEMS.toLocaleString('en')}. The first change runs four times beforehand without a ` +
        'time limit, because new processes are slow.',
      'The changes are in e2e/golden-changes. Rejected means an error that is correct before or ' +
        'after the change.',
    ],
    figures: {
      changes: all.map((item) => ({
        ...item,
        failed: item.failed.slice(0, 20),
        lost: item.lost.slice(0, 20),
      })),
    },
  };
}
