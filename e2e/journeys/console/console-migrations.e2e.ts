import mysql from 'mysql2/promise';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessFaults } from '../../support/console/browser.mjs';
import { createConnection, deploy, signUp, type TestUser } from '../../support/control.mjs';
import { openApi, type Api } from '../../support/http.mjs';
import { fillSql } from '../../support/schemas/many-rows.mjs';
import { openConsole, readDownload } from '../../support/console/open-console.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

/**
 * The number of rows of the changed table. The default is enough for an online rebuild;
 * `CONSOLE_ROWS=1000000` gives a million.
 */
const ROWS = Number(process.env['CONSOLE_ROWS'] ?? 20_000);
const NOTE_LENGTH = 60;
/**
 * The time limit for the change. A rebuild pauses two to six times as long as it works, so that requests do
 * not wait for it. With three busy callers, a million rows took 145 s including the checks (`pnpm test:long
 * console-change`).
 */
const PUBLISHED_MS = 100_000 + ROWS * 0.3;
const STEP_MS = PUBLISHED_MS + 60_000;
/** The minimum number of rows at which the page shows the share that is done. */
const ROWS_OF_SHARES = 1_000_000;

describe('changing a large table in the console', () => {
  const product = readProduct();
  const accessFaults: string[] = [];
  let user: TestUser;
  let console: Awaited<ReturnType<typeof openConsole>>;
  let page: Page;
  let api: Api;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const noteAccess = async (screen: string): Promise<void> => {
    for (const fault of await findAccessFaults(page)) accessFaults.push(`${screen}: ${fault}`);
  };

  beforeAll(async () => {
    user = await signUp(product.control, { name: 'watcher', starter: 'empty' });
    await deploy(
      user,
      'CREATE TABLE many (id INT PRIMARY KEY, code VARCHAR(20) NOT NULL UNIQUE, amount DECIMAL(12,2) NOT NULL, note MEDIUMTEXT NULL);',
    );
    const { connection_string: uri } = await createConnection(user, { name: 'filler', role: 'owner' });
    const direct = await mysql.createConnection(uri);
    await direct.query(fillSql(ROWS, NOTE_LENGTH));
    await direct.end();
    console = await openConsole(user);
    page = console.page;
    api = openApi(product.gateways[0], user.key);
  });
  afterAll(() => console?.close());

  it(
    'the console shows the progress of a change to a large table, and no request fails',
    async ({ task }) => {
      Object.assign(task.meta, { engine: product.mysql.engine, version: product.mysql.version });
      await user.control.call('PUT', `/api/projects/${user.projectId}/schema`, {
        mode: 'apply',
        sql: 'ALTER TABLE many MODIFY amount DECIMAL(16,4) NOT NULL;',
      });
      const load = { isOn: true, calls: 0, failures: [] as string[] };
      const callers = Array.from({ length: 3 }, async (_, caller) => {
        for (let iteration = 1; load.isOn; iteration += 1) {
          const response =
            iteration % 2 === 0
              ? await api.get(`/many/${1 + (iteration % ROWS)}`)
              : await api.post('/many', {
                  id: 2_000_000 + caller * 1_000_000 + iteration,
                  code: `n${caller}-${iteration}`,
                  amount: '1.00',
                });
          load.calls += 1;
          if (response.status >= 400) load.failures.push(`${response.status} ${response.text.slice(0, 200)}`);
        }
      });
      try {
        await console.goTo('/schema?view=deploy');
        const plan = page.getByRole('region', { name: 'Plan for development' });
        await plan.getByText('online rebuild').first().waitFor();
        const { states, shares } = await watchMigration(page);
        await plan.getByRole('button', { name: 'Deploy to development' }).click();
        await page
          .getByRole('status', { name: 'Migration state of development' })
          .getByText('published')
          .waitFor({ timeout: PUBLISHED_MS });
        expect(states.size, [...states].join()).toBeGreaterThan(1);
        if (ROWS >= ROWS_OF_SHARES) expect(new Set(shares).size, shares.join()).toBeGreaterThan(5);
      } finally {
        load.isOn = false;
        await Promise.all(callers);
      }
      expect(load.failures).toEqual([]);
      expect(load.calls).toBeGreaterThan(10);
    },
    STEP_MS,
  );

  it('the console history shows the author, duration and rows of a schema change', async () => {
    await console.goTo('');
    await page.getByRole('main').getByRole('link', { name: 'published', exact: true }).click();
    await page.waitForURL(/\/migrations\/mig_/);
    await console.goTo('/migrations');
    const row = page.getByRole('row').filter({ hasText: 'alter many' }).first();
    await row.getByText('watcher').waitFor();
    await row.getByText('published').waitFor();
    await noteAccess('migrations');
    await row.getByRole('link', { name: 'alter many' }).click();
    await page
      .getByRole('list', { name: 'Steps' })
      .getByText('done', { exact: true })
      .first()
      .waitFor({ state: 'attached' });
    await noteAccess('a migration');
    expect(
      (await user.control.call('GET', `/api/databases/${user.development.id}/migrations/export`)).status,
    ).toBe(200);
  });

  it(
    'the console reverts a change of a large table after a preview',
    async () => {
      await button('Revert').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('list', { name: 'Steps' }).waitFor();
      await noteAccess('revert');
      const typed = dialog.getByLabel('Type development to confirm data loss');
      if ((await typed.count()) > 0) await typed.fill('development');
      await dialog.getByRole('button', { name: 'Revert' }).click();
      await page.getByText('Earlier migration').waitFor();
      await page
        .getByRole('status', { name: 'Migration state of development' })
        .getByText('published')
        .waitFor({ timeout: PUBLISHED_MS });
      await waitFor('the first one is undone', async () =>
        (await user.control.call('GET', `/api/databases/${user.development.id}/migrations`)).json.items.some(
          (item: { state: string }) => item.state === 'reverted',
        ),
      );
    },
    STEP_MS,
  );

  it('the API page has live examples that can be filtered, linked and run without an API key', async () => {
    await console.goTo('/api/many');
    await button('Add filter').click();
    await page.getByLabel('Value of filter 1').fill('7');
    await page.waitForURL(/q=/);
    await page.reload();
    await waitFor('the example has the filter', async () =>
      /many\?limit=5&id=7|many\?id=7/.test(
        (await page
          .getByLabel('curl example', { exact: true })
          .textContent()
          .catch(() => '')) ?? '',
      ),
    );
    await button('Run').click();
    await page.getByRole('status', { name: 'Response' }).getByText('"c7"').waitFor();
    await page.getByRole('tab', { name: 'MCP' }).click();
    expect(
      JSON.parse((await page.getByLabel('MCP example', { exact: true }).textContent()) ?? ''),
    ).toMatchObject({ params: { name: 'read_records', arguments: { table: 'many', filter: { id: 7 } } } });
    await noteAccess('API');
    await page.getByRole('button', { name: 'Create a row' }).click();
    await page.waitForURL(/op=create/);
    await page.getByLabel('Body as JSON').fill('{');
    await page.getByText('Invalid JSON').waitFor();
  });

  it('the API page offers the OpenAPI document as JSON and YAML', async () => {
    await console.goTo('/api/many');
    const saveAs = async (form: 'JSON' | 'YAML'): Promise<string> => {
      await button('Download the OpenAPI document').click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: `As ${form}` }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`openapi-development.${form.toLowerCase()}`);
      return (await readDownload(download)).toString();
    };
    const { openapi, paths } = JSON.parse(await saveAs('JSON'));
    const yaml = await saveAs('YAML');
    expect(yaml.split('\n')[0]).toBe(`openapi: "${openapi}"`);
    expect(Object.keys(paths)).toContain('/v1/-/many');
    expect(yaml).toContain('\n  /v1/-/many:\n');
    await page.getByRole('tab', { name: 'curl' }).click();
    const goTo = (consolePage: string): Promise<void> =>
      page
        .getByRole('navigation', { name: 'Project' })
        .getByRole('link', { name: consolePage, exact: true })
        .click();
    const example = async (): Promise<string> =>
      (await page.getByLabel('curl example', { exact: true }).textContent()) ?? '';
    await button('Create key').click();
    await waitFor('the example has the first key', async () => /Bearer rh_dev_/.test(await example()));
    const first = await example();
    await goTo('API keys');
    await button('New key').click();
    await page.getByRole('dialog').getByLabel('Name').fill('another');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await goTo('Connect');
    await goTo('API reference');
    const choice = page.getByLabel('API key for the examples');
    const [, other] = await Promise.all([
      choice.waitFor(),
      choice.locator('option', { hasText: 'console' }).getAttribute('value'),
    ]);
    expect(await example()).not.toContain(String(other));
    await noteAccess('a choice of keys');
    await choice.selectOption(other);
    await waitFor('the example has the first key again', async () =>
      (await example()).includes(String(other)),
    );
    expect(first).toContain(String(other));
  });

  it('the console pages for schema changes comply with WCAG 2.2 AA', () => {
    expect(accessFaults).toEqual([]);
  });
});

/** Records every state and share of progress that the page shows from now on. */
async function watchMigration(page: Page): Promise<{ states: Set<string>; shares: number[] }> {
  const states = new Set<string>();
  const shares: number[] = [];
  await page.exposeFunction('noteState', (text: string) => void states.add(text));
  await page.exposeFunction('noteShare', (share: number) => void shares.push(share));
  await page.evaluate(() => {
    const notes = window as unknown as {
      noteState: (text: string) => void;
      noteShare: (share: number) => void;
    };
    let last: string | null = null;
    const check = (): void => {
      const text = document.querySelector(
        '[role="status"][aria-label="Migration state of development"] strong',
      )?.textContent;
      if (text !== null && text !== undefined) notes.noteState(text);
      const share =
        document
          .querySelector('[role="progressbar"][aria-label="Rows copied"]')
          ?.getAttribute('aria-valuenow') ?? null;
      if (share !== null && share !== last) notes.noteShare(Number(share));
      last = share ?? last;
    };
    new MutationObserver(check).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['aria-valuenow'],
    });
  });
  return { states, shares };
}
