// @ts-check
import { findAccessFaults, openBrowser } from './browser.mjs';

/**
 * Opens the console in a browser, signed in as this person.
 * @param {import('../control.mjs').TestUser} user
 * @param {{ width?: number, height?: number, dark?: boolean, environment?: string }} [options]
 */
export async function openConsole(user, { environment = 'development', ...browserOptions } = {}) {
  const browser = await openBrowser(browserOptions);
  const { base, state } = user.control;
  await browser.context.addCookies(
    state.cookie.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('='), url: base };
    }),
  );
  browser.page.setDefaultTimeout(20_000);
  const page = `${base}/projects/${user.projectId}/${environment}`;
  return {
    ...browser,
    environmentPath: page,
    goTo: (/** @type {string} */ path) => browser.page.goto(`${page}${path}`),
  };
}

/**
 * Returns whether the page fits its window, so that only intended parts scroll sideways.
 * @param {import('playwright-core').Page} page
 */
export function fitsWidth(page) {
  return page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
}

/**
 * Collects the violations that axe finds, so that a journey checks them in its last test. A violation on one
 * page then does not end the journey early.
 */
export function createAccessNotes() {
  /** @type {string[]} */
  const faults = [];
  return {
    faults,
    /** @param {import('playwright-core').Page} page @param {string} where */
    async note(page, where) {
      for (const fault of await findAccessFaults(page)) faults.push(`${where}: ${fault}`);
    },
  };
}

/**
 * Returns the content of a download.
 * @param {import('playwright-core').Download} download
 * @returns {Promise<Buffer>}
 */
export async function readDownload(download) {
  /** @type {Buffer[]} */
  const chunks = [];
  for await (const part of await download.createReadStream()) chunks.push(/** @type {Buffer} */ (part));
  return Buffer.concat(chunks);
}

/**
 * Lists the errors that a page threw. Leaves out failed requests, which the browser also logs.
 * @param {string[]} troubles
 */
export function listThrown(troubles) {
  return troubles.filter((trouble) => !/Failed to load resource/.test(trouble));
}
