// @ts-check
/**
 * Takes screenshots of every screen and dialog, light, dark and on a phone, into `e2e/screens`, which git
 * ignores. They are for people to look at.
 *
 * Options: `--views light,phone`, `--only keys,dialog-`.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findAccessFaults, openBrowser } from '../../support/console/browser.mjs';
import {
  DIALOG_SCREENS,
  SIGNED_OUT_SCREENS,
  openScreen,
  PAGE_SCREENS,
  waitUntilIdle,
} from '../../support/console/console-screens.mjs';
import { seedDemoHouse, signInBrowser } from '../../support/console/seed-demo-house.mjs';
import { fitsWidth, listThrown } from '../../support/console/open-console.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readWords, runSuite } from '../lib/run-suite.mjs';

/** @typedef {import('../../support/console/console-screens.mjs').Screen} Screen */

const FOLDER = join(import.meta.dirname, '..', '..', 'screens');
const VIEWS = [
  { view: 'light', width: 1280, height: 860, dark: false },
  { view: 'dark', width: 1280, height: 860, dark: true },
  { view: 'phone', width: 375, height: 667, dark: false },
  { view: 'phone-dark', width: 375, height: 667, dark: true },
];
const WANTED = { views: readWords('views'), only: readWords('only') };
const views = VIEWS.filter(({ view }) => WANTED.views?.includes(view) ?? true);
const pick = (/** @type {readonly Screen[]} */ screens) =>
  screens.filter(({ name }) => WANTED.only?.some((word) => name.includes(word)) ?? true);
const EVERY = [...SIGNED_OUT_SCREENS, ...PAGE_SCREENS, ...DIALOG_SCREENS];

/**
 * Lists the names of the screens and views that the options exclude, so that the report does not look
 * complete.
 */
function listOmitted() {
  const [taken, left] = [pick(EVERY), EVERY.filter((screen) => !pick(EVERY).includes(screen))];
  if (taken.length === 0 || views.length === 0)
    throw new Error(
      `No screen was selected. Views are ${VIEWS.map(({ view }) => view).join(', ')}, screens ` +
        `${EVERY.map(({ name }) => name).join(', ')}`,
    );
  const unseen = VIEWS.filter((item) => !views.includes(item)).map(({ view }) => view);
  return [
    ...(unseen.length === 0
      ? []
      : [`the views ${unseen.join(', ')} of all ${EVERY.length} screens and dialogs`]),
    ...(left.length === 0
      ? []
      : [
          `${left.length} of ${EVERY.length} screens and dialogs: ${left.map(({ name }) => name).join(', ')}`,
        ]),
  ];
}

/**
 * Makes the window as high as the page. In a full-page screenshot from a low window, elements with a fixed
 * position were sometimes not drawn yet.
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function fitWindowToPage(page, name) {
  const [size, height] = [
    page.viewportSize(),
    await page.evaluate(() => document.documentElement.scrollHeight),
  ];
  if (size === null || height <= size.height) return;
  await page.setViewportSize({ width: size.width, height });
  await waitUntilIdle(page, name);
}

/**
 * Lists the buttons at the end of an open dialog, and whether each can be pressed without scrolling.
 * @param {import('playwright-core').Page} page
 */
function listActions(page) {
  return page.locator('[data-dialog-actions] button').evaluateAll((buttons) =>
    buttons.map((button) => {
      const { left: remaining, right, top, bottom } = button.getBoundingClientRect();
      const seen = document.elementFromPoint((remaining + right) / 2, (top + bottom) / 2);
      return {
        text: button.textContent.trim(),
        isInSight: top >= 0 && bottom <= window.innerHeight && (seen === button || button.contains(seen)),
      };
    }),
  );
}

await runSuite(async () => {
  const skips = listOmitted();
  /** @type {string[]} */
  const faults = [];
  /** @type {string[]} */
  const wide = [];
  /** @type {{ where: string, text: string, isInSight: boolean }[]} */
  const actions = [];
  /** @type {string[]} */
  const troubles = [];
  let takenCount = 0;
  const engines = await withProduct(
    { gateways: 1, extraEnv: { ROWHOUSE_REGION: 'Frankfurt' } },
    async (product) => {
      const { owner, environmentPath: page } = await seedDemoHouse(product);
      const hosts = [product.control, ...product.gateways].map((base) => new URL(base).host);
      // Earlier screenshots stay until new ones replace them.
      if (skips.length === 0) rmSync(FOLDER, { recursive: true, force: true });
      mkdirSync(FOLDER, { recursive: true });
      for (const { view, ...options } of views) {
        const browser = await openBrowser(options);
        browser.page.setDefaultTimeout(60_000);
        const photograph = async (/** @type {readonly Screen[]} */ screens) => {
          for (const screen of pick(screens)) {
            await openScreen(browser.page, product.control, page, screen);
            for (const fault of await findAccessFaults(browser.page))
              faults.push(`${screen.name}, ${view}: ${fault}`);
            if (screen.name.startsWith('dialog-'))
              actions.push(
                ...(await listActions(browser.page)).map((item) => ({
                  ...item,
                  where: `${screen.name}, ${view}`,
                })),
              );
            if (!(await fitsWidth(browser.page))) wide.push(`${screen.name}, ${view}`);
            if (!/^(dialog|menu)-/.test(screen.name)) await fitWindowToPage(browser.page, screen.name);
            await browser.page.screenshot({ path: join(FOLDER, `${screen.name}.${view}.png`) });
            await browser.page.setViewportSize({ width: options.width, height: options.height });
            takenCount += 1;
          }
        };
        try {
          await photograph(SIGNED_OUT_SCREENS);
          await signInBrowser(browser.context, product.control, owner.control);
          await photograph([...PAGE_SCREENS, ...DIALOG_SCREENS]);
        } finally {
          troubles.push(
            ...listThrown(browser.troubles).map((trouble) => `${view}: ${trouble}`),
            ...[...browser.hosts]
              .filter((host) => !hosts.includes(host))
              .map((host) => `${view}: asked ${host}`),
          );
          await browser.close();
        }
      }
      return { mariadb: product.mysql.version };
    },
  );
  const hidden = actions.filter(({ isInSight }) => !isInSight);
  const claim = (/** @type {string} */ text, /** @type {string[]} */ found) => ({
    claim: text,
    holds: found.length === 0,
    found: found.length === 0 ? `so on ${takenCount} pictures` : found.join('; '),
  });
  return {
    suite: 'screens',
    title: 'The screens of the console',
    command: `pnpm test:long screens${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines,
    skips,
    claims: [
      claim('axe finds nothing against WCAG 2.2 AA on any screen or dialog', faults),
      claim('no page scrolls horizontally', wide),
      {
        claim: 'the buttons that close a dialog are visible when it opens',
        holds: (actions.length > 0 || !pick(DIALOG_SCREENS).length) && hidden.length === 0,
        found:
          hidden.length === 0
            ? `visible: ${actions.length} buttons`
            : hidden.map(({ where, text }) => `${where}: ${text}`).join('; '),
      },
      claim('pages throw no errors, and call only the control plane and the gateway', troubles),
    ],
    notes: ['The screenshots are in `e2e/screens`, for people to look at.'],
    figures: { taken: takenCount, screens: pick(EVERY).length, views: views.map(({ view }) => view) },
  };
});
