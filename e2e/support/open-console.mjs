// @ts-check
import { findAccessFaults, openBrowser } from './browser.mjs';

/**
 * Opens the console in a browser, signed in as this person.
 * @param {import('./control.mjs').Person} person
 * @param {{ width?: number, height?: number, dark?: boolean, environment?: string }} [options]
 */
export async function openConsole(person, { environment = 'development', ...look } = {}) {
  const browser = await openBrowser(look);
  const { base, state } = person.control;
  await browser.context.addCookies(state.cookie.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), url: base };
  }));
  browser.page.setDefaultTimeout(20_000);
  const room = `${base}/projects/${person.projectId}/${environment}`;
  return { ...browser, room, goTo: (/** @type {string} */ path) => browser.page.goto(`${room}${path}`) };
}

/**
 * Returns whether the page fits its window, so that only intended parts scroll sideways.
 * @param {import('playwright-core').Page} page
 */
export function fitsWidth(page) {
  return page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
}

/**
 * Collects the violations that axe finds, to check them at the end. A violation on one page then does not
 * hide the rest of the journey.
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
  const pieces = [];
  for await (const piece of await download.createReadStream()) pieces.push(/** @type {Buffer} */ (piece));
  return Buffer.concat(pieces);
}

/**
 * Lists the errors that a page threw. Leaves out failed requests, which the browser also logs.
 * @param {string[]} troubles
 */
export function listThrown(troubles) {
  return troubles.filter((trouble) => !/Failed to load resource/.test(trouble));
}
