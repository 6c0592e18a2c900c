import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBlog } from '../../support/schemas/blog.mjs';
import { openBrowser, type PersonsBrowser } from '../../support/console/browser.mjs';
import { deploy, signUp, type TestUser } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

/** A table comment of a hostile tenant that tries to run in the reader's browser. */
const HOSTILE =
  '<img src="http://evil.example/a.png" onerror="window.hacked=1"><script>window.hacked=1</script>[x](javascript:window.hacked=1)';

describe('the docs page in a browser', () => {
  const product = readProduct();
  let browser: PersonsBrowser;
  let user: TestUser;

  beforeAll(async () => {
    user = await signUp(product.control);
    await deploy(
      user,
      `CREATE TABLE hostile (id int AUTO_INCREMENT PRIMARY KEY COMMENT '${HOSTILE}', note varchar(20) NULL) COMMENT '${HOSTILE}'`,
    );
    for (const base of product.gateways)
      await waitFor(
        'the table is served',
        async () => (await openApi(base, user.key).get('/hostile')).status === 200,
      );
    await writeBlog(openApi(product.gateways[0], user.key), 'docs');
    browser = await openBrowser();
    browser.page.setDefaultTimeout(20_000);
  });
  afterAll(() => browser?.close());

  const docsUrl = (base: string): string => `${base}/v1/-/docs/${user.development.docs_slug}`;

  /** Opens a call, sends the suggested request, and returns the displayed response. */
  async function tryIt(
    tag: string,
    operationId: string,
    fill?: (operation: Locator) => Promise<void>,
  ): Promise<{ status: string; body: string }> {
    const { page } = browser;
    const operation = page.locator(`[id="operations-${tag}-${operationId}"]`);
    if (!(await operation.isVisible())) await page.locator(`[id="operations-tag-${tag}"]`).click();
    await operation.locator('.opblock-summary-control').click();
    const execute = operation.getByRole('button', { name: 'Execute' });
    await execute.waitFor();
    await fill?.(operation);
    await execute.click();
    const answer = operation.locator('.live-responses-table tbody tr').first();
    await answer.waitFor();
    return {
      status: (await answer.locator('.response-col_status').innerText()).slice(0, 3),
      body: await answer
        .locator('.highlight-code')
        .first()
        .innerText()
        .catch(() => ''),
    };
  }

  async function authorize(key: string): Promise<void> {
    const { page } = browser;
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const first = page.locator('.auth-container').first();
    await first.locator('input').fill(key);
    await first.locator('button.authorize').click();
    await first.getByText('Authorized', { exact: true }).waitFor();
    await page.locator('.close-modal').click();
  }

  it('the docs page sends requests with the entered key, and none to another host', async () => {
    for (const base of product.gateways) {
      await browser.page.goto(docsUrl(base));
      await browser.page.locator('#operations-tag-posts').waitFor();
      await authorize(user.key);
      const list = await tryIt('posts', 'listPosts');
      expect([list.status, list.body]).toEqual(['200', expect.stringContaining('First docs')]);
    }
    const created = await tryIt('tags', 'createTag');
    expect([created.status, created.body]).toEqual(['201', expect.stringContaining('"name": "name"')]);
    const item = await tryIt('tags', 'getTag', (operation) =>
      operation.locator('tr[data-param-name="id"] input').fill('1'),
    );
    expect([item.status, item.body]).toEqual(['200', expect.stringContaining('news docs')]);
    expect(await tryIt('Database', 'runQuery')).toMatchObject({
      status: '200',
      body: expect.stringContaining('"one": 1'),
    });
    expect((await tryIt('Database', 'runBatch')).status).toBe('200');
    expect([...browser.hosts].sort()).toEqual(
      [...new Set(product.gateways.map((base) => new URL(base).host))].sort(),
    );
    expect(browser.troubles).toEqual([]);
  });

  it("the docs page does not run scripts in a tenant's table comments", async () => {
    const { page } = browser;
    await page.goto(docsUrl(product.gateways[0]));
    await page.locator('#operations-tag-hostile').click();
    await page.locator('#operations-hostile-listHostile .opblock-summary-control').click();
    await page.locator('#operations-hostile-listHostile').getByRole('button', { name: 'Execute' }).waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect([...browser.hosts].filter((host) => host.includes('evil'))).toEqual([]);
  });

  it('the docs page does not remember the API key when it is opened again', async () => {
    const { page } = browser;
    await page.goto(docsUrl(product.gateways[0]));
    await page.locator('#operations-tag-posts').waitFor();
    expect(
      await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
    ).not.toContain(user.key);
    const noted = browser.troubles.length;
    expect((await tryIt('users', 'listUsers')).status).toBe('401');
    // Browsers log every 401 to the console.
    expect(browser.troubles.slice(noted).every((trouble) => trouble.includes('401'))).toBe(true);
  });
});
