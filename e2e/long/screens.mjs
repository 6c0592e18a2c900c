// @ts-check
/** Photographs every screen and dialog: light, dark, and on a phone, into `e2e/screens`, which git ignores. For people to look at. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findAccessFaults, openBrowser } from '../support/browser.mjs';
import { DIALOG_SCREENS, DOOR_SCREENS, openScreen, ROOM_SCREENS } from '../support/console-screens.mjs';
import { furnishHouse, signInBrowser } from '../support/furnish-house.mjs';
import { withProduct } from '../support/with-product.mjs';
import { readWords, runSuite } from './lib/run-suite.mjs';

const FOLDER = join(import.meta.dirname, '..', 'screens');
const VIEWS = [
  { view: 'light', width: 1280, height: 860, dark: false },
  { view: 'dark', width: 1280, height: 860, dark: true },
  { view: 'phone', width: 375, height: 720, dark: false },
  { view: 'phone-dark', width: 375, height: 720, dark: true },
].filter(({ view }) => readWords('views')?.includes(view) ?? true);
const ONLY = readWords('only');

await runSuite(async () => {
  if (ONLY === undefined) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  /** @type {string[]} */
  const faults = [];
  let taken = 0;
  await withProduct({ gateways: 1 }, async (product) => {
    const { owner, room } = await furnishHouse(product);
    for (const { view, ...options } of VIEWS) {
      const browser = await openBrowser(options);
      browser.page.setDefaultTimeout(60_000);
      const photograph = async (/** @type {readonly import('../support/console-screens.mjs').Screen[]} */ screens) => {
        for (const screen of screens.filter(({ name }) => ONLY?.some((word) => name.includes(word)) ?? true)) {
          await openScreen(browser.page, product.control, room, screen);
          for (const fault of await findAccessFaults(browser.page)) faults.push(`${screen.name}, ${view}: ${fault}`);
          await browser.page.screenshot({ path: join(FOLDER, `${screen.name}.${view}.png`), fullPage: !/^(dialog|menu)-/.test(screen.name) });
          taken += 1;
        }
      };
      try {
        await photograph(DOOR_SCREENS);
        await signInBrowser(browser.context, product.control, owner.control);
        await photograph([...ROOM_SCREENS, ...DIALOG_SCREENS]);
      } finally {
        await browser.close();
      }
    }
  });
  return {
    suite: 'screens',
    title: 'The screens of the console',
    command: 'pnpm test:long screens',
    seed: null,
    engines: {},
    skips: [],
    claims: [{ claim: 'axe finds nothing against WCAG 2.2 AA on any screen or dialog', holds: faults.length === 0, found: faults.length === 0 ? `nothing on ${taken} screens` : faults.join('; ') }],
    notes: ['The pictures lie in `e2e/screens` and are for people to look at.'],
    figures: { taken },
  };
});
