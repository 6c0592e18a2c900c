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
const SHIFT_MAX = 0.02;
const GOALS = { performance: 95, accessibility: 100, 'best-practices': 100 };
/** The door, and every room behind it; `--only overview,schema` looks at some. */
const PAGES = [
  { name: 'sign-in', path: '//login' }, { name: 'sign-up', path: '//signup' }, { name: 'projects', path: '//projects' }, { name: 'account', path: '//account' },
  { name: 'overview', path: '' }, { name: 'data', path: '/data/posts' }, { name: 'query', path: '/query' }, { name: 'words', path: '/words' }, { name: 'backups', path: '/backups' },
  { name: 'schema', path: '/schema' }, { name: 'diagram', path: '/schema?view=diagram' }, { name: 'migrations', path: '/migrations' }, { name: 'connect', path: '/connect' }, { name: 'keys', path: '/keys' },
  { name: 'api', path: '/api' }, { name: 'code', path: '/code' }, { name: 'logs', path: '/logs' }, { name: 'usage', path: '/usage' }, { name: 'team', path: '/team' }, { name: 'settings', path: '/settings' },
];
const ONLY = readWords('only');
const looked = PAGES.filter(({ name }) => ONLY?.includes(name) ?? true);

function listLeftOut() {
  const left = PAGES.filter((page) => !looked.includes(page)).map(({ name }) => name);
  return [...(left.length === 0 ? [] : [`the pages ${left.join(', ')}`]), ...(RUNS >= 5 ? [] : [`${5 - RUNS} of 5 runs of each page`])];
}

/** @param {number[]} figures */
function median(figures) {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}

await runSuite(async () => {
  if (looked.length === 0) throw new Error(`There is no such page: there are ${PAGES.map(({ name }) => name).join(', ')}`);
  const executablePath = findProgram(['chromium', 'chromium-browser', 'google-chrome']);
  if (executablePath === null) throw new Error('no Chromium was found on this machine');
  const port = await findFreePort();
  const browser = await chromium.launch({ executablePath, args: [`--remote-debugging-port=${port}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])] });
  /** @type {Record<string, Record<string, number>>} */
  const pages = {};
  try {
    await withProduct({ gateways: 1 }, async (product) => {
      const { owner, room } = await furnishHouse(product);
      for (const { name, path } of looked) {
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
    command: `pnpm test:long lighthouse${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines: { chromium: browser.version() },
    skips: listLeftOut(),
    claims: [
      ...Object.entries(GOALS).map(([figure, goal]) => claimOf(pages, figure, `${figure} is ${goal} or better on every page`, (found) => found >= goal)),
      claimOf(pages, 'shift', `nothing on any page moves by more than ${SHIFT_MAX} while it loads`, (found) => found <= SHIFT_MAX),
    ],
    notes: ['The mobile form with simulated throttling, as Lighthouse has it by default, each run with an empty cache. Times are in milliseconds.'],
    figures: { runs: RUNS, pages },
  };
});

/** @param {Record<string, Record<string, number>>} pages @param {string} figure @param {string} claim @param {(found: number) => boolean} holds */
function claimOf(pages, figure, claim, holds) {
  const found = Object.entries(pages).map(([name, figures]) => `${name} ${figures[figure]}`);
  return { claim: `${claim}, median of ${RUNS}`, holds: Object.keys(pages).length === looked.length && Object.values(pages).every((figures) => holds(figures[figure] ?? NaN)), found: found.join(', ') };
}

/** As on a first visit: what the browser kept of the run before is cleared. @param {string} url @param {number} port @param {Record<string, string>} extraHeaders @returns {Promise<Record<string, number>>} */
async function look(url, port, extraHeaders) {
  const result = await lighthouse(url, { port, output: 'json', logLevel: 'error', onlyCategories: Object.keys(GOALS), extraHeaders });
  if (result === undefined) throw new Error(`Lighthouse says nothing of ${url}`);
  const { categories, audits } = result.lhr;
  const time = (/** @type {string} */ audit) => Math.round(audits[audit]?.numericValue ?? -1);
  return {
    ...Object.fromEntries(Object.keys(GOALS).map((category) => [category, Math.round((categories[category]?.score ?? 0) * 100)])),
    first_paint_ms: time('first-contentful-paint'), largest_paint_ms: time('largest-contentful-paint'), blocked_ms: time('total-blocking-time'),
    shift: Math.round((audits['cumulative-layout-shift']?.numericValue ?? 0) * 1_000) / 1_000,
  };
}
