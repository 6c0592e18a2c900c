import { describe, expect, it } from 'vitest';
import { signUp } from '../../support/control.mjs';
import { readDownload } from '../../support/console/open-console.mjs';
import { stageConsole } from '../../support/console/stage-console.mjs';
import { waitFor } from '../../support/wait.mjs';

/** Asks, corrects and saves questions and SQL. */
describe('the query page', () => {
  const stage = stageConsole({ name: 'query' }, async ({ api }) => {
    await api.post(
      '/users',
      ['ada', 'grace'].map((username) => ({ username, email: `${username}@example.test` })),
    );
    await api.post(
      '/posts',
      Array.from({ length: 5 }, (_, index) => ({
        title: `Post ${index + 1}`,
        content: 'x',
        user_id: index < 3 ? 1 : 2,
        published: true,
      })),
    );
  });
  const { product, button, noteAccess } = stage;
  const outcome = (text: string | RegExp) =>
    stage.page.getByRole('status', { name: 'Outcome' }).getByText(text).first().waitFor();
  const result = () => stage.page.getByRole('table', { name: 'Result' });
  const write = async (text: string): Promise<void> => {
    await stage.page.getByRole('textbox', { name: 'Query editor' }).click();
    await stage.page.keyboard.press('Control+a');
    await stage.page.keyboard.insertText(text);
  };

  it('each question that the query page suggests gets an answer', async () => {
    const { page } = stage;
    await stage.browser.goTo('/query');
    const offered = page.getByRole('region', { name: 'Example questions' }).getByRole('button');
    await offered.first().waitFor();
    const questions = await offered.allTextContents();
    for (const question of questions) expect((await stage.api.query(question)).status, question).toBe(200);
    await noteAccess('an empty sheet');
    await offered.first().click();
    await outcome('Question');
  });

  it('the query page answers a question with its SQL and learns from a corrected answer', async () => {
    const { page } = stage;
    await stage.browser.goTo('/query');
    await write('how many posts are there');
    await page.keyboard.press('Control+Enter');
    await outcome('Question');
    await result().getByRole('cell', { name: '5', exact: true }).waitFor();
    await page.getByRole('group', { name: 'Generated SQL' }).getByText('COUNT').waitFor();
    await page
      .getByText(/^From /)
      .getByRole('link', { name: 'posts', exact: true })
      .waitFor();
    await noteAccess('answer to a question');
    await button('Edit SQL').click();
    await write('SELECT COUNT(*) AS published FROM posts WHERE published = 1');
    await button('Run').click();
    await outcome(/^SQL$/);
    await button('Save as correct answer').click();
    await page.getByText('Saved. We’ll use this for similar questions.').waitFor();
    const accepted = await stage.person.control.call(
      'GET',
      `/api/databases/${stage.person.development.id}/accepted-questions`,
    );
    expect(accepted.json.items).toMatchObject([
      {
        question: 'how many posts are there',
        sql: 'SELECT COUNT(*) AS published FROM posts WHERE published = 1',
      },
    ]);
  });

  it('the query page marks the position of an SQL error and keeps the selected mode', async () => {
    const { page } = stage;
    await write('SELECT titel FROM posts');
    await button('Run').click();
    const rejection = page.getByRole('alert');
    await rejection.getByText('Did you mean title').waitFor();
    await rejection.getByRole('button', { name: 'Copy request ID' }).waitFor();
    expect(await page.locator('.cm-fault').textContent()).toBe('titel');
    await noteAccess('fault');
    await page.getByRole('radiogroup', { name: 'Mode' }).getByText('Question', { exact: true }).click();
    await write('how many giraffes are there');
    await button('Run').click();
    await rejection.getByText('giraffes').first().waitFor();
    await rejection
      .locator('button')
      .filter({ hasText: /\w+ \w+/ })
      .first()
      .waitFor();
    await page.getByRole('radiogroup', { name: 'Mode' }).getByText('Auto', { exact: true }).click();
  });

  it('the query page shows a result as a table, a chart, a plan and a file', async () => {
    const { page } = stage;
    await write(
      'SELECT u.username, COUNT(*) AS posts FROM users u JOIN posts p ON p.user_id = u.id GROUP BY u.username ORDER BY 2 DESC',
    );
    await button('Run').click();
    await result().getByRole('row').nth(1).getByText('ada').waitFor();
    // Checks the layout: the buttons are on one line, and a column's name is aligned with its numbers.
    const lines = await Promise.all(
      ['Run', 'Format', 'Save…'].map(async (name) => (await button(name).boundingBox())?.y ?? 0),
    );
    expect(Math.max(...lines) - Math.min(...lines)).toBeLessThan(10);
    expect(
      await result()
        .getByRole('columnheader', { name: 'posts' })
        .evaluate((head) => getComputedStyle(head).textAlign),
    ).toBe('right');
    await page.getByText('Chart', { exact: true }).click();
    await page.getByRole('img', { name: /^Chart: posts by username, 2 points/ }).waitFor();
    await noteAccess('chart');
    await button('Export').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
    ]);
    expect((await readDownload(download)).toString()).toBe('username,posts\r\nada,3\r\ngrace,2\r\n');
    await button('Explain').click();
    await result().getByRole('columnheader', { name: 'select_type' }).waitFor();
  });

  it('query tabs and the history survive a reload, and everyone sees a saved query', async () => {
    const { page } = stage;
    await button('New query tab').click();
    await write('SELECT 42 AS answer');
    await button('Save…').click();
    await page.getByRole('dialog').getByLabel('Name').fill('The answer');
    await noteAccess('save');
    await page.getByRole('dialog').getByRole('button', { name: 'Save query' }).click();
    await page.getByRole('list', { name: 'Saved queries' }).getByText('The answer').waitFor();
    await page.reload();
    await page
      .getByRole('group', { name: 'Query tabs' })
      .getByRole('button', { name: 'The answer', exact: true })
      .waitFor();
    await waitFor(
      'the text is there',
      async () =>
        (await page.getByRole('textbox', { name: 'Query editor' }).textContent())?.includes('42') === true,
    );
    await button('Run').click();
    await result().getByRole('cell', { name: '42' }).waitFor();
    await page.getByText('History', { exact: true }).click();
    await page.getByRole('list', { name: 'History' }).getByText('SELECT 42 AS answer').waitFor();
    await noteAccess('history');
    const outsider = await signUp(product.control, { name: 'other' });
    expect(
      (await outsider.control.call('GET', `/api/databases/${stage.person.development.id}/saved-queries`))
        .status,
    ).toBe(404);
  });

  it('the query page formats SQL, gives a saved query a URL and reopens a closed tab', async () => {
    const { page } = stage;
    const saved = (
      await stage.person.control.call('GET', `/api/databases/${stage.person.development.id}/saved-queries`)
    ).json.items[0];
    await waitFor(
      'the address names the saved query',
      async () => new URL(page.url()).searchParams.get('saved') === saved.id,
    );
    await button('New query tab').click();
    await waitFor('the address names none', async () => !new URL(page.url()).searchParams.has('saved'));
    await write('select id,title from posts where published=1 order by id');
    await button('Format').click();
    await waitFor(
      'it is laid out',
      async () =>
        (await page.locator('.cm-line').allTextContents()).join('\n') ===
        'SELECT id, title\nFROM posts\nWHERE published = 1\nORDER BY id',
    );
    await page.getByRole('button', { name: /^Close SELECT id/ }).click();
    await page
      .getByRole('status')
      .getByText(/ closed\./)
      .waitFor();
    await button('Undo').click();
    await page
      .getByRole('group', { name: 'Query tabs' })
      .getByRole('button', { name: 'SELECT id, title', exact: true })
      .waitFor();
    await page.getByRole('button', { name: /^Close SELECT id/ }).click();
    await stage.browser.goTo(`/query?saved=${saved.id}`);
    await page
      .getByRole('group', { name: 'Query tabs' })
      .getByRole('button', { name: 'The answer', exact: true })
      .and(page.locator('[aria-pressed="true"]'))
      .waitFor();
  });

  it('the query page asks for confirmation of a write with the number of rows', async () => {
    const { page } = stage;
    await write("UPDATE posts SET published = 0 WHERE title IN ('Post 1', 'Post 2')");
    await button('Run').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 rows').waitFor();
    await noteAccess('confirm a write');
    expect((await stage.api.get('/posts?published=false')).json).toEqual([]);
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await outcome('2 rows changed');
    expect((await stage.api.get('/posts?published=false')).json).toHaveLength(2);
  });

  it('the query page can cancel a running statement', async () => {
    await write(
      'SELECT COUNT(*) FROM (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6) a, posts b, posts c, posts d, posts e, posts f, posts g, posts h, posts i, posts j, posts k',
    );
    await button('Run').click();
    await button('Cancel').click();
    await stage.page.getByText('Canceled. The statement was stopped on the server.').waitFor();
  });

  stage.itFitsTelephone('/query', (page) => page.getByRole('textbox', { name: 'Query editor' }).waitFor());
  stage.itWasClean();
});
