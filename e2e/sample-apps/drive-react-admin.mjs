// @ts-check
/** @typedef {import('./drive-data-provider.mjs').Check} Check */

/**
 * Uses the pages of the react-admin sample: list, filter, edit, conflict, rejected change and delete.
 * @param {import('playwright-core').Page} page
 * @param {string} origin
 * @param {import('../support/http.mjs').Api} api a client of the same database, which has 12 posts called
 *   `Post 01` and so on
 * @returns {Promise<Check[]>}
 */
export async function driveReactAdmin(page, origin, api) {
  /** @type {Check[]} */
  const checks = [];
  const check = (/** @type {string} */ what, /** @type {unknown} */ found, /** @type {unknown} */ expected) =>
    checks.push({ what, found, expected });
  const row = (/** @type {string} */ title) => page.getByRole('row').filter({ hasText: title });
  const stored = async (/** @type {number} */ id) => (await api.get(`/posts/${id}`)).json?.title;
  const openForm = async (/** @type {string} */ title) => {
    await page.goto(`${origin}/#/posts`);
    await row(title).getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
  };
  const save = async (/** @type {string} */ title) => {
    await page.getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  await page.goto(origin);
  await row('Post 12').waitFor();
  check(
    'the first page has ten posts of twelve',
    [(await page.getByRole('row').count()) - 1, await page.getByText('1-10 of 12').count()],
    [10, 1],
  );
  await row('Post 12').getByText('writer').waitFor();
  await page.getByLabel('Title contains').fill('Post 1');
  await page.getByText('1-3 of 3').waitFor();
  check('the filter narrows the list', (await page.getByRole('row').count()) - 1, 3);
  await page.getByLabel('Title contains').fill('');
  await page.getByText('1-10 of 12').waitFor();

  await openForm('Post 12');
  await save('Post 12 changed');
  await row('Post 12 changed').waitFor();
  check('an edit is stored', await stored(12), 'Post 12 changed');

  await openForm('Post 11');
  await api.call('PATCH', '/posts/11', { body: { title: 'Post 11 by others' } });
  await save('Post 11 lost');
  await page.getByText('Someone else changed this record.').waitFor();
  check('a conflict keeps the change of the other client', await stored(11), 'Post 11 by others');

  await openForm('Post 10');
  await save('x'.repeat(300));
  await page.locator('.MuiFormHelperText-root.Mui-error').waitFor();
  check(
    'a rejection is shown at its field',
    await page.locator('.MuiFormHelperText-root.Mui-error').textContent(),
    'The text is longer than 255 characters.',
  );
  check('a rejected edit is not stored', await stored(10), 'Post 10');

  await openForm('Post 09');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('1-10 of 11').waitFor();
  check('a deleted post is gone', (await api.get('/posts/9')).status, 404);
  return checks;
}
