// @ts-check
/**
 * Measures the console with Lighthouse as a phone on a slow connection, as the median of several loads of
 * each page. Each load is evaluated for two processor speeds. `calibrated` is the mid-range phone that
 * Lighthouse assumes, calculated from the speed of this machine. `unasked` is Lighthouse's default: four
 * times slower than this machine.
 */
import { findProgram } from '@rowhouse/local/paths';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import lighthouse, { auditFlowArtifacts } from 'lighthouse';
import { chromium } from 'playwright-core';
import { seedDemoHouse } from '../../support/console/seed-demo-house.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { calibrateSlowdown } from './parts/cpu-slowdown.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

const RUNS = readCount('runs', 5);
const SCORES = { performance: 95, accessibility: 100, 'best-practices': 100 };
const BOUNDS = { largest_paint_ms: 2_500, blocked_ms: 150, shift: 0.02 };
const UNASKED_SLOWDOWN = 4;
const JUDGED = {
  unasked: `${UNASKED_SLOWDOWN} times slower than this machine, the default of Lighthouse`,
  calibrated: 'as slow as a mid-range phone',
};
/** The sign-in pages, and every page of the console. `--only overview,schema` selects some. */
const PAGES = [
  { name: 'sign-in', path: '//login' },
  { name: 'sign-up', path: '//signup' },
  { name: 'projects', path: '//projects' },
  { name: 'account', path: '//account' },
  { name: 'overview', path: '' },
  { name: 'data', path: '/data/posts' },
  { name: 'query', path: '/query' },
  { name: 'synonyms', path: '/synonyms' },
  { name: 'backups', path: '/backups' },
  { name: 'schema', path: '/schema' },
  { name: 'diagram', path: '/schema?view=diagram' },
  { name: 'migrations', path: '/migrations' },
  { name: 'connect', path: '/connect' },
  { name: 'keys', path: '/keys' },
  { name: 'api', path: '/api' },
  { name: 'code', path: '/code' },
  { name: 'logs', path: '/logs' },
  { name: 'usage', path: '/usage' },
  { name: 'team', path: '/team' },
  { name: 'settings', path: '/settings' },
];
const ONLY = readWords('only');
const looked = PAGES.filter(({ name }) => ONLY?.includes(name) ?? true);

function listOmitted() {
  const left = PAGES.filter((page) => !looked.includes(page)).map(({ name }) => name);
  return [
    ...(left.length === 0 ? [] : [`the pages ${left.join(', ')}`]),
    ...(RUNS >= 5 ? [] : [`${5 - RUNS} of 5 runs of each page`]),
  ];
}

/** @param {number[]} figures */
function median(figures) {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}

await runSuite(async () => {
  if (looked.length === 0)
    throw new Error(`There is no such page: there are ${PAGES.map(({ name }) => name).join(', ')}`);
  const executablePath = findProgram(['chromium', 'chromium-browser', 'google-chrome']);
  if (executablePath === null) throw new Error('no Chromium was found on this machine');
  const port = await findFreePort();
  const browser = await chromium.launch({
    executablePath,
    args: [`--remote-debugging-port=${port}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  /** @type {Record<string, PageFigures>} */
  const pages = {};
  try {
    await withProduct({ gateways: 1 }, async (product) => {
      const { owner, environmentPath: page } = await seedDemoHouse(product);
      for (const { name, path } of looked) {
        const url = path.startsWith('//')
          ? `${product.control}${path.slice(1)}`
          : `${product.control}${page}${path}`;
        pages[name] = await measurePage(
          url,
          port,
          name.startsWith('sign-') ? {} : { Cookie: owner.control.state.cookie },
        );
        console.log(`${name}: ${JSON.stringify(pages[name])}`);
      }
    });
  } finally {
    await browser.close();
  }
  /**
   * @param {'unasked' | 'calibrated'} judged @param {keyof LoadFigures} figure @param {string} claim
   * @param {(found: number) => boolean} holds
   */
  const claimOf = (judged, figure, claim, holds) => ({
    claim: `${claim}, ${JUDGED[judged]}, median of ${RUNS}`,
    holds:
      Object.keys(pages).length === looked.length &&
      Object.values(pages).every((page) => holds(page[judged][figure])),
    found: Object.entries(pages)
      .map(([name, page]) => `${name} ${page[judged][figure]}`)
      .join(', '),
  });
  /** @param {'unasked' | 'calibrated'} judged */
  const claimsOf = (judged) => [
    ...Object.entries(SCORES).map(([figure, goal]) =>
      claimOf(
        judged,
        /** @type {keyof typeof SCORES} */ (figure),
        `${figure} is ${goal} or higher on every page`,
        (found) => found >= goal,
      ),
    ),
    ...Object.entries(BOUNDS).map(([figure, maximum]) =>
      claimOf(
        judged,
        /** @type {keyof typeof BOUNDS} */ (figure),
        `${figure} is at most ${maximum} on every page`,
        (found) => found <= maximum,
      ),
    ),
  ];
  const indices = Object.values(pages).flatMap(({ benchmark_indices: ofPage }) => ofPage);
  return {
    suite: 'lighthouse',
    title: 'Lighthouse scores of the console',
    command: `pnpm test:long lighthouse${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines: { chromium: browser.version() },
    skips: listOmitted(),
    claims: [...claimsOf('unasked'), ...claimsOf('calibrated')],
    notes: [
      'The mobile form with simulated throttling, each load with an empty cache. Times are in milliseconds.',
      `The mid-range phone is ${UNASKED_SLOWDOWN} times slower than a machine whose benchmarkIndex is some 1,500, according to docs/throttling.md of Lighthouse. The factor is smaller for a slower machine and larger for a faster one. This machine had ${Math.min(...indices)} to ${Math.max(...indices)}, ${median(indices)} at the median. Each page was judged again with the slowdown for the index of its own loads, which is listed with its figures.`,
    ],
    figures: { runs: RUNS, pages },
  };
});

/**
 * @typedef {Record<keyof typeof SCORES | keyof typeof BOUNDS | 'first_paint_ms' | 'speed_index_ms', number>} LoadFigures
 * @typedef {{ benchmark_indices: number[], slowdown: number, calibrated: LoadFigures, unasked: LoadFigures }} PageFigures
 * @typedef {NonNullable<Awaited<ReturnType<typeof lighthouse>>>} Load
 */

/**
 * @param {string} url
 * @param {number} port
 * @param {Record<string, string>} extraHeaders
 * @returns {Promise<PageFigures>}
 */
async function measurePage(url, port, extraHeaders) {
  /** @type {Load[]} */
  const loads = [];
  for (let run = 0; run < RUNS; run += 1) loads.push(await measureLoad(url, port, extraHeaders));
  const indices = loads.map(({ lhr }) => lhr.environment.benchmarkIndex);
  const slowdown = calibrateSlowdown(median(indices));
  const calibrated = [];
  for (const load of loads)
    calibrated.push({ ...readFigures(load.lhr), ...readFigures(await judgeAgain(load, slowdown)) });
  return {
    benchmark_indices: indices,
    slowdown,
    calibrated: takeMedians(calibrated),
    unasked: takeMedians(loads.map(({ lhr }) => readFigures(lhr))),
  };
}

/**
 * Loads a page as on a first visit: the browser's cache of the previous load is cleared.
 * @param {string} url
 * @param {number} port
 * @param {Record<string, string>} extraHeaders
 * @returns {Promise<Load>}
 */
async function measureLoad(url, port, extraHeaders) {
  const load = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: Object.keys(SCORES),
    extraHeaders,
  });
  if (load === undefined) throw new Error(`Lighthouse returned no result for ${url}`);
  if (load.artifacts.settings.throttling.cpuSlowdownMultiplier !== UNASKED_SLOWDOWN)
    throw new Error('the default slowdown of Lighthouse is no longer 4');
  return load;
}

/**
 * Evaluates the recorded load again for another CPU slowdown.
 * @param {Load} load
 * @param {number} slowdown
 */
async function judgeAgain({ artifacts }, slowdown) {
  const settings = structuredClone(artifacts.settings);
  settings.throttling.cpuSlowdownMultiplier = slowdown;
  settings.onlyCategories = ['performance'];
  const { steps } = await auditFlowArtifacts({
    gatherSteps: [{ artifacts: { ...artifacts, settings }, flags: settings }],
  });
  if (steps[0] === undefined) throw new Error('Lighthouse returned no scores');
  return steps[0].lhr;
}

/**
 * Returns the figures of a load, with only the requested scores.
 * @param {Load['lhr']} lhr
 * @returns {LoadFigures}
 */
function readFigures({ categories, audits }) {
  const time = (/** @type {string} */ audit) => Math.round(audits[audit]?.numericValue ?? Number.NaN);
  return /** @type {LoadFigures} */ ({
    ...Object.fromEntries(
      Object.keys(SCORES).flatMap((category) =>
        categories[category] === undefined
          ? []
          : [[category, Math.round((categories[category].score ?? 0) * 100)]],
      ),
    ),
    first_paint_ms: time('first-contentful-paint'),
    speed_index_ms: time('speed-index'),
    largest_paint_ms: time('largest-contentful-paint'),
    blocked_ms: time('total-blocking-time'),
    shift: Math.round((audits['cumulative-layout-shift']?.numericValue ?? Number.NaN) * 1_000) / 1_000,
  });
}

/** @param {LoadFigures[]} loads */
function takeMedians(loads) {
  const figures = /** @type {(keyof LoadFigures)[]} */ (Object.keys(loads[0] ?? {}));
  return /** @type {LoadFigures} */ (
    Object.fromEntries(figures.map((figure) => [figure, median(loads.map((load) => load[figure]))]))
  );
}
