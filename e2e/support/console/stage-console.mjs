// @ts-check
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signUp } from '../control.mjs';
import { openApi } from '../http.mjs';
import { createAccessNotes, fitsWidth, listThrown, openConsole } from './open-console.mjs';
import { readProduct } from '../product.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {Awaited<ReturnType<typeof openConsole>>} Console */

/**
 * Sets up a journey through the console: a person with an API client and a browser, and a record of the
 * violations that axe finds. Call it at the top of a `describe`.
 * @param {Parameters<typeof signUp>[1]} options
 * @param {(stage: { person: import('../control.mjs').TestUser, api: import('../http.mjs').Api }) =>
 *   Promise<void>} [furnish] runs before the browser is opened
 */
export function stageConsole(options, furnish = async () => undefined) {
  const product = readProduct();
  const access = createAccessNotes();
  /** @type {import('../control.mjs').TestUser | undefined} */
  let user;
  /** @type {import('../http.mjs').Api | undefined} */
  let api;
  /** @type {Console | undefined} */
  let browser;
  beforeAll(async () => {
    user = await signUp(product.control, options);
    api = openApi(product.gateways[0], user.key);
    await furnish({ person: user, api });
    browser = await openConsole(user);
  });
  afterAll(() => browser?.close());
  return {
    product,
    get person() {
      return need(user);
    },
    get api() {
      return need(api);
    },
    get browser() {
      return need(browser);
    },
    get page() {
      return need(browser).page;
    },
    /** Finds a button by its full name or by a pattern. @param {string | RegExp} name */
    button: (name) => need(browser).page.getByRole('button', { name, exact: typeof name === 'string' }),
    /** @param {string} where @param {Page} [page] */
    noteAccess: (where, page = need(browser).page) => access.note(page, where),
    /**
     * Defines a test that a page does not scroll sideways on a phone in the dark color scheme.
     * @param {string} path
     * @param {(page: Page) => Promise<unknown>} exists
     * @param {(narrow: Console) => Promise<void>} [more]
     */
    itFitsTelephone(path, exists, more = async () => undefined) {
      it('the console page does not scroll sideways on a phone in the dark color scheme', async () => {
        const narrow = await openConsole(need(user), { width: 375, height: 700, dark: true });
        try {
          await narrow.goTo(path);
          await exists(narrow.page);
          expect(await fitsWidth(narrow.page)).toBe(true);
          await access.note(narrow.page, 'narrow');
          await more(narrow);
        } finally {
          await narrow.close();
        }
      });
    },
    /** Defines the last test of the journey, which checks the collected violations and errors. */
    itWasClean() {
      it('the console journey has no WCAG 2.2 AA violation and throws no error', () => {
        expect(access.faults).toEqual([]);
        expect(listThrown(need(browser).troubles)).toEqual([]);
      });
    },
  };
}

/** @template T @param {T | undefined} value @returns {T} */
function need(value) {
  if (value === undefined) throw new Error('the stage is set in beforeAll');
  return value;
}
