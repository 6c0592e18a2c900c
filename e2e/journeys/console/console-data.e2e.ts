import { describe, expect, it } from 'vitest';
import { createKey, signUp } from '../../support/control.mjs';
import { fillGrid } from '../../support/console/fill-grid.mjs';
import { openApi } from '../../support/http.mjs';
import { openConsole, readDownload } from '../../support/console/open-console.mjs';
import { stageConsole } from '../../support/console/stage-console.mjs';
import { waitFor } from '../../support/wait.mjs';

/** Views, filters, edits, imports and exports the rows of a table in the grid. */
describe('the data grid', () => {
  const stage = stageConsole({ name: 'grid' }, fillGrid);
  const { product, button, noteAccess } = stage;
  const grid = () => stage.page.getByRole('grid');
  const cell = (text: string) => grid().getByRole('gridcell').filter({ hasText: text });
  const saved = () => stage.page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });

  it('the grid shows rows without counting them, and loads more when it is scrolled to the end', async () => {
    const { page } = stage;
    /** The start of each requested page of posts. */
    const pages: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (request.method() === 'GET' && pathname.endsWith('/posts') && searchParams.get('limit') === '100')
        pages.push(searchParams.get('_cursor'));
    });
    await stage.browser.goTo('/data');
    await page
      .getByRole('navigation', { name: 'Tables' })
      .getByRole('link', { name: 'posts', exact: true })
      .click();
    await cell('Post 1').first().waitFor();
    expect(await page.getByText(/about \d+ rows/).count()).toBeLessThanOrEqual(1);
    // The grid truncates long values and shows their length.
    await grid().getByText('2,003 chars').waitFor();
    await button('Get exact count').click();
    await page.getByText('250 rows', { exact: true }).waitFor();
    await noteAccess('grid');
    // The window shows only part of the first page of rows, so no other page was requested.
    expect(pages).toEqual(['']);
    await grid().focus();
    // Each loaded page makes the grid longer, so the test scrolls until the last row is visible.
    await waitFor('Post 250 is read', async () => {
      await page.keyboard.press('Control+End');
      return (await cell('Post 250').count()) > 0;
    });
    await grid().getByText('250 rows', { exact: true }).waitFor();
    expect(pages).toHaveLength(3);
    expect(pages).not.toContain(null);
  });

  it('filters and the sort order are in the URL, so that a link shows the same rows', async () => {
    const { page } = stage;
    await button('Filter').click();
    const form = page.getByRole('form', { name: 'Filter' });
    await form.getByLabel('Column').selectOption('title');
    await form.getByLabel('Condition').selectOption({ label: 'ends with' });
    await form.getByLabel('Value').fill('7');
    await noteAccess('filter form');
    await form.getByRole('button', { name: 'Apply filter' }).click();
    await cell('Post 247').first().waitFor();
    await page.getByTitle('Sort by id').click();
    await page.getByTitle('Sort by id').click();
    await page
      .getByRole('columnheader', { name: /^id/ })
      .and(page.locator('[aria-sort="descending"]'))
      .waitFor();
    await page.getByText('GET /v1/-/posts?title__iendswith=7&sort=-id').waitFor();
    await button('Columns').click();
    await page
      .getByRole('dialog')
      .getByLabel(/^content/)
      .uncheck();
    await noteAccess('columns');
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    const other = await openConsole(stage.person);
    try {
      await other.page.goto(page.url());
      const rows = other.page.getByRole('grid').getByRole('row');
      await rows.nth(1).getByText('Post 247').waitFor();
      expect(await other.page.getByRole('columnheader', { name: /^content/ }).count()).toBe(0);
    } finally {
      await other.close();
    }
    await page.getByRole('button', { name: /^Remove filter/ }).click();
    await cell('Post 250').first().waitFor();
  });

  it('the selected columns are remembered and written to the URL', async () => {
    const { page } = stage;
    await stage.browser.goTo('/data/posts');
    await cell('Post 1').first().waitFor();
    await waitFor('the address tells the columns', async () =>
      new URL(page.url()).searchParams.has('columns'),
    );
    expect(await page.getByRole('columnheader', { name: /^content/ }).count()).toBe(0);
    await page.getByRole('button', { name: /^Columns \d of \d/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('columnheader', { name: /^content/ }).waitFor();
    await waitFor('the address tells none', async () => !new URL(page.url()).searchParams.has('columns'));
  });

  it('a block of grid cells is copied and pasted elsewhere', async () => {
    const { page } = stage;
    await stage.browser.goTo('/data/users');
    await cell('ada').first().click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+c');
    const copied = await waitFor('the block is copied', async () => {
      const text = await page.evaluate(() => navigator.clipboard.readText());
      return text.startsWith('ada\t') ? text : undefined;
    });
    expect(copied.split('\n').map((line) => line.split('\t')[0])).toEqual(['ada', 'grace']);
    await noteAccess('a block of cells');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+v');
    await page.getByRole('region', { name: 'Changes' }).getByText('2 changes').waitFor();
    await button('Discard').click();
    await saved();
    await page.getByRole('status').getByText('2 changes discarded.').waitFor();
    await button('Undo').click();
    await page.getByRole('region', { name: 'Changes' }).getByText('2 changes').waitFor();
    await button('Discard').click();
    await saved();
  });

  it('the grid saves edited, added and deleted rows together', async () => {
    const { page } = stage;
    await stage.browser.goTo('/data/kinds');
    await cell('first').first().dblclick();
    await grid().getByRole('textbox', { name: 'name' }).fill('renamed');
    await page.keyboard.press('Tab');
    await page.getByRole('region', { name: 'Changes' }).getByText('1 change').waitFor();
    await grid().evaluate((element) => element.scrollTo(600, 0));
    await cell('2026-01-31').first().dblclick();
    await grid().locator('input[type="date"]').fill('2026-02-28');
    await noteAccess('date editor');
    await page.keyboard.press('Enter');
    await cell('2026-02-28').first().waitFor();
    await grid().evaluate((element) => element.scrollTo(0, 0));
    await button('Add row').first().click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Add row' }).click();
    await sheet.getByText('name is required.', { exact: true }).waitFor();
    expect(await sheet.getByRole('alert').count()).toBe(1);
    await sheet.getByLabel('name', { exact: true }).and(page.locator(':focus')).waitFor();
    await sheet.getByLabel('name', { exact: true }).fill('brand new');
    await sheet.getByLabel('doc', { exact: true }).fill('{"a": 12345678901234567890}');
    await sheet.getByLabel('size', { exact: true }).selectOption('large');
    await noteAccess('new row');
    await sheet.getByRole('button', { name: 'Add row' }).click();
    await grid().getByLabel('Select row 3').check();
    await button('Delete').click();
    await page.getByRole('region', { name: 'Changes' }).getByText('1 new, 1 edited, 1 deleted').waitFor();
    expect((await stage.api.get('/kinds?name=renamed')).json).toEqual([]);
    await noteAccess('staged');
    await button('Save').click();
    await saved();
    const rows = (await stage.api.get('/kinds?sort=name')).text;
    expect(rows).toContain('"name":"brand new"');
    expect(rows).toContain('12345678901234567890');
    expect(rows).toContain('"name":"renamed"');
    expect(rows).toContain('"day":"2026-02-28"');
    expect(rows).toContain('1234567890123456.5000');
    expect(rows).not.toContain('"name":"last"');
  });

  it('menus of rows and columns sort, filter, move, hide and duplicate by pointer and by keyboard', async () => {
    const { page } = stage;
    const item = (name: string | RegExp) => page.getByRole('menuitem', { name });
    const columnNames = async () => {
      const headers = await page.getByRole('columnheader').allInnerTexts();
      return headers.slice(1).map((text) => text.split('\n')[0]);
    };
    await stage.browser.goTo('/data/users');
    await cell('ada').first().click({ button: 'right' });
    await noteAccess('row menu');
    await item('Filter by this value').click();
    await page.getByRole('button', { name: 'Edit filter username is ada' }).waitFor();
    await page.getByRole('button', { name: /^Remove filter/ }).click();
    await cell('linus').first().click();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu', { name: 'Actions for username' }).waitFor();
    await page.keyboard.press('Escape');
    await grid().and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('menu', { name: 'Menu for username' }).waitFor();
    await noteAccess('column menu');
    await item('Move left').click();
    await waitFor('the column moves', async () => (await columnNames())[0] === 'username');
    await button('Menu for username').click();
    await page.getByRole('menuitemradio', { name: 'Sort descending' }).click();
    await grid().getByRole('row').nth(1).getByText('linus', { exact: true }).waitFor();
    await button('Menu for email').click();
    await item('Hide column').click();
    await waitFor('the column is hidden', async () => !(await columnNames()).includes('email'));
    await button('Menu for username').click();
    await item('Filter by this column…').click();
    expect(await page.getByRole('form', { name: 'Filter' }).getByLabel('Column').inputValue()).toBe(
      'username',
    );
    await page.keyboard.press('Escape');
    await button('Open row 1').click();
    await page.getByRole('dialog').getByLabel('username', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await cell('linus').first().click({ button: 'right' });
    await item('Duplicate row').click();
    const copy = page.getByRole('dialog');
    await copy.getByLabel('username', { exact: true }).fill('linus2');
    expect(await copy.getByLabel('email', { exact: true }).inputValue()).toBe('linus@example.test');
    expect(await copy.getByLabel('id', { exact: true }).inputValue()).toBe('');
    await copy.getByRole('button', { name: 'Add row' }).click();
    await page.getByRole('region', { name: 'Changes' }).getByText('1 new').waitFor();
    await button('Discard').click();
    await saved();
    await button(/^Columns/).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  });

  it('one value is set in all selected rows, with a preview, and saved in one request', async () => {
    const { page } = stage;
    const writes: string[] = [];
    const note = (request: { method: () => string; url: () => string }) => {
      if (request.method() !== 'GET') writes.push(new URL(request.url()).pathname);
    };
    await stage.browser.goTo('/data/users');
    await grid().getByLabel('Select row 1', { exact: true }).check();
    await grid().getByLabel('Select row 3', { exact: true }).check();
    await button('Edit').click();
    const dialog = page.getByRole('dialog', { name: 'Edit 2 rows' });
    await dialog.getByLabel('Column').selectOption('bio');
    await dialog.getByLabel('bio', { exact: true }).fill('same');
    expect(await dialog.getByRole('group', { name: 'Preview' }).getByText('same').count()).toBe(2);
    await noteAccess('bulk edit');
    await dialog.getByRole('button', { name: 'Apply to 2 rows' }).click();
    await page.getByRole('region', { name: 'Changes' }).getByText('2 edited').waitFor();
    page.on('request', note);
    await button('Save').click();
    await saved();
    page.off('request', note);
    // The grid also reads the beginnings of long values with a query.
    expect(writes.filter((path) => path.includes('/v1/') && !path.endsWith('/query'))).toEqual([
      '/v1/-/_batch',
    ]);
    expect((await stage.api.get('/users?bio=same')).json).toHaveLength(2);
  });

  it('the grid keeps valid input when another cell is clicked or the cell is scrolled away', async () => {
    const { page } = stage;
    await stage.browser.goTo('/data/posts');
    const title = (row: number) => grid().getByRole('row').nth(row).getByRole('gridcell').nth(1);
    const field = grid().getByRole('textbox', { name: 'title' });
    await title(1).dblclick();
    await field.fill('pointed away');
    await title(2).click();
    await title(1).getByText('pointed away').waitFor();
    expect(await field.count()).toBe(0);
    await page.keyboard.press('F2');
    await field.fill('scrolled away');
    await grid().evaluate((element) => element.scrollTo(0, 2_000));
    await page.getByRole('region', { name: 'Changes' }).getByText('2 changes').waitFor();
    await grid().evaluate((element) => element.scrollTo(0, 0));
    await title(2).getByText('scrolled away').waitFor();
    const user = grid().getByRole('row').nth(2).getByRole('gridcell').filter({ hasText: /^2$/ }).last();
    await user.dblclick();
    await grid().getByRole('textbox', { name: 'user_id' }).fill('two');
    await title(3).click();
    await grid().getByRole('alert').waitFor();
    await noteAccess('a fault in a cell');
    await page.keyboard.press('Escape');
    await button('Discard').click();
    await saved();
  });

  it('the grid keeps checkboxes and column names in place while it scrolls', async () => {
    const { page } = stage;
    await page.setViewportSize({ width: 800, height: 600 });
    await stage.browser.goTo('/data/posts');
    await cell('Post 1').first().waitFor();
    const lefts = async () => ({
      box: (await grid().getByLabel('Select row 1', { exact: true }).boundingBox())?.x,
      name: (await page.getByRole('columnheader', { name: /^title/ }).boundingBox())?.x,
      cell: (await cell('Post 1').first().boundingBox())?.x,
    });
    const before = await lefts();
    await grid().evaluate((element) => element.scrollTo(40, 1_980));
    await waitFor(
      'the cells have moved',
      async () =>
        (await page.getByRole('columnheader', { name: /^title/ }).boundingBox())?.x ===
        (before.name ?? 0) - 40,
    );
    await grid().evaluate((element) => element.scrollTo(40, 0));
    await cell('Post 1').first().waitFor();
    await waitFor('rows stand in the document in their order when the grid is at rest', async () => {
      const locations = await grid()
        .getByRole('rowgroup')
        .first()
        .getByRole('row')
        .evaluateAll((lines) => lines.map((line) => Number(line.getAttribute('aria-rowindex'))));
      return (
        locations.length > 10 &&
        locations.every((position, index) => position === (locations[0] ?? 0) + index)
      );
    });
    await waitFor(
      'rows that came in stand where the others do',
      async () =>
        JSON.stringify(await lefts()) ===
        JSON.stringify({ box: before.box, name: (before.name ?? 0) - 40, cell: (before.cell ?? 0) - 40 }),
    );
    await grid().focus();
    await page.keyboard.press('Control+Home');
    const width = async () =>
      (await page.getByRole('columnheader', { name: /^id/ }).boundingBox())?.width ?? 0;
    const first = await width();
    await page.keyboard.press('Alt+ArrowRight');
    await waitFor('the column is wider', async () => (await width()) === first + 20);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('the grid editor shows a JSON value in full and reports invalid JSON without a request', async () => {
    const { page } = stage;
    await stage.browser.goTo('/data/kinds?row=1');
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('doc', { exact: true }).waitFor();
    expect(await sheet.getByLabel('note', { exact: true }).inputValue()).toBe('');
    expect(await sheet.getByLabel('doubled', { exact: true }).getAttribute('readonly')).not.toBeNull();
    await sheet.getByLabel('doc', { exact: true }).fill('{"a":');
    await sheet.getByRole('button', { name: 'Apply' }).click();
    await sheet.getByText(/^Not valid JSON/).waitFor();
    await noteAccess('record');
    await sheet.getByLabel('doc', { exact: true }).fill('{"a": 1.50}');
    await sheet.getByLabel('NULL for note').check();
    await sheet.getByRole('button', { name: 'Apply' }).click();
    await button('Save').click();
    await saved();
    const stored = await stage.api.get('/kinds/1');
    expect(stored.text).toContain('"doc":{"a":1.50}');
    expect(stored.json.note).toBeNull();
  });

  it("the grid shows a conflict with another user's change, and either version can be kept", async () => {
    const { page } = stage;
    await stage.browser.goTo('/data/users');
    await cell('grace').first().dblclick();
    await grid().getByRole('textbox', { name: 'username' }).fill('mine');
    await page.keyboard.press('Enter');
    await stage.api.put('/users/2', { bio: 'theirs', username: 'other' });
    await button('Save').click();
    const conflicts = page.getByRole('list', { name: 'Changes that weren’t saved' });
    await conflicts.getByText('Someone else changed this row').waitFor();
    await conflicts.getByText('other').waitFor();
    await noteAccess('conflict');
    expect((await stage.api.get('/users/2')).json.username).toBe('other');
    await conflicts.getByRole('button', { name: 'Keep mine' }).click();
    await button('Save').click();
    await saved();
    expect((await stage.api.get('/users/2')).json).toMatchObject({ username: 'mine', bio: 'theirs' });
    await cell('ada').first().dblclick();
    await grid().getByRole('textbox', { name: 'username' }).fill('mine');
    await page.keyboard.press('Enter');
    await button('Save').click();
    await page
      .getByRole('alert')
      .getByText(/exists/)
      .first()
      .waitFor();
    await button('Discard').click();
    await saved();
  });

  it('the grid follows foreign keys in both directions', async () => {
    const { page } = stage;
    await stage.browser.goTo('/data/posts?row=5');
    const sheet = page.getByRole('dialog');
    await sheet.getByText('mine').waitFor();
    await sheet.getByRole('button', { name: 'Choose a row' }).click();
    await sheet.getByRole('searchbox', { name: 'Search users' }).fill('lin');
    await sheet.getByRole('button', { name: /linus/ }).click();
    expect(await sheet.getByLabel('user_id', { exact: true }).inputValue()).toBe('3');
    await sheet.getByRole('link', { name: 'Open' }).click();
    await waitFor('the user is shown', async () => page.url().includes('/data/users'));
    await cell('linus').first().waitFor();
    await grid().focus();
    await page.keyboard.press('Control+Enter');
    const back = page.getByRole('region', { name: 'Referenced by' });
    await back
      .getByRole('listitem')
      .filter({ hasText: 'posts' })
      .getByRole('button', { name: 'Count' })
      .click();
    await back.getByText('83 rows').waitFor();
    await back.getByRole('link', { name: 'posts' }).click();
    await cell('Post 3').first().waitFor();
  });

  it('the grid imports rows from pasted text and shows a reason for every rejected row', async () => {
    const { page } = stage;
    await stage.browser.goTo('/data/tags');
    await button('Import').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Or paste rows').fill('Name,About\nnews,"All that is, new"\nsql,\nnews,again\n');
    await dialog.getByLabel('Column for About').selectOption('description');
    await noteAccess('import');
    await dialog.getByRole('button', { name: 'Import 3 rows' }).click();
    const report = dialog.getByRole('status', { name: 'Report' });
    await report.getByText('2 rows').waitFor();
    await report.getByText('Row 3').waitFor();
    await noteAccess('import report');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await cell('All that is, new').first().waitFor();
    expect((await stage.api.get('/tags?sort=id')).json).toMatchObject([
      { name: 'news', description: 'All that is, new' },
      { name: 'sql', description: null },
    ]);
  });

  it('the grid exports filtered rows as a file and copies rows as text', async () => {
    const { page } = stage;
    await stage.browser.goTo(
      `/data/posts?filters=${encodeURIComponent(JSON.stringify([['id', 'lte', '3']]))}&columns=${encodeURIComponent('["id","title"]')}`,
    );
    await cell('Post 3').first().waitFor();
    await button('Export').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('JSON', { exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('posts-development.json');
    expect(JSON.parse((await readDownload(download)).toString())).toEqual(
      [1, 2, 3].map((id) => ({ id, title: `Post ${id}` })),
    );
    expect(
      (await stage.api.put('/posts/3', { title: '=HYPERLINK("http://evil.example", "x")' })).status,
    ).toBe(200);
    await dialog.waitFor({ state: 'detached' });
    for (const [isSafe, start] of [
      [false, '3,"=HYPER'],
      [true, '3,"\'=HYPER'],
    ] as const) {
      await button('Export').click();
      if (isSafe) await dialog.getByLabel('Safe for spreadsheets').check();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Export' }).click(),
      ]);
      const lines = (await readDownload(file)).toString().split(/\r?\n/);
      expect(lines[0]).toBe('id,title');
      expect(lines[3]?.slice(0, start.length)).toBe(start);
      await dialog.waitFor({ state: 'detached' });
    }
    expect((await stage.api.put('/posts/3', { title: 'Post 3' })).status).toBe(200);
    await grid().getByLabel('Select row 2').check();
    await button('Copy selected rows').click();
    await page.getByRole('menuitem', { name: 'as SQL' }).click();
    await waitFor(
      'the row is copied',
      async () =>
        (await page.evaluate(() => navigator.clipboard.readText())) ===
        "INSERT INTO `posts` (`id`, `title`) VALUES (2, 'Post 2');",
    );
  });

  it('the console adds sample rows to empty tables and to no other table', async () => {
    const { page } = stage;
    await stage.browser.goTo('/data/comments');
    await button('Fill empty tables with sample rows').click();
    await page.getByText(/sample rows to \d+ tables?/).waitFor({ timeout: 60_000 });
    await grid().getByRole('gridcell').first().waitFor();
    expect((await stage.api.get('/comments')).json).toHaveLength(20);
    expect((await stage.api.get('/users')).json).toHaveLength(3);
    await noteAccess('sample rows');
  });

  it('a row is edited, deleted and restored in the grid by keyboard alone', async () => {
    const { page } = stage;
    await stage.browser.goTo('/data/tags');
    await cell('sql').first().waitFor();
    // A value that has not loaded yet cannot be edited.
    await cell('NULL').first().waitFor();
    await grid().focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('typed');
    await page.keyboard.press('Tab');
    await page.keyboard.type('described');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+s');
    await saved();
    expect((await stage.api.get('/tags/2')).json).toMatchObject({ name: 'typed', description: null });
    await page.keyboard.press('Control+Delete');
    await page.getByRole('region', { name: 'Changes' }).getByText('1 deleted').waitFor();
    await page.keyboard.press('Control+z');
    await saved();
    await page.keyboard.press('F2');
    await page.keyboard.press('Escape');
    await page
      .getByRole('navigation', { name: 'Environment' })
      .getByRole('link', { name: 'production' })
      .focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('main').locator('header').getByText('production', { exact: true }).waitFor();
  });

  it('leaving the data page asks before unsaved changes are lost', async () => {
    const { page } = stage;
    await stage.browser.goTo('/data/users');
    await cell('ada').first().dblclick();
    await grid().getByRole('textbox', { name: 'username' }).fill('ida');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'API keys' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 unsaved change to users').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await button('Discard').click();
    await saved();
  });

  it('a viewer can read but not edit rows, and an outsider sees nothing', async () => {
    const reader = await createKey(stage.person, { name: 'r', scopes: ['read'] });
    expect((await openApi(product.gateways[0], reader.secret).post('/tags', { name: 'x' })).status).toBe(403);
    const outsider = await signUp(product.control, { name: 'other' });
    const other = await openConsole(outsider);
    try {
      await other.page.goto(`${stage.browser.environmentPath}/data/users`);
      await other.page.getByRole('heading', { level: 1 }).waitFor();
      expect(await other.page.getByRole('grid').count()).toBe(0);
    } finally {
      await other.close();
    }
  });

  stage.itFitsTelephone(
    '/data/posts',
    (page) => page.getByRole('grid').getByText('Post 1', { exact: true }).waitFor(),
    async (narrow) => {
      await narrow.goTo('/data/posts?row=1');
      await narrow.page.getByRole('dialog').getByLabel('title', { exact: true }).waitFor();
      await noteAccess('narrow record', narrow.page);
      await narrow.page.keyboard.press('Escape');
      await narrow.page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  );
  stage.itWasClean();
});
