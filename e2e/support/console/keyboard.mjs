// @ts-check
import { waitFor } from '../wait.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */

/** The maximum number of Tab presses. No page has this many focusable elements. */
const STOPS_MAX = 160;

/**
 * Simulates a person who uses only the keyboard. `countPointers` returns the number of pointer events, which
 * must stay 0.
 * @param {Page} page
 */
export async function createKeyboard(page) {
  await page.addInitScript(() => {
    const counted = /** @type {any} */ (window);
    window.addEventListener(
      'pointerdown',
      () => {
        counted.pointersSeen = (counted.pointersSeen ?? 0) + 1;
      },
      true,
    );
  });
  const hasFocus = (/** @type {Locator} */ expected) =>
    expected.evaluate((element) => element === document.activeElement).catch(() => false);

  /** Presses Tab until the element has the focus. @param {Locator} expected */
  async function reach(expected) {
    await expected.waitFor();
    for (let stop = 0; stop < STOPS_MAX; stop += 1) {
      if (await hasFocus(expected)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${String(expected)}`);
  }

  return {
    reach,
    /** @param {Locator} expected */
    async press(expected) {
      await reach(expected);
      await page.keyboard.press('Enter');
    },
    /** Replaces the content of a field by typing. @param {Locator} expected @param {string} text */
    async write(expected, text) {
      await reach(expected);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
    },
    /** Expects that the page itself focuses this element. @param {Locator} expected */
    async expectFocus(expected) {
      await expected.waitFor();
      await waitFor('the focus is there', () => hasFocus(expected));
    },
    /**
     * Navigates by the palette.
     * @param {string} text the text to type
     * @param {string} [option] the option to choose, if it differs
     */
    async goTo(text, option = text) {
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Search pages, tables and actions' });
      await field.waitFor();
      // The field gets the focus shortly after it appears. Earlier keystrokes would go elsewhere.
      await waitFor('the palette has the focus', () => hasFocus(field));
      await page.keyboard.type(text);
      await page.getByRole('option', { selected: true }).getByText(option, { exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
    },
    countPointers: () => page.evaluate(() => /** @type {any} */ (window).pointersSeen ?? 0),
  };
}
