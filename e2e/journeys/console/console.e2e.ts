import type { Page } from 'playwright-core';
import mysql from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findAccessFaults, openBrowser, type PersonsBrowser } from '../../support/console/browser.mjs';
import { signUp, uniqueEmail } from '../../support/control.mjs';
import { openApi, type Api } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { openHttpClient } from '../../mcp/open-client.mjs';
import { waitFor } from '../../support/wait.mjs';

/** The first steps of a new user, in order. Each step depends on the previous one. */
describe('the console in a browser', () => {
  const product = readProduct();
  const email = uniqueEmail('browser');
  const password = 'a password to keep';
  let browser: PersonsBrowser;
  let page: Page;
  let key: string;
  let api: Api;
  let hasFailed = false;

  beforeAll(async () => {
    browser = await openBrowser();
    page = browser.page;
    page.setDefaultTimeout(20_000);
  });
  afterAll(() => browser?.close());
  beforeEach((ctx) => {
    if (hasFailed) ctx.skip('a step before this one failed');
  });
  afterEach((ctx) => {
    hasFailed ||= ctx.task.result?.state === 'fail';
  });

  const goTo = (consolePage: string): Promise<void> =>
    page
      .getByRole('navigation', { name: 'Project' })
      .getByRole('link', { name: consolePage, exact: true })
      .click();
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  /**
   * Violations are collected during the journey and checked in its last test, so that one violation does not
   * end the journey.
   */
  const accessFaults: string[] = [];
  const noteAccess = async (screen: string, of = page): Promise<void> => {
    for (const fault of await findAccessFaults(of)) accessFaults.push(`${screen}: ${fault}`);
  };

  it('a sign-up in at most four clicks shows a key, a curl command and its rows on one page', async () => {
    let clicks = 0;
    await page.goto(product.control);
    await page.getByRole('link', { name: 'Create an account' }).click();
    clicks += 1;
    await noteAccess('sign-up');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel(/^Password/).fill(password);
    await button('Create account').click();
    clicks += 1;
    const secret = page.getByLabel('API key', { exact: true });
    await secret.waitFor();
    key = (await secret.textContent()) ?? '';
    expect(key).toMatch(/^rh_dev_/);
    const curl = (await page.getByLabel('curl example', { exact: true }).textContent()) ?? '';
    expect(curl).toContain(key);
    expect(curl).toContain(`${product.gateways[0]}/v1/-/`);
    await button('Run').click();
    clicks += 1;
    const answer = page.getByRole('status', { name: 'Response' });
    await answer.getByText('200').first().waitFor();
    expect(clicks).toBeLessThanOrEqual(4);
    await answer
      .getByText(/"title": "|"name": "|"username": "/)
      .first()
      .waitFor();
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
      'no sideways scrolling',
    ).toBe(true);
    await noteAccess('first page');
    api = openApi(product.gateways[0], key);
    expect((await api.get('/posts')).status).toBe(200);
  });

  it('the console copies the API key to the clipboard', async () => {
    await button('Copy API key').first().click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  });

  it('a column added in the console is available to the next API request', async () => {
    await goTo('Schema');
    await page.getByRole('tab', { name: 'SQL' }).click();
    const editor = page.getByRole('textbox', { name: 'Schema statements' });
    await editor.click();
    await page.keyboard.insertText('ALTER TABLE posts ADD COLUMN subtitle varchar(100)');
    await button('Review changes').click();
    const deploy = button('Deploy to development');
    await deploy.waitFor();
    await noteAccess('schema with a plan');
    await deploy.click();
    await page
      .getByRole('status', { name: 'Migration state of development' })
      .getByText(/published/i)
      .waitFor();
    await noteAccess('schema after the deploy');
    const user = await api.post('/users', { username: 'ann', email: 'ann@example.test' });
    const post = await api.post('/posts', {
      title: 'x',
      content: 'x',
      user_id: user.json.id,
      subtitle: 'from the console',
    });
    expect(post.status, post.text).toBe(201);
    expect(post.json.subtitle).toBe('from the console');
  });

  it('the console explains invalid SQL and keeps the text', async () => {
    await page.getByRole('tab', { name: 'SQL' }).click();
    const editor = page.getByRole('textbox', { name: 'Schema statements' });
    await editor.click();
    await page.keyboard.insertText('ALTER TABEL posts ADD COLUMN x int');
    await button('Review changes').click();
    await page.getByText('Couldn’t save the draft').waitFor();
    await page.keyboard.press('Escape');
    expect(await editor.textContent()).toContain('ALTER TABEL');
    await noteAccess('schema with an error');
  });

  it('the console creates and copies a connection string that works until it is revoked', async () => {
    await page.getByRole('link', { name: 'Connect', exact: true }).first().click();
    await page.getByRole('tab', { name: 'Connection string' }).click();
    await page
      .getByRole('table', { name: 'Direct connection limits' })
      .getByText('CREATE DATABASE')
      .waitFor();
    await page.getByRole('rowheader', { name: 'drizzle-kit' }).waitFor();
    await page.getByLabel('Name').fill('my laptop');
    await button('Create connection string').click();
    await button('Copy connection string').click();
    const uri = await page.evaluate(() => navigator.clipboard.readText());
    expect(uri).toMatch(/^mysql:\/\//);
    await button('Test the connection').click();
    await page.getByRole('status', { name: 'Connection test' }).getByText('Signed in').waitFor();
    expect(await page.getByRole('status', { name: 'Connection test' }).textContent()).toContain(
      `Connected to ${new URL(uri).host} in `,
    );
    await noteAccess('connection string');
    const connection = await mysql.createConnection(uri);
    connection.on('error', () => undefined);
    const [rows] = await connection.query('SELECT subtitle FROM posts WHERE subtitle IS NOT NULL');
    expect(rows).toEqual([{ subtitle: 'from the console' }]);
    await button('Rotate my laptop').click();
    await page
      .getByRole('dialog')
      .getByLabel('Keep the old password working for')
      .selectOption({ label: '1 hour' });
    await noteAccess('rotate a connection');
    await button('Rotate password').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('cell').filter({ hasText: 'expires in' }).waitFor();
    await button('Copy connection string').click();
    const rotated = await page.evaluate(() => navigator.clipboard.readText());
    expect(rotated).not.toBe(uri);
    for (const item of [uri, rotated]) {
      const again = await mysql.createConnection(item);
      await again.end();
    }
    await button('Test my laptop').click();
    const dialog = page.getByRole('dialog');
    const tried = dialog.getByRole('status', { name: 'Connection test' });
    for (const [password, word] of [
      [uri, 'Signed in'],
      ['guessed', 'Rejected'],
    ] as const) {
      await dialog.getByLabel('Password or connection string').fill(password);
      await dialog.getByRole('button', { name: 'Test the connection' }).click();
      await tried.getByText(word, { exact: true }).waitFor();
    }
    await noteAccess('test of a connection');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button('Revoke my laptop').click();
    await button('Revoke connection').click();
    await page.getByText('No connection strings yet').waitFor();
    await waitFor('the session is ended', () =>
      connection.query('SELECT 1').then(
        () => false,
        () => true,
      ),
    );
    connection.destroy();
  });

  it('an MCP client connects with the configuration that the console shows', async () => {
    await page.getByRole('link', { name: 'Connect', exact: true }).first().click();
    await page.getByRole('tab', { name: 'MCP' }).click();
    expect(await page.getByRole('group', { name: 'MCP URL', exact: true }).textContent()).toBe(
      `${product.gateways[0]}/mcp`,
    );
    await button('Test the connection').click();
    await page
      .getByRole('status', { name: 'Connection test' })
      .getByText('Connected', { exact: true })
      .waitFor();
    expect(await page.getByRole('status', { name: 'Connection test' }).textContent()).toContain(
      'query_database',
    );
    await page.getByRole('tab', { name: 'Cursor' }).click();
    await button('Copy Cursor configuration').click();
    const { url, headers } = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())).mcpServers
      .rowhouse;
    await noteAccess('MCP');
    const client = await openHttpClient(url, String(headers.Authorization).replace('Bearer ', ''));
    expect(
      (await client.call('get_schema')).reported.tables.map((table: { name: string }) => table.name),
    ).toContain('posts');
    await client.close();
  });

  it('the console creates and revokes an API key', async () => {
    await goTo('API keys');
    await button('New key').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('for a while');
    await noteAccess('new key');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = (await dialog.getByLabel('API key', { exact: true }).textContent()) ?? '';
    await noteAccess('key created');
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect((await openApi(product.gateways[1], secret).get('/posts')).status).toBe(200);
    await button('Rotate for a while').click();
    await noteAccess('rotate a key');
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    await dialog.getByText('still works and expires').waitFor();
    const rotated = (await dialog.getByLabel('API key', { exact: true }).textContent()) ?? '';
    await noteAccess('key rotated');
    await dialog.getByRole('button', { name: 'Done' }).click();
    for (const item of [secret, rotated])
      expect((await openApi(product.gateways[1], item).get('/posts')).status).toBe(200);
    await page.getByText('replaced, still works').waitFor();
    await button('Revoke the replaced for a while').click();
    await button('Revoke key').click();
    await page.getByText('replaced, still works').waitFor({ state: 'detached' });
    await waitFor(
      'the key before is refused',
      async () => (await openApi(product.gateways[0], secret).get('/posts')).status === 401,
    );
    expect((await openApi(product.gateways[0], rotated).get('/posts')).status).toBe(200);
    await button('Revoke for a while').click();
    await noteAccess('revoke key');
    await button('Revoke key').click();
    await page.getByRole('rowheader', { name: 'for a while' }).waitFor({ state: 'detached' });
    for (const base of product.gateways)
      await waitFor(
        'the key is refused',
        async () => (await openApi(base, rotated).get('/posts')).status === 401,
      );
    await noteAccess('keys');
  });

  it('questions understand a synonym that was added in the console', async () => {
    await goTo('Query');
    await goTo('Synonyms');
    await page.getByLabel('When people say').fill('scribbles');
    await page.getByLabel('They mean').selectOption('posts');
    await button('Add synonym').click();
    await page.getByRole('rowheader', { name: 'scribbles' }).waitFor();
    await noteAccess('synonyms');
    await waitFor(
      'the word is understood',
      async () => (await api.query('how many scribbles are there')).status === 200,
    );
    await button('Remove scribbles').click();
    await page.getByText('No synonyms yet').waitFor();
    await waitFor(
      'the word is forgotten',
      async () => (await api.query('how many scribbles are there')).status === 422,
    );
  });

  it('the console shows the API reference and the docs, which send no request to another host', async () => {
    await goTo('Connect');
    await goTo('API reference');
    await page
      .getByRole('navigation', { name: 'Tables' })
      .getByRole('link', { name: 'posts', exact: true })
      .click();
    await page
      .getByRole('region', { name: 'Fields of posts' })
      .or(page.getByRole('table', { name: 'Fields of posts' }))
      .first()
      .getByText('subtitle')
      .waitFor();
    await noteAccess('API');
    const href = (await page.getByRole('link', { name: 'Interactive docs' }).getAttribute('href')) ?? '';
    const docs = await openBrowser();
    try {
      await docs.page.goto(href);
      await docs.page.getByRole('navigation').getByRole('link', { name: 'posts', exact: true }).click();
      await docs.page.getByText('/posts/{id}').first().waitFor();
      expect([...docs.hosts]).toEqual([new URL(product.gateways[0]).host]);
      expect(docs.troubles).toEqual([]);
    } finally {
      await docs.close();
    }
  });

  it('every other console page opens, also in a narrow window and the dark color scheme', async () => {
    for (const consolePage of ['Overview', 'Schema', 'Migrations', 'Settings']) {
      await goTo(consolePage);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await waitFor(
        `${consolePage} has loaded`,
        async () => (await page.locator('[aria-busy="true"]').count()) === 0,
      );
      await noteAccess(consolePage);
    }
    const { url } = { url: page.url() };
    const dark = await openBrowser({ width: 375, height: 700, dark: true });
    try {
      await dark.context.addCookies(await browser.context.cookies());
      for (const page of ['', '/keys', '/schema', '/connect', '/synonyms']) {
        await dark.page.goto(`${url.replace(/\/settings$/, '')}${page}`);
        await dark.page.getByRole('heading', { level: 1 }).waitFor();
        await noteAccess(`dark and narrow ${page}`, dark.page);
        expect(
          await dark.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
          `no sideways scrolling in ${page}`,
        ).toBe(true);
      }
    } finally {
      await dark.close();
    }
  });

  it('the console creates a project from SQL, and rejected SQL can be corrected', async () => {
    const own = page.url();
    const create = async (name: string, sql: string): Promise<void> => {
      await page.goto(`${product.control}/projects?create=true`);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByText('Your SQL', { exact: true }).click();
      await dialog.getByRole('textbox', { name: 'SQL', exact: true }).fill(sql);
      await noteAccess('a project of one’s own SQL');
      await dialog.getByRole('button', { name: 'Create project' }).click();
      await page.waitForURL(/\/projects\/prj_/, { timeout: 60_000 });
    };
    await create(
      'Own tables',
      'CREATE TABLE books (id int AUTO_INCREMENT PRIMARY KEY, title varchar(80) NOT NULL)',
    );
    await page
      .getByRole('table', { name: 'Endpoints' })
      .getByText('/v1/-/books')
      .waitFor({ timeout: 60_000 });
    await create('Own faults', 'CREATE TABEL books (id int)');
    await page
      .getByRole('status')
      .getByText(/its tables couldn’t be created/)
      .waitFor();
    await waitFor(
      'the text can be edited',
      async () =>
        (await page.getByRole('textbox', { name: 'Schema statements' }).textContent())?.includes(
          'CREATE TABEL',
        ) === true,
    );
    await page.goto(own);
  });

  it('the console creates a project from a share link and explains an expired link', async () => {
    const rows = await signUp(product.control, { project: 'Shared house' });
    const created = await rows.control.call('POST', `/api/projects/${rows.projectId}/share`, {});
    expect(created.status, created.text).toBe(201);
    const own = page.url();
    await page.goto(created.json.url);
    await page.getByRole('heading', { level: 1, name: 'Shared house' }).waitFor();
    await page.getByLabel('the schema', { exact: true }).getByText('comments').first().waitFor();
    await noteAccess('share link');
    await page.getByLabel('Name').fill('My own copy');
    await button('Create project').click();
    await page.waitForURL(/\/projects\/prj_/);
    await page.getByText('My own copy').first().waitFor();
    expect(
      (await rows.control.call('DELETE', `/api/projects/${rows.projectId}/shares/${created.json.id}`)).status,
    ).toBe(204);
    await page.goto(created.json.url);
    await page.getByText('This link doesn’t work').waitFor();
    await page.goto(own);
  });

  it('a user signs out and in by keyboard alone', async () => {
    await browser.context.clearCookies();
    await page.goto(`${product.control}/login`);
    await page.getByLabel('Email').waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/projects/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await noteAccess('projects');
  });

  it('the console has no violation of WCAG 2.2 AA on any page of the journey', () => {
    expect(accessFaults).toEqual([]);
  });

  it('the console sends no request to another host and throws no error', () => {
    const own = [product.control, ...product.gateways].map((base) => new URL(base).host);
    expect([...browser.hosts].filter((host) => !own.includes(host))).toEqual([]);
    // The browser logs intentionally rejected calls (invalid SQL, no session yet) as failed requests.
    expect(browser.troubles.filter((trouble) => !/Failed to load resource/.test(trouble))).toEqual([]);
  });
});
