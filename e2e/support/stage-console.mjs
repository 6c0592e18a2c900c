// @ts-check
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signUp } from './control.mjs';
import { openApi } from './http.mjs';
import { createAccessNotes, fitsWidth, listThrown, openConsole } from './open-console.mjs';
import { readProduct } from './product.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {Awaited<ReturnType<typeof openConsole>>} Console */

/**
 * What a journey through the console stands on: a person of its own with the API and a browser of theirs, and notes of what
 * axe finds on the way. Called at the top of a `describe`.
 * @param {Parameters<typeof signUp>[1]} options
 * @param {(stage: { person: import('./control.mjs').Person, api: import('./http.mjs').Api }) => Promise<void>} [furnish] before the browser is opened
 */
export function stageConsole(options, furnish = async () => undefined) {
  const product = readProduct();
  const access = createAccessNotes();
  /** @type {import('./control.mjs').Person | undefined} */
  let person;
  /** @type {import('./http.mjs').Api | undefined} */
  let api;
  /** @type {Console | undefined} */
  let browser;
  beforeAll(async () => {
    person = await signUp(product.control, options);
    api = openApi(product.gateways[0], person.key);
    await furnish({ person, api });
    browser = await openConsole(person);
  });
  afterAll(() => browser?.close());
  return {
    product,
    get person() { return need(person); },
    get api() { return need(api); },
    get browser() { return need(browser); },
    get page() { return need(browser).page; },
    /** By its whole name, or by what fits. @param {string | RegExp} name */
    button: (name) => need(browser).page.getByRole('button', { name, exact: typeof name === 'string' }),
    /** @param {string} where @param {Page} [page] */
    noteAccess: (where, page = need(browser).page) => access.note(page, where),
    /**
     * A test: on a telephone, in the dark, nothing scrolls sideways.
     * @param {string} path @param {(page: Page) => Promise<unknown>} isThere @param {(narrow: Console) => Promise<void>} [more]
     */
    itFitsTelephone(path, isThere, more = async () => undefined) {
      it('fits a telephone, dark too', async () => {
        const narrow = await openConsole(need(person), { width: 375, height: 700, dark: true });
        try {
          await narrow.goTo(path);
          await isThere(narrow.page);
          expect(await fitsWidth(narrow.page)).toBe(true);
          await access.note(narrow.page, 'narrow');
          await more(narrow);
        } finally {
          await narrow.close();
        }
      });
    },
    /** A test, the last: of all that was met on the way. */
    itWasClean() {
      it('has no fault that axe finds, and threw nothing', () => {
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
