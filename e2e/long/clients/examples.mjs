// @ts-check
/**
 * Installs the programs of `examples` with npm, as a reader would, and compiles them. Then it calls each
 * method of the data provider, and uses both pages in a browser.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { rootDir } from '@rowhouse/local/paths';
import { driveDataProvider, READINGS } from '../../sample-apps/drive-data-provider.mjs';
import { drivePostsPage } from '../../sample-apps/drive-posts-page.mjs';
import { driveReactAdmin } from '../../sample-apps/drive-react-admin.mjs';
import { serveSample } from '../../sample-apps/serve-sample.mjs';
import { writePosts } from '../../sample-apps/write-posts.mjs';
import { openBrowser } from '../../support/console/browser.mjs';
import { createKey, deploy, openProject, signUp, waitUntilProvisioned } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { runSuite } from '../lib/run-suite.mjs';

const execute = promisify(execFile);

/**
 * Installs a sample with npm in its own folder.
 * @param {string} name
 * @returns {Promise<string>} the folder
 */
async function install(name) {
  const folder = mkdtempSync(join(tmpdir(), `rowhouse-${name}-`));
  cpSync(join(rootDir, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  await execute('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    timeout: 600_000,
    maxBuffer: 16 * 1024 * 1024,
  });
  return folder;
}

/**
 * Returns the output of the compiler, or an empty string without errors.
 * @param {string} folder
 * @returns {Promise<string>}
 */
const compile = (folder) =>
  execute(join(folder, 'node_modules', '.bin', 'tsc'), [], { cwd: folder }).then(
    () => '',
    (/** @type {any} */ err) => String(err.stdout || err),
  );

/**
 * Builds a sample and uses its page.
 * @param {string} folder
 * @param {import('../../support/control.mjs').TestUser} user
 * @param {string} url
 * @param {(page: import('playwright-core').Page, origin: string, api: import('../../support/http.mjs').Api) => Promise<import('../../sample-apps/drive-data-provider.mjs').Check[]>} drive
 */
async function drivePage(folder, user, url, drive) {
  const blog = await openProject(user, { name: 'Page', starter: 'blog' });
  await waitUntilProvisioned(url, blog);
  const api = openApi(url, blog.key);
  await writePosts(api);
  const sample = await serveSample();
  const browser = await openBrowser();
  try {
    browser.page.setDefaultTimeout(60_000);
    const { secret } = await createKey(blog, {
      name: 'page',
      scopes: ['read', 'write', 'delete'],
      origins: [sample.origin],
    });
    await sample.build(folder, { VITE_ROWHOUSE_URL: url, VITE_ROWHOUSE_KEY: secret });
    const checks = await drive(browser.page, sample.origin, api);
    const hosts = [...browser.hosts].filter(
      (host) => ![new URL(url).host, new URL(sample.origin).host].includes(host),
    );
    return [...checks, { what: 'the page sends no request to another host', found: hosts, expected: [] }];
  } finally {
    await browser.close();
    sample.close();
  }
}

await runSuite(() =>
  withProduct({ gateways: 1 }, async (product) => {
    const [url = ''] = product.gateways;
    const user = await signUp(product.control, { name: 'samples' });
    await deploy(user, READINGS);
    const parts = [{ part: 'data provider', checks: await driveDataProvider(url, user.key) }];
    for (const [name, drive] of /** @type {const} */ ([
      ['react-admin', driveReactAdmin],
      ['tanstack-query', drivePostsPage],
    ])) {
      const folder = await install(name);
      const faults = { what: 'the program compiles', found: await compile(folder), expected: '' };
      parts.push({ part: name, checks: [faults, ...(await drivePage(folder, user, url, drive))] });
      rmSync(folder, { recursive: true, force: true });
    }
    return {
      suite: 'examples',
      title: 'The examples, installed, compiled and used',
      command: 'pnpm test:long examples',
      seed: null,
      engines: { [product.mysql.engine]: product.mysql.version },
      skips: [],
      claims: parts.flatMap(({ part, checks }) =>
        checks.map(({ what, found, expected }) => ({
          claim: `${part}: ${what}`,
          holds: isDeepStrictEqual(found, expected),
          found: JSON.stringify(found),
        })),
      ),
      figures: { checks: Object.fromEntries(parts.map(({ part, checks }) => [part, checks.length])) },
    };
  }),
);
