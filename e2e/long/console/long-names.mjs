// @ts-check
/**
 * Visits every screen and dialog of a project whose names are as long as MySQL allows, in three widths. No
 * page may scroll sideways, and no text may overlap another. Screenshots go to `e2e/screens/long-names`.
 *
 * Options: `--widths 375,1440`, `--only keys,dialog-`, and `--control` and `--gateway` for a running product.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../../support/console/browser.mjs';
import { DIALOG_SCREENS, openScreen, PAGE_SCREENS } from '../../support/console/console-screens.mjs';
import { findOverflow } from '../../support/console/find-overflow.mjs';
import { fitsWidth } from '../../support/console/open-console.mjs';
import { signInBrowser } from '../../support/console/seed-demo-house.mjs';
import { seedLongNames } from '../../support/console/seed-long-names.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readWords, runSuite } from '../lib/run-suite.mjs';

const FOLDER = join(import.meta.dirname, '..', '..', 'screens', 'long-names');
const widths = (readWords('widths') ?? ['1440', '1024', '375']).map(Number);
const only = readWords('only');
const running = { control: readWords('control')?.[0], gateway: readWords('gateway')?.[0] };

/** Screens that need the rows, the second organization or the migrations of the demo project. */
const NEEDS_DEMO = new Set([
  'data-filter',
  'query-answer',
  'query-rows',
  'query-chart',
  'query-fault',
  'dialog-write',
  'dialog-test-connection',
  'dialog-remove-member',
  'dialog-move-project',
  'dialog-rename-organization',
  'dialog-delete-organization',
  'dialog-revert',
  'dialog-leave',
  'data-staged',
  'connect-direct-made',
  'connect-mcp-tested',
]);

/**
 * @param {{ control: string, gateways: readonly string[] }} product
 * @returns {Promise<{ faults: string[], visited: number }>}
 */
async function visit(product) {
  const { owner, table, environmentPath } = await seedLongNames(product);
  /** @type {string[]} */
  const faults = [];
  let visited = 0;
  const screens = [...PAGE_SCREENS, ...DIALOG_SCREENS]
    .filter(({ name }) => !NEEDS_DEMO.has(name) && (only?.some((word) => name.includes(word)) ?? true))
    .map((screen) => ({ ...screen, path: screen.path.replace(/\bposts\b/, table) }));
  mkdirSync(FOLDER, { recursive: true });
  for (const width of widths) {
    const browser = await openBrowser({ width, height: width < 400 ? 667 : 860 });
    browser.page.setDefaultTimeout(30_000);
    try {
      await signInBrowser(browser.context, product.control, owner.control);
      for (const screen of screens) {
        try {
          await openScreen(browser.page, product.control, environmentPath, screen);
        } catch (error) {
          faults.push(`${screen.name}, ${width}: ${String(error).split('\n')[0]}`);
          continue;
        }
        visited += 1;
        if (!(await fitsWidth(browser.page))) faults.push(`${screen.name}, ${width}: scrolls sideways`);
        for (const fault of await findOverflow(browser.page))
          faults.push(`${screen.name}, ${width}: ${fault}`);
        await browser.page.screenshot({ path: join(FOLDER, `${screen.name}.${width}.png`) });
      }
    } finally {
      await browser.close();
    }
  }
  return { faults, visited };
}

await runSuite(async () => {
  /** @type {{ faults: string[], visited: number }} */
  let result = { faults: [], visited: 0 };
  let engines = {};
  if (running.control !== undefined && running.gateway !== undefined)
    result = await visit({ control: running.control, gateways: [running.gateway] });
  else
    engines = await withProduct({ gateways: 1 }, async (product) => {
      result = await visit(product);
      return { mariadb: product.mysql.version };
    });
  return {
    suite: 'long-names',
    title: 'The screens of the console with long names',
    command: `pnpm test:long long-names${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines,
    skips: [`the screens ${[...NEEDS_DEMO].join(', ')}, which need the demo project`],
    claims: [
      {
        claim: 'no page scrolls horizontally, and no text overlaps another or leaves the window',
        holds: result.visited > 0 && result.faults.length === 0,
        found: result.faults.length === 0 ? `so on ${result.visited} pictures` : result.faults.join('; '),
      },
    ],
    notes: ['The screenshots are in `e2e/screens/long-names`.'],
    figures: { visited: result.visited, widths },
  };
});
