import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driveDataProvider, READINGS } from '../../sample-apps/drive-data-provider.mjs';
import { drivePostsPage } from '../../sample-apps/drive-posts-page.mjs';
import { serveSample } from '../../sample-apps/serve-sample.mjs';
import { writePosts } from '../../sample-apps/write-posts.mjs';
import { openBrowser } from '../../support/console/browser.mjs';
import {
  createKey,
  deploy,
  openProject,
  signUp,
  waitUntilProvisioned,
  type TestUser,
} from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';

/** `pnpm test:long examples` also drives the page of the react-admin example, whose packages are not part of this workspace. */
describe('the examples', () => {
  const product = readProduct();
  const [url] = product.gateways;
  let user: TestUser;

  beforeAll(async () => {
    user = await signUp(product.control, { name: 'samples' });
  });

  it('the react-admin data provider supports all nine methods', async () => {
    await deploy(user, READINGS);
    for (const { what, found, expected } of await driveDataProvider(url, user.key))
      expect({ what, found }).toEqual({ what, found: expected });
  });

  describe('TanStack Query', () => {
    let sample: Awaited<ReturnType<typeof serveSample>>;
    let browser: Awaited<ReturnType<typeof openBrowser>>;

    beforeAll(async () => {
      sample = await serveSample();
      browser = await openBrowser();
    });
    afterAll(async () => {
      sample?.close();
      await browser?.close();
    });

    it('the TanStack Query page lists, edits and deletes records, and shows rejected changes', async () => {
      const blog = await openProject(user, { name: 'Page', starter: 'blog' });
      await waitUntilProvisioned(url, blog);
      const api = openApi(url, blog.key);
      await writePosts(api);
      const { secret } = await createKey(blog, {
        name: 'page',
        scopes: ['read', 'write', 'delete'],
        origins: [sample.origin],
      });
      await sample.build(join(rootDir, 'examples', 'tanstack-query'), {
        VITE_ROWHOUSE_URL: url,
        VITE_ROWHOUSE_KEY: secret,
      });
      for (const { what, found, expected } of await drivePostsPage(browser.page, sample.origin, api))
        expect({ what, found }).toEqual({ what, found: expected });
    });
  });
});
