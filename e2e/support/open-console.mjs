// @ts-check
import { findAccessFaults, openBrowser } from './browser.mjs';

/**
 * The console in a browser, signed in as this person.
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

/** Whether the page is as wide as its window: nothing scrolls sideways but what is meant to. @param {import('playwright-core').Page} page */
export function fitsWidth(page) {
  return page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
}

/** Faults that axe finds on the way, to be judged at the end: one of a screen shall not hide the rest of the road. */
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

/** What a page offered as a download. @param {import('playwright-core').Download} download @returns {Promise<Buffer>} */
export async function readDownload(download) {
  /** @type {Buffer[]} */
  const pieces = [];
  for await (const piece of await download.createReadStream()) pieces.push(/** @type {Buffer} */ (piece));
  return Buffer.concat(pieces);
}

/** What a page threw; that the network refused a call is noted by the browser as well, and no fault of the page. @param {string[]} troubles */
export function listThrown(troubles) {
  return troubles.filter((trouble) => !/Failed to load resource/.test(trouble));
}
