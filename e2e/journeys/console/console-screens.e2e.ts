import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessFaults, openBrowser, type PersonsBrowser } from '../../support/console/browser.mjs';
import { DIALOG_SCREENS, openScreen, PAGE_SCREENS } from '../../support/console/console-screens.mjs';
import { seedDemoHouse, signInBrowser } from '../../support/console/seed-demo-house.mjs';
import { readProduct } from '../../support/product.mjs';

/** Pages that no other journey visits. `pnpm test:long screens` checks all of them, in four forms. */
const JUDGED = new Set([
  'keys',
  'code-python',
  'code-changes',
  'connect-mcp',
  'logs',
  'usage',
  'team',
  'team-audit',
  'account',
  'dialog-new-key',
  'dialog-request',
  'dialog-invite',
]);

/** Checks each page with axe twice: wide and light, then narrow and dark. */
describe('the pages of the console', () => {
  const product = readProduct();
  const views: PersonsBrowser[] = [];
  let house: Awaited<ReturnType<typeof seedDemoHouse>>;
  beforeAll(async () => {
    house = await seedDemoHouse(product);
    views.push(await openBrowser(), await openBrowser({ width: 375, height: 720, dark: true }));
    for (const view of views) {
      view.page.setDefaultTimeout(20_000);
      await signInBrowser(view.context, product.control, house.owner.control);
    }
  });
  afterAll(() => Promise.all(views.map((view) => view.close())));

  it('no console page violates WCAG 2.2 AA or scrolls horizontally', async () => {
    const faults: string[] = [];
    for (const [index, { page }] of views.entries()) {
      const form = index === 0 ? 'wide and light' : 'narrow and dark';
      for (const screen of [...PAGE_SCREENS, ...DIALOG_SCREENS].filter(({ name }) => JUDGED.has(name))) {
        await openScreen(page, product.control, house.environmentPath, screen);
        for (const fault of await findAccessFaults(page)) faults.push(`${screen.name}, ${form}: ${fault}`);
        if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth))
          faults.push(`${screen.name}, ${form}: scrolls sideways`);
      }
    }
    expect(faults).toEqual([]);
  }, 300_000);

  it('the console pages send no request to another host and throw no error', () => {
    const own = [product.control, ...product.gateways].map((base) => new URL(base).host);
    for (const view of views) {
      expect([...view.hosts].filter((host) => !own.includes(host))).toEqual([]);
      expect(view.troubles.filter((trouble) => !/Failed to load resource/.test(trouble))).toEqual([]);
    }
  });
});
