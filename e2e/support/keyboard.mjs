// @ts-check
import { waitFor } from './wait.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** So many stops no screen has. */
const STOPS_MAX = 160;

/** A person without a mouse. What they use of it would be noted: `countPointers` has to stay 0. @param {Page} page */
export async function createKeyboard(page) {
  await page.addInitScript(() => {
    const counted = /** @type {any} */ (window);
    window.addEventListener('pointerdown', () => { counted.pointersSeen = (counted.pointersSeen ?? 0) + 1; }, true);
  });
  const hasFocus = (/** @type {Locator} */ wanted) => wanted.evaluate((element) => element === document.activeElement).catch(() => false);

  /** Moves on by Tab until the focus is there. @param {Locator} wanted */
  async function reach(wanted) {
    await wanted.waitFor();
    for (let stop = 0; stop < STOPS_MAX; stop += 1) {
      if (await hasFocus(wanted)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${String(wanted)}`);
  }

  return {
    reach,
    /** @param {Locator} wanted */
    async press(wanted) {
      await reach(wanted);
      await page.keyboard.press('Enter');
    },
    /** Types into a field, over what is in it. @param {Locator} wanted @param {string} text */
    async write(wanted, text) {
      await reach(wanted);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
    },
    /** Where the screen itself puts the focus. @param {Locator} wanted */
    async expectFocus(wanted) {
      await wanted.waitFor();
      await waitFor('the focus is there', () => hasFocus(wanted));
    },
    /** By the palette. @param {string} text what is typed @param {string} [option] what is chosen, where that is another */
    async goTo(text, option = text) {
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Search pages, tables and actions' });
      await field.waitFor();
      // It is given the focus a moment after it is there; what is typed before goes elsewhere.
      await waitFor('the palette has the focus', () => hasFocus(field));
      await page.keyboard.type(text);
      await page.getByRole('option', { selected: true }).getByText(option, { exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
    },
    countPointers: () => page.evaluate(() => /** @type {any} */ (window).pointersSeen ?? 0),
  };
}
