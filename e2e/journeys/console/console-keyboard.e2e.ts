import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, type PersonsBrowser } from '../../support/console/browser.mjs';
import { uniqueEmail } from '../../support/control.mjs';
import { openApi, type Api } from '../../support/http.mjs';
import { createKeyboard } from '../../support/console/keyboard.mjs';
import { listThrown } from '../../support/console/open-console.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

/**
 * The main tasks in the console without a mouse, in the order of a new user. Each step depends on the
 * previous one.
 */
describe('the console by keyboard alone', () => {
  const product = readProduct();
  let browser: PersonsBrowser;
  let page: Page;
  let keyboard: Awaited<ReturnType<typeof createKeyboard>>;
  let api: Api;
  let hasFailed = false;
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const dialog = () => page.getByRole('dialog');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const settled = () =>
    waitFor('nothing is being read', async () => (await page.locator('[aria-busy="true"]').count()) === 0);

  beforeAll(async () => {
    browser = await openBrowser();
    page = browser.page;
    page.setDefaultTimeout(30_000);
    keyboard = await createKeyboard(page);
  });
  afterAll(() => browser?.close());
  beforeEach((ctx) => {
    if (hasFailed) ctx.skip('a step before this one failed');
  });
  afterEach((ctx) => {
    hasFailed ||= ctx.task.result?.state === 'fail';
  });

  it('a new user signs up and gets the first API response by keyboard alone', async () => {
    await page.goto(product.control);
    await keyboard.press(page.getByRole('link', { name: 'Create an account' }));
    await keyboard.expectFocus(page.getByLabel('Email'));
    await page.keyboard.type(uniqueEmail('keys'));
    await keyboard.write(page.getByRole('textbox', { name: 'Password' }), 'password1');
    await page.keyboard.press('Tab');
    await page.getByText('This password is too common').waitFor();
    await page.keyboard.press('Shift+Tab');
    await keyboard.write(page.getByRole('textbox', { name: 'Password' }), 'a password to keep');
    await page.keyboard.press('Enter');
    const secret = page.getByLabel('API key', { exact: true });
    await secret.waitFor();
    api = openApi(product.gateways[0], (await secret.textContent()) ?? '');
    await keyboard.press(button('Run'));
    await page.getByRole('status', { name: 'Response' }).getByText('200').first().waitFor();
  });

  it('a user adds, edits and deletes a row by keyboard alone', async () => {
    for (const table of ['posts', 'users'])
      for (const { id } of (await api.get(`/${table}`)).json as { id: number }[])
        expect((await api.delete(`/${table}/${id}`)).status).toBe(204);
    await keyboard.goTo('users');
    await heading('users');
    await settled();
    const saved = () => page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
    await keyboard.press(button('Add row').first());
    await keyboard.write(dialog().getByLabel('username', { exact: true }), 'ada');
    await keyboard.write(dialog().getByLabel('email', { exact: true }), 'ada@example.test');
    await keyboard.press(dialog().getByRole('button', { name: 'Add row' }));
    await dialog().waitFor({ state: 'detached' });
    await keyboard.press(button('Save'));
    await saved();
    expect((await api.get('/users')).json).toMatchObject([{ username: 'ada' }]);
    await page.getByRole('gridcell').filter({ hasText: 'ada' }).first().waitFor();
    await settled();
    await keyboard.reach(page.getByRole('grid'));
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('grace');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await saved();
    expect((await api.get('/users')).json).toMatchObject([{ username: 'grace' }]);
    await page.keyboard.press('Control+Delete');
    await page.getByRole('region', { name: 'Changes' }).getByText('1 deleted').waitFor();
    await page.keyboard.press('Control+s');
    await saved();
    expect((await api.get('/users')).json).toEqual([]);
  });

  it('a user changes and deploys the schema by keyboard alone', async () => {
    await keyboard.goTo('Schema');
    await heading('Schema');
    await keyboard.reach(page.getByRole('tab', { selected: true }));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await keyboard.reach(page.getByRole('textbox', { name: 'Schema statements' }));
    await page.keyboard.type('ALTER TABLE posts ADD COLUMN subtitle varchar(100)');
    await page.keyboard.press('Escape');
    await keyboard.press(button('Review changes'));
    await keyboard.press(button('Deploy to development'));
    await page
      .getByRole('status', { name: 'Migration state of development' })
      .getByText(/published/i)
      .waitFor({ timeout: 60_000 });
    await waitFor(
      'the column is live',
      async () => (await api.get('/posts?_select=subtitle')).status === 200,
    );
  });

  it('a user asks a question and corrects its SQL by keyboard alone', async () => {
    await keyboard.goTo('Query');
    await heading('Query');
    const editor = page.getByRole('textbox', { name: 'Query editor' });
    const outcome = page.getByRole('status', { name: 'Outcome' });
    await keyboard.reach(editor);
    await page.keyboard.type('how many posts are there');
    await page.keyboard.press('Control+Enter');
    await outcome.getByText('Question').first().waitFor();
    await keyboard.press(button('Edit SQL'));
    await waitFor(
      'the SQL is in the editor',
      async () => (await editor.textContent())?.includes('COUNT') === true,
    );
    await keyboard.write(editor, 'SELECT COUNT(*) AS many FROM posts');
    await page.keyboard.press('Control+Enter');
    await outcome.getByText('SQL', { exact: true }).first().waitFor();
    await page.getByRole('table', { name: 'Result' }).getByRole('cell', { name: '0', exact: true }).waitFor();
  });

  it('a user invites a teammate by keyboard alone', async () => {
    await keyboard.goTo('Invite a teammate');
    await keyboard.expectFocus(dialog().getByLabel('Email'));
    await page.keyboard.type('cat@example.test');
    await page.keyboard.press('Enter');
    await dialog().getByLabel('invitation link', { exact: true }).waitFor();
    await keyboard.press(dialog().getByRole('button', { name: 'Done' }));
    await page.getByRole('table', { name: 'Open invitations' }).getByText('cat@example.test').waitFor();
  });

  it('a user creates and revokes an API key by keyboard alone, and its requests fail', async () => {
    await keyboard.goTo('Create an API key');
    await keyboard.expectFocus(dialog().getByLabel('Name'));
    await page.keyboard.type('by hand');
    await page.keyboard.press('Enter');
    const secret = dialog().getByLabel('API key', { exact: true });
    await secret.waitFor();
    const key = (await secret.textContent()) ?? '';
    expect((await openApi(product.gateways[0], key).get('/posts')).status).toBe(200);
    await keyboard.press(dialog().getByRole('button', { name: 'Done' }));
    await dialog().waitFor({ state: 'detached' });
    await keyboard.press(button('Revoke by hand'));
    await dialog().waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await keyboard.expectFocus(button('Revoke by hand'));
    await page.keyboard.press('Enter');
    await keyboard.press(dialog().getByRole('button', { name: 'Revoke key' }));
    await page.getByRole('rowheader', { name: 'by hand' }).waitFor({ state: 'detached' });
    for (const base of product.gateways)
      await waitFor(
        'the key is refused',
        async () => (await openApi(base, key).get('/posts')).status === 401,
      );
  });

  it('a user backs up a database and restores it into a new one by keyboard alone', async () => {
    await keyboard.goTo('Backups');
    await page.getByText('No backups yet').waitFor();
    await keyboard.press(button('Back up development').first());
    await page.getByRole('table', { name: 'Backups' }).getByText('ready').waitFor({ timeout: 60_000 });
    await keyboard.press(button('Restore'));
    await keyboard.expectFocus(dialog().getByLabel('New database name'));
    await page.keyboard.type('rescue');
    await page.keyboard.press('Enter');
    await dialog().getByRole('status', { name: 'Restore' }).getByText('ready').waitFor({ timeout: 60_000 });
    await keyboard.press(dialog().getByRole('link', { name: 'Open data' }));
    await page
      .getByRole('navigation', { name: 'Environment' })
      .getByRole('link', { name: 'rescue' })
      .waitFor();
  });

  it('the keyboard journey used no pointer and threw no error', async () => {
    expect(await keyboard.countPointers()).toBe(0);
    expect(listThrown(browser.troubles)).toEqual([]);
  });
});
