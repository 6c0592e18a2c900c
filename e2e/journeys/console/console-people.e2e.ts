import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessFaults, openBrowser, type PersonsBrowser } from '../../support/console/browser.mjs';
import { openHttpClient } from '../../mcp/open-client.mjs';
import { signUp, uniqueEmail, type TestUser } from '../../support/control.mjs';
import { signInBrowser } from '../../support/console/seed-demo-house.mjs';
import { openApi } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

/** Uses keys and works with other people, in a browser. */
describe('people in the console', () => {
  const product = readProduct();
  let owner: TestUser;
  let browser: PersonsBrowser;
  let consolePage: string;
  beforeAll(async () => {
    owner = await signUp(product.control, { name: 'Olga', project: 'People' });
    consolePage = `${product.control}/projects/${owner.projectId}/development`;
    browser = await openBrowser();
    browser.page.setDefaultTimeout(20_000);
    await signInBrowser(browser.context, product.control, owner.control);
  });
  afterAll(() => browser?.close());
  const readClipboard = (): Promise<string> => browser.page.evaluate(() => navigator.clipboard.readText());

  it('a new key and a connection string are on the clipboard after two clicks, from any page', async () => {
    const { page } = browser;
    for (const [from, button, form] of [
      ['/schema', 'New API key', /^rh_dev_/],
      ['/team', 'New connection string', /^mysql:\/\//],
    ] as const) {
      await page.goto(`${consolePage}${from}`);
      await page.getByRole('link', { name: 'Connect', exact: true }).first().click();
      await page.getByRole('button', { name: button }).click();
      await waitFor(`${button} is on the clipboard`, async () => form.test(await readClipboard()));
    }
  });

  it('a key created on the Connect page is copied to the clipboard', async () => {
    const { page } = browser;
    await page.goto(`${consolePage}/connect`);
    await page.evaluate(() => navigator.clipboard.writeText('nothing'));
    await page.getByRole('button', { name: 'Create key', exact: true }).click();
    const secret = await page.getByRole('status', { name: 'API key', exact: true }).textContent();
    await waitFor('the key is on the clipboard', async () => (await readClipboard()) === secret);
  });

  it('the overview lists the remaining setup steps and shows that an MCP client has connected', async () => {
    const { page } = browser;
    await page.goto(consolePage);
    await page
      .getByRole('list', { name: 'First steps' })
      .getByRole('link', { name: 'Connect an AI agent (MCP)' })
      .waitFor();
    const agent = await openHttpClient(`${product.gateways[0]}/mcp`, owner.key);
    await agent.call('get_schema');
    await agent.close();
    await waitFor(
      'the step is taken',
      async () => {
        await page.goto(consolePage);
        return (
          await page
            .getByRole('list', { name: 'First steps' })
            .getByRole('listitem')
            .filter({ hasText: 'Connect an AI agent (MCP)' })
            .textContent()
        )?.endsWith(': done');
      },
      { timeoutMs: 30_000, intervalMs: 500 },
    );
  });

  it('the console confirms the revocation of the last invitation although the list disappears', async () => {
    const { page } = browser;
    await page.goto(`${consolePage}/team?invite=true`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill(uniqueEmail('nobody'));
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: /^Revoke the invitation/ }).click();
    await page
      .getByRole('status')
      .getByText(/^Invitation to .* revoked/)
      .waitFor();
    await page.getByRole('table', { name: 'Open invitations' }).waitFor({ state: 'detached' });
  });

  it('an invited viewer sees that the role forbids deploys, and a deploy request fails', async () => {
    const { page } = browser;
    const email = uniqueEmail('vera');
    await page.goto(`${consolePage}/team`);
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByText('viewer', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = (await dialog.getByLabel('invitation link', { exact: true }).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'Open invitations' }).getByText(email).waitFor();
    const guest = await openBrowser();
    try {
      guest.page.setDefaultTimeout(20_000);
      await guest.page.goto(link);
      await guest.page.getByRole('link', { name: 'Create an account' }).click();
      // Wait for the heading, because the previous page with similar fields stays visible until the new
      // page's code has loaded.
      await guest.page.getByRole('heading', { name: 'Create your account' }).waitFor();
      await guest.page.getByLabel('Email').fill(email);
      await guest.page.getByLabel(/^Password/).fill('a password to keep');
      await guest.page.getByRole('button', { name: 'Create account' }).click();
      // Two databases are created and their starter is deployed in the meantime.
      await guest.page.waitForURL(/\/projects\/prj_/, { timeout: 60_000 });
      await guest.page.goto(consolePage);
      await waitFor(
        'the overview waits for nothing that a viewer may not read',
        async () =>
          (await guest.page
            .getByText('Latency (p95)', { exact: true })
            .locator('xpath=following-sibling::dd[1]')
            .textContent()) === '–',
      );
      expect(await guest.page.getByRole('button', { name: 'Create key', exact: true }).count()).toBe(0);
      await guest.page.getByRole('button', { name: 'Run', exact: true }).click();
      await guest.page.getByRole('status', { name: 'Response' }).getByText('200').first().waitFor();
      await guest.page.goto(`${consolePage}/connect?tab=direct`);
      await guest.page
        .getByText('Ask a developer of this project')
        .or(guest.page.getByRole('table', { name: 'Connections' }))
        .first()
        .waitFor();
      expect(await guest.page.getByRole('button', { name: /^(Create|Rotate|Revoke|Test)/ }).count()).toBe(0);
      await guest.page.goto(`${consolePage}/logs`);
      await guest.page.getByText('Your role here is viewer').waitFor();
      const rejected = await guest.page.evaluate(async (projectId) => {
        const { csrf_token: token } = (await (await fetch('/api/me')).json()) as { csrf_token: string };
        const response = await fetch(`/api/projects/${projectId}/deploy`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-csrf-token': token },
          body: JSON.stringify({ sql: 'CREATE TABLE notes (id int)' }),
        });
        return { status: response.status, body: (await response.json()) as { code: string } };
      }, owner.projectId);
      expect(rejected).toMatchObject({ status: 403, body: { code: 'auth.role' } });
    } finally {
      await guest.close();
    }
    await page.reload();
    await page.getByLabel(`Role of ${email}`).selectOption('developer');
    await page.getByRole('status').getByText(`${email} now has the role developer.`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitFor(
      'the role is back',
      async () => (await page.getByLabel(`Role of ${email}`).inputValue()) === 'viewer',
    );
    await page.getByLabel(`Role of ${email}`).selectOption('admin');
    await page.getByRole('status').getByText(`${email} now has the role admin.`).waitFor();
    await page.getByLabel(`Role of ${email}`).selectOption('viewer');
    await page.getByRole('dialog').getByRole('button', { name: 'Make viewer' }).click();
    await page.getByRole('status').getByText(`${email} now has the role viewer.`).waitFor();
  });

  it('the request log keeps its filters in the URL and finds a request by its id', async () => {
    const { page } = browser;
    const api = openApi(product.gateways[0], owner.key);
    const missing = await api.get('/posts/424242');
    const requestId = String(missing.headers['x-request-id']);
    const line = await waitFor(
      'the request is in the log',
      async () =>
        (
          await owner.control.call(
            'GET',
            `/api/databases/${owner.development.id}/requests?request=${requestId}`,
          )
        ).json.items[0],
      { timeoutMs: 30_000 },
    );
    expect(line).toMatchObject({ status: 404, code: 'record.not_found' });
    await page.goto(`${consolePage}/logs?status=4xx&request=${requestId}`);
    await page.getByRole('table', { name: 'Requests' }).getByText('record.not_found').waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('4xx');
    await page.getByLabel('Status').selectOption('2xx');
    await page.getByText('No matching requests').waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('2xx');
  });

  it('the console changes question settings and creates and deletes an environment', async () => {
    const { page } = browser;
    await page.goto(`${consolePage}/settings?tab=questions`);
    await page.getByRole('switch', { name: 'Question history', disabled: false }).uncheck({ force: true });
    await page.getByRole('spinbutton', { name: 'Tokens per day' }).fill('5000');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings for development saved.').waitFor();
    expect(
      (await owner.control.call('GET', `/api/databases/${owner.development.id}`)).json.settings,
    ).toMatchObject({ question_history: false, language_model_tokens_per_day: 5_000 });
    expect(await findAccessFaults(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Project' }).click();
    await page.getByLabel('New environment').fill('staging');
    await page.getByRole('button', { name: 'Create environment' }).click();
    await page
      .getByRole('list', { name: 'Environments of the project' })
      .getByRole('link', { name: 'staging' })
      .waitFor();
    await page.getByRole('button', { name: 'Delete staging' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('staging');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete environment' }).click();
    await page
      .getByRole('list', { name: 'Environments of the project' })
      .getByRole('link', { name: 'staging' })
      .waitFor({ state: 'detached' });
  });

  it('browsers may call a database only from the origins that its settings list', async () => {
    const otherServer = createServer((_req, res) =>
      res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>App</title>'),
    );
    await new Promise((resolve) => otherServer.listen(0, '127.0.0.1', () => resolve(undefined)));
    const origin = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`;
    const visitor = await openBrowser();
    try {
      await visitor.page.goto(origin);
      const call = () =>
        visitor.page.evaluate(
          async ([url = '', key = '']) =>
            (await fetch(url, { headers: { Authorization: `Bearer ${key}` } })).status,
          [`${product.gateways[0]}/v1/-/tags`, owner.key],
        );
      const { page } = browser;
      const add = async (text: string) => {
        await page.getByLabel('Origin', { exact: true }).fill(text);
        await page.getByRole('button', { name: 'Add origin' }).click();
      };
      const save = async () => {
        await page.getByRole('button', { name: 'Save settings' }).click();
        await page.getByText('Settings for development saved.').waitFor();
      };
      expect(await call()).toBe(200);
      await page.goto(`${consolePage}/settings?tab=api`);
      await add(`${origin}/path`);
      await page.getByText('Enter an origin like https://app.example.com, without a path.').waitFor();
      await add('https://App.example.com/');
      await page
        .getByRole('list', { name: 'Allowed origins' })
        .getByText('https://app.example.com')
        .waitFor();
      await save();
      await waitFor('a page on another origin is refused', async () => (await call()) === 403);
      await add(origin);
      expect(await findAccessFaults(page)).toEqual([]);
      await save();
      await waitFor('a page on a listed origin is served', async () => (await call()) === 200);
      for (const item of [origin, 'https://app.example.com'])
        await page.getByRole('button', { name: `Remove ${item}` }).click();
      await save();
      expect(
        (await owner.control.call('GET', `/api/databases/${owner.development.id}`)).json.settings
          .allowed_origins,
      ).toBeNull();
    } finally {
      await visitor.close();
      otherServer.close();
    }
  });

  it('an organization without projects can be left, but not by its only owner', async () => {
    const kim = await signUp(product.control, { name: 'Kim', project: 'Loft', starter: 'empty' });
    const { id } = (await owner.control.call('POST', '/api/organizations', { name: 'Choir' })).json as {
      id: string;
    };
    const { token } = (
      await owner.control.call('POST', `/api/organizations/${id}/invitations`, {
        email: kim.email,
        role: 'viewer',
      })
    ).json as { token: string };
    expect((await kim.control.call('POST', '/api/invitations/accept', { token })).status).toBe(200);
    const own = await openBrowser();
    try {
      const { page } = own;
      page.setDefaultTimeout(20_000);
      await signInBrowser(own.context, product.control, kim.control);
      await page.goto(`${product.control}/account`);
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Leave Choir' }).click();
      await dialog.getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('status').getByText('You left Choir.').waitFor();
      await page
        .getByRole('table', { name: 'Organizations' })
        .getByText('Choir')
        .waitFor({ state: 'detached' });
      expect((await owner.control.call('GET', `/api/organizations/${id}/members`)).json.items).toHaveLength(
        1,
      );
      await page.getByRole('button', { name: 'Leave Kim and co' }).click();
      await dialog.getByRole('button', { name: 'Leave' }).click();
      await dialog.getByText('An organization needs at least one owner.').waitFor();
    } finally {
      await own.close();
    }
  });

  it('a project moves to a new organization, and then the old organization and the account are deleted', async () => {
    const lena = await signUp(product.control, { name: 'Lena', project: 'Attic', starter: 'empty' });
    const own = await openBrowser();
    try {
      const { page } = own;
      page.setDefaultTimeout(20_000);
      await signInBrowser(own.context, product.control, lena.control);
      await page.goto(`${product.control}/account`);
      await page.getByLabel('New organization name').fill('Attic and sons');
      await page.getByRole('button', { name: 'Create organization' }).click();
      await page.getByRole('table', { name: 'Organizations' }).getByText('Attic and sons').waitFor();
      expect(await findAccessFaults(page)).toEqual([]);
      await page.goto(`${product.control}/projects/${lena.projectId}/development/settings`);
      await page.getByRole('button', { name: 'Move project' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Move project' }).click();
      await page.getByRole('status').getByText('Attic was moved to Attic and sons.').waitFor();
      expect((await openApi(product.gateways[0], lena.key).get('/health')).status).toBe(200);
      await page.goto(`${product.control}/account`);
      const dialog = page.getByRole('dialog');
      const deleteOrganization = async (name: string): Promise<void> => {
        await page.getByRole('button', { name: `Delete ${name}` }).click();
        await dialog.getByRole('textbox').fill(name);
        await dialog.getByRole('button', { name: 'Delete organization' }).click();
      };
      await deleteOrganization('Lena and co');
      await page
        .getByRole('table', { name: 'Organizations' })
        .getByText('Lena and co')
        .waitFor({ state: 'detached' });
      await deleteOrganization('Attic and sons');
      await dialog.getByText('Attic and sons still has these projects: Attic.').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Delete account' }).click();
      const confirm = dialog.getByRole('button', { name: 'Delete account' });
      await dialog.getByLabel(/to confirm$/).fill(lena.email.toLowerCase());
      expect(await confirm.isDisabled()).toBe(true);
      await dialog.getByLabel('Your password').fill(lena.password);
      await confirm.click();
      await dialog
        .getByText('These organizations would have no owner: Attic and sons, with the projects Attic.')
        .waitFor();
      expect(
        (await lena.control.call('DELETE', `/api/projects/${lena.projectId}`, { confirm: 'Attic' })).status,
      ).toBe(204);
      await confirm.click();
      await page.waitForURL(/\/login/);
      await page.getByText('Your account was deleted.').waitFor();
      await page.getByLabel('Email').fill(lena.email);
      await page.getByLabel(/^Password/).fill(lena.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('The email address or the password is wrong.').waitFor();
    } finally {
      await own.close();
    }
  });

  it('a deleted project can be restored', async () => {
    const { page } = browser;
    await page.goto(`${consolePage}/settings`);
    await page.getByRole('button', { name: 'Delete project' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('People');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete project' }).click();
    await page.getByRole('status').getByText('People deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    // The notice disappears once the deletion is undone. Before that, a list may still show the project as it
    // was before.
    await page.getByRole('status').getByText('People deleted').waitFor({ state: 'hidden' });
    expect((await owner.control.call('GET', `/api/projects/${owner.projectId}`)).status).toBe(200);
    await page.getByRole('main').getByText('People').first().waitFor();
  });
});
