// @ts-check
import { AxeBuilder } from '@axe-core/playwright';
import { findProgram } from '@rowhouse/local/paths';
import { chromium } from 'playwright-core';

/**
 * One person's browser: this machine's Chromium, without a window. It records the hosts of all requests and
 * every error of a page.
 *
 * @typedef {object} PersonsBrowser
 * @property {import('playwright-core').Page} page
 * @property {import('playwright-core').BrowserContext} context
 * @property {Set<string>} hosts that received requests
 * @property {string[]} troubles errors of scripts and in the console
 * @property {() => Promise<void>} close
 */

/**
 * @param {{ width?: number, height?: number, dark?: boolean }} [options]
 * @returns {Promise<PersonsBrowser>}
 */
export async function openBrowser({ width = 1280, height = 900, dark = false } = {}) {
  const executablePath = findProgram(['chromium', 'chromium-browser', 'google-chrome']);
  if (executablePath === null)
    throw new Error('no Chromium was found on this machine: the browser journey needs one');
  // Chromium rejects its sandbox as root, which runs the tests in many containers.
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  /** @type {Set<string>} */
  const hosts = new Set();
  /** @type {string[]} */
  const troubles = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^(https?|wss?):$/.test(url.protocol)) hosts.add(url.host);
  });
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()} (${message.location().url})`);
  });
  return { page, context, hosts, troubles, close: () => browser.close() };
}

/**
 * Returns the violations of WCAG 2.2 AA that axe finds on the current page, one line per rule.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export async function findAccessFaults(page) {
  // axe would measure an element that is partly covered by the top bar as too small.
  await page.evaluate(() => window.scrollTo(0, 0));
  // The completion list keeps the focus in the editor and is navigated with the arrow keys. axe allows this
  // for the list of a combobox, but does not recognize the editor as one.
  const { violations } = await new AxeBuilder({ page })
    .exclude('.cm-tooltip-autocomplete')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return violations.map(
    (violation) =>
      `${violation.id}: ${violation.help} (${violation.nodes
        .slice(0, 3)
        .map(
          (node) =>
            `${node.target.join(' ')}: ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? ''}`,
        )
        .join('; ')})`,
  );
}
