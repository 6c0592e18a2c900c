// @ts-check
/** What Lighthouse says of the console as a phone on a slow line sees it: the median of several runs of each page. */
import { findProgram } from '@rowhouse/local/paths';
import { findFreePort } from '@rowhouse/local/free-port';
import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { furnishHouse } from '../support/furnish-house.mjs';
import { withProduct } from '../support/with-product.mjs';
import { readCount, readWords, runSuite } from './lib/run-suite.mjs';

const RUNS = readCount('runs', 5);
const GOALS = { performance: 95, accessibility: 100, 'best-practices': 100 };
/** The door, and what stands behind it; `--only overview,schema` looks at some. */
const PAGES = [
  { name: 'sign-in', path: '//login' }, { name: 'sign-up', path: '//signup' }, { name: 'projects', path: '//projects' }, { name: 'overview', path: '' }, { name: 'connect', path: '/connect' },
  { name: 'keys', path: '/keys' }, { name: 'logs', path: '/logs' }, { name: 'usage', path: '/usage' }, { name: 'team', path: '/team' },
].filter(({ name }) => readWords('only')?.includes(name) ?? true);

/** @param {number[]} figures */
function median(figures) {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}

await runSuite(async () => {
  const executablePath = findProgram(['chromium', 'chromium-browser', 'google-chrome']);
  if (executablePath === null) throw new Error('no Chromium was found on this machine');
  const port = await findFreePort();
  const browser = await chromium.launch({ executablePath, args: [`--remote-debugging-port=${port}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])] });
  /** @type {Record<string, Record<string, number>>} */
  const pages = {};
  try {
    await withProduct({ gateways: 1 }, async (product) => {
      const { owner, room } = await furnishHouse(product);
      for (const { name, path } of PAGES) {
        const url = path.startsWith('//') ? `${product.control}${path.slice(1)}` : `${product.control}${room}${path}`;
        const isDoor = name.startsWith('sign-');
        /** @type {Record<string, number>[]} */
        const runs = [];
        for (let run = 0; run < RUNS; run += 1) runs.push(await look(url, port, isDoor ? {} : { Cookie: owner.control.state.cookie }));
        pages[name] = Object.fromEntries(Object.keys(runs[0] ?? {}).map((figure) => [figure, median(runs.map((one) => one[figure] ?? 0))]));
      }
    });
  } finally {
    await browser.close();
  }
  return {
    suite: 'lighthouse',
    title: 'What Lighthouse says of the console',
    command: `pnpm test:long lighthouse${RUNS === 5 ? '' : ` --runs ${RUNS}`}`,
    seed: null,
    engines: { chromium: browser.version() },
    skips: [],
    claims: Object.entries(GOALS).map(([figure, goal]) => {
      const found = Object.entries(pages).map(([name, figures]) => `${name} ${figures[figure]}`);
      return { claim: `${figure} is ${goal} or better on every page, median of ${RUNS}`, holds: Object.values(pages).every((figures) => (figures[figure] ?? 0) >= goal), found: found.join(', ') };
    }),
    notes: ['The mobile form with simulated throttling, as Lighthouse has it by default. Times are in milliseconds.'],
    figures: { runs: RUNS, pages },
  };
});

/** @param {string} url @param {number} port @param {Record<string, string>} extraHeaders @returns {Promise<Record<string, number>>} */
async function look(url, port, extraHeaders) {
  const result = await lighthouse(url, { port, output: 'json', logLevel: 'error', onlyCategories: Object.keys(GOALS), extraHeaders, disableStorageReset: true });
  if (result === undefined) throw new Error(`Lighthouse says nothing of ${url}`);
  const { categories, audits } = result.lhr;
  const time = (/** @type {string} */ audit) => Math.round(audits[audit]?.numericValue ?? -1);
  return {
    ...Object.fromEntries(Object.keys(GOALS).map((category) => [category, Math.round((categories[category]?.score ?? 0) * 100)])),
    first_paint_ms: time('first-contentful-paint'), largest_paint_ms: time('largest-contentful-paint'), blocked_ms: time('total-blocking-time'),
    shift: Math.round((audits['cumulative-layout-shift']?.numericValue ?? 0) * 1_000) / 1_000,
  };
}
