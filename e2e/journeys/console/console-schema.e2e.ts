import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessFaults } from '../../support/console/browser.mjs';
import { createConnection, signUp, type TestUser } from '../../support/control.mjs';
import mysql from 'mysql2/promise';
import { openApi, type Api } from '../../support/http.mjs';
import { fitsWidth, openConsole } from '../../support/console/open-console.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

type Console = Awaited<ReturnType<typeof openConsole>>;

describe('the schema page', () => {
  const product = readProduct();
  const accessFaults: string[] = [];
  let user: TestUser;
  let console: Console;
  let page: Page;
  let api: Api;

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const noteAccess = async (screen: string, of = page): Promise<void> => {
    for (const fault of await findAccessFaults(of)) accessFaults.push(`${screen}: ${fault}`);
  };
  const draftState = (text: string | RegExp) =>
    page.getByRole('status', { name: 'Draft state' }).getByText(text).waitFor();
  const readDraft = async () =>
    (await user.control.call('GET', `/api/projects/${user.projectId}/schema`)).json as {
      revision: number;
      sql: string;
    };

  beforeAll(async () => {
    user = await signUp(product.control, { name: 'drafter' });
    console = await openConsole(user);
    page = console.page;
    api = openApi(product.gateways[0], user.key);
  });
  afterAll(() => console?.close());

  it('the schema page lists tables, finds one by a column and shows its relationships', async () => {
    await console.goTo('/schema');
    await draftState('No pending changes');
    await page.getByRole('searchbox', { name: 'Find a table' }).fill('post_id');
    const list = page.getByRole('navigation', { name: 'Tables of the draft' });
    await waitFor(
      'only tables with that column are left',
      async () => (await list.getByRole('button').allTextContents()).join(' ') === 'comments5 post_tags2',
    );
    await list.getByRole('button', { name: /^comments/ }).click();
    await page.waitForURL(/table=comments/);
    const relations = page.getByRole('list', { name: 'Relations of comments' });
    await relations.getByRole('link', { name: 'posts' }).click();
    await page.getByRole('list', { name: 'Relations of posts' }).getByText('referenced by').first().waitFor();
    await noteAccess('a table');
  });

  it('the table editor previews its SQL and impact, and a reload loses nothing', async () => {
    await button('Edit table').click();
    await page.getByLabel('Name of title').fill('headline');
    await button('Add column').click();
    await page.getByLabel('Name of new column').fill('views');
    await page.getByLabel('Type of views').fill('int unsigned');
    await page.getByLabel('Default of views').fill('0');
    await page.getByLabel('views is nullable').uncheck();
    await button('Add check').click();
    await page.getByLabel('Expression of check 1').fill('views >= 0');
    const sql = page.getByLabel('SQL of this change', { exact: true });
    await waitFor('the SQL is there', async () =>
      /RENAME COLUMN `title` TO `headline`[\s\S]*ADD COLUMN `views` int unsigned NOT NULL DEFAULT '0'[\s\S]*CHECK \(views >= 0\)/.test(
        (await sql.textContent().catch(() => '')) ?? '',
      ),
    );
    await page.getByRole('list', { name: 'API impact' }).getByText('posts.headline').waitFor();
    await noteAccess('the table editor');
    await page.reload();
    await page.getByText('3 unsaved edits').waitFor();
    expect((await readDraft()).revision).toBe(1);
    await button('Save to draft').click();
    await draftState(/^Draft$/);
    expect((await readDraft()).sql).toContain('`headline`');
    expect((await api.get('/posts?_select=title')).status).toBe(200);
  });

  it('the API page does not show a column that is only in the draft', async () => {
    await console.goTo('/api/posts');
    const fields = page.getByRole('table', { name: 'Fields of posts' });
    await fields.getByText('title').first().waitFor();
    expect(await fields.getByText('headline').count()).toBe(0);
    await console.goTo('');
    await page.getByRole('region', { name: 'Draft' }).getByText('Your draft has changes').waitFor();
    await noteAccess('overview with a draft');
  });

  it('the schema page undoes a draft change after a reload and then redoes it', async () => {
    await console.goTo('/schema');
    await button('Undo').click();
    await draftState('No pending changes');
    await page.reload();
    await button('Redo').click();
    await draftState(/^Draft$/);
    expect((await readDraft()).sql).toContain('`headline`');
    await tab('History');
    await page.getByRole('list', { name: 'Revisions' }).getByText('Revision 1 again').first().waitFor();
    await noteAccess('history');
  });

  it('the schema page resets the draft to the live schema after a preview', async () => {
    await button('Discard draft').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('list', { name: 'Discarded changes' }).getByText('headline').first().waitFor();
    await noteAccess('discard');
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await draftState('No pending changes');
    await button('Redo').click();
    await draftState(/^Draft$/);
  });

  it('the schema page compares the draft, deploys it to development and promotes it', async () => {
    await tab('Deploy');
    await page
      .getByRole('group', { name: 'Difference of CREATE TABLE `posts`' })
      .getByText('added: ')
      .first()
      .waitFor({ state: 'attached' });
    await noteAccess('deploy');
    await button('Deploy to development').click();
    await page
      .getByRole('status', { name: 'Migration state of development' })
      .getByText('published')
      .waitFor();
    await waitFor(
      'the rename is live',
      async () => (await api.get('/posts?_select=headline')).status === 200,
    );
    await button('Promote to production').click();
    const dialog = page.getByRole('dialog', { name: 'Change production?' });
    await dialog.getByRole('list', { name: 'Steps' }).getByText('RENAME COLUMN').first().waitFor();
    await dialog.getByRole('button', { name: /^Deploy \d+ changes? to production$/ }).click();
    await page
      .getByRole('status', { name: 'Migration state of production' })
      .getByText('published')
      .waitFor();
    await draftState('No pending changes');
  });

  it('dropping a column needs typed confirmation, and a note states its retention', async () => {
    await api.post('/users', { username: 'ann', email: 'ann@example.test', bio: 'of interest' });
    await console.goTo('/schema?table=users&edit=table');
    await button('Drop bio').click();
    await page
      .getByRole('note', { name: 'Recoverable for 24 hours' })
      .getByText('kept for 24 hours')
      .waitFor();
    await button('Save to draft').click();
    await tab('Deploy');
    const plan = page.getByRole('region', { name: 'Plan for development' });
    expect(await plan.getByRole('note', { name: 'Data loss' }).count()).toBe(0);
    const run = plan.getByRole('button', { name: 'Deploy to development' });
    expect(await run.isDisabled()).toBe(true);
    await plan.getByLabel('Type development to confirm data loss').fill('development');
    await run.click();
    await page
      .getByRole('status', { name: 'Migration state of development' })
      .getByText('published')
      .waitFor();
  });

  it('dropping a table from the draft shows the other tables, and an undo restores it', async () => {
    await console.goTo('/schema?table=post_tags&edit=table');
    await button('Drop table').click();
    await button('Drop from draft').click();
    await page.waitForURL((url) => !url.search.includes('post_tags'));
    await page.getByText('4 in the draft').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await button('Undo').click();
    await page.getByText('5 in the draft').waitFor();
  });

  it('a schema description becomes proposed SQL, which changes nothing by itself', async () => {
    const { revision } = await readDraft();
    await tab('Describe');
    await page
      .getByRole('textbox', { name: 'What should change' })
      .fill('A table books with title and price');
    await button('Propose SQL').click();
    const proposal = page.getByRole('region', { name: 'Proposal' });
    await proposal.getByText('CREATE TABLE').first().waitFor();
    expect((await readDraft()).revision).toBe(revision);
    await noteAccess('a proposal');
    await proposal.getByRole('button', { name: 'Add to draft' }).click();
    await page.getByRole('region', { name: 'Plan for development' }).getByText('create books').waitFor();
    expect((await readDraft()).revision).toBe(revision + 1);
  });

  it('the schema page offers a rename for a drop and a similar addition', async () => {
    await user.control.call('PUT', `/api/projects/${user.projectId}/schema`, {
      mode: 'apply',
      sql: 'ALTER TABLE tags DROP COLUMN description; ALTER TABLE tags ADD COLUMN summary text;',
    });
    await console.goTo('/schema?view=deploy');
    const plan = page.getByRole('region', { name: 'Plan for development' });
    await plan.getByRole('button', { name: 'Rename and keep data' }).click();
    await waitFor(
      'it is a rename',
      async () =>
        (await plan.getByText('RENAME COLUMN').count()) > 0 &&
        (await plan.getByText('DROP COLUMN').count()) === 0,
    );
  });

  it('the schema page adopts changes from a direct connection into the draft', async () => {
    const { connection_string: uri } = await createConnection(user, { name: 'owner', role: 'owner' });
    const connection = await mysql.createConnection(uri);
    await connection.query('ALTER TABLE comments ADD COLUMN direct_note varchar(20) NULL');
    await connection.end();
    await waitFor(
      'the change is known',
      async () =>
        JSON.stringify(
          (await user.control.call('GET', `/api/projects/${user.projectId}/drift`)).json.databases[0].direct,
        ).includes('comments'),
      { timeoutMs: 40_000 },
    );
    await console.goTo('/schema?view=deploy');
    const drift = page.getByRole('list', { name: 'Drift' });
    await drift.getByRole('button', { name: 'Add to draft' }).first().click();
    await waitFor('the draft has it', async () => (await readDraft()).sql.includes('direct_note'));
  });

  it('the schema page adds a starter, imports a dump with a report and creates a share link', async () => {
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Import a dump' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel('Or paste its text')
      .fill(
        "CREATE TABLE places (id int PRIMARY KEY, name varchar(50));\nINSERT INTO places VALUES (1, 'here');\nGRANT ALL ON *.* TO root;",
      );
    await noteAccess('import');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('Added 1 table with 1 row to the draft.').waitFor();
    await dialog.getByRole('note', { name: 'Not imported' }).getByText('Line 3').waitFor();
    await noteAccess('import report');
    await dialog.getByRole('button', { name: 'Review changes' }).click();
    await button('Share').click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = (await dialog.getByLabel('Share link', { exact: true }).textContent()) ?? '';
    expect(link).toContain('/clone/');
    await noteAccess('share');
    expect((await user.control.call('GET', `/api/clone/${link.split('/').at(-1) ?? ''}`)).status).toBe(200);
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await dialog.getByRole('button', { name: 'Revoke link' }).click();
    await waitFor(
      'the link has ended',
      async () =>
        (await user.control.call('GET', `/api/clone/${link.split('/').at(-1) ?? ''}`)).status === 404,
    );
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('the schema diagram finds and opens a table, moves by arrow keys and exports an image', async () => {
    await console.goTo('/schema?view=diagram');
    const frame = page.getByRole('group', { name: /^Diagram of the draft/ });
    await frame.getByRole('button', { name: /^posts, / }).waitFor();
    await noteAccess('diagram');
    await page.getByLabel('Find a table in the diagram').fill('tags');
    await button('Find').click();
    const zoom = page.getByRole('status', { name: 'Zoom' });
    const before = await zoom.textContent();
    await frame.focus();
    await page.keyboard.press('+');
    await waitFor('it is larger', async () => (await zoom.textContent()) !== before);
    const download = page.waitForEvent('download');
    await button('Export SVG').click();
    const path = await (await download).path();
    const { readFile } = await import('node:fs/promises');
    const picture = await readFile(path, 'utf8');
    expect(picture).toMatch(/^<\?xml[\s\S]*<svg[\s\S]*posts[\s\S]*<\/svg>/);
    expect(picture).not.toContain('var(--');
    await frame.getByRole('button', { name: /^posts, / }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Table posts' }).waitFor();
  });

  it('the schema page does not scroll sideways in a narrow window in the dark color scheme', async () => {
    const narrow = await openConsole(user, { width: 375, height: 740, dark: true });
    try {
      for (const view of ['', '?table=posts&edit=table', '?view=diagram', '?view=sql', '?view=deploy']) {
        await narrow.goTo(`/schema${view}`);
        await narrow.page.getByRole('tablist').waitFor();
        await waitFor(
          'it has loaded',
          async () => (await narrow.page.locator('[aria-busy="true"]').count()) === 0,
        );
        await noteAccess(`dark and narrow ${view}`, narrow.page);
        expect(await fitsWidth(narrow.page), `no sideways scrolling in ${view}`).toBe(true);
      }
    } finally {
      await narrow.close();
    }
  });

  it('the schema pages comply with WCAG 2.2 AA and throw no error', () => {
    expect(accessFaults).toEqual([]);
    expect(console.troubles.filter((trouble) => !/Failed to load resource/.test(trouble))).toEqual([]);
  });
});

describe('a schema of five hundred tables', () => {
  const product = readProduct();

  it('a search for a column among five hundred tables lists only the tables that contain it', async () => {
    const user = await signUp(product.control, { name: 'wide', starter: 'empty' });
    const sql = Array.from(
      { length: 500 },
      (_, index) =>
        `CREATE TABLE t_${index} (id int PRIMARY KEY, name varchar(20)${index % 7 === 0 ? ', odd_one int' : ''});`,
    ).join('\n');
    const put = await user.control.call('PUT', `/api/projects/${user.projectId}/schema`, { sql });
    expect(put.status, put.text).toBe(200);
    const console = await openConsole(user);
    try {
      await console.goTo('/schema');
      const list = console.page.getByRole('navigation', { name: 'Tables of the draft' });
      await list.getByRole('button', { name: /^t_499/ }).waitFor({ state: 'attached' });
      await console.page.getByRole('searchbox', { name: 'Find a table' }).fill('odd_one');
      await waitFor(
        'those with the column are left',
        async () => (await list.getByRole('button').count()) === 72,
      );
    } finally {
      await console.close();
    }
  });
});
