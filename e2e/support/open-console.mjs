// @ts-check
import { openBrowser } from './browser.mjs';

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
