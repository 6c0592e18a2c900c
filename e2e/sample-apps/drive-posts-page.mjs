// @ts-check
/** @typedef {import('./drive-data-provider.mjs').Check} Check */

/**
 * Uses the page of the TanStack Query sample: pages of the list, an optimistic update, a conflict, a rejected
 * change and a delete.
 * @param {import('playwright-core').Page} page
 * @param {string} origin
 * @param {import('../support/http.mjs').Api} api a client of the same database, which has 12 posts called
 *   `Post 01` and so on
 * @returns {Promise<Check[]>}
 */
export async function drivePostsPage(page, origin, api) {
  /** @type {Check[]} */
  const checks = [];
  const check = (/** @type {string} */ what, /** @type {unknown} */ found, /** @type {unknown} */ expected) =>
    checks.push({ what, found, expected });
  const item = (/** @type {string} */ title) => page.getByRole('listitem', { name: title, exact: true });
  const storedTitles = async () =>
    (await api.get('/posts?title__contains=Post&_select=title&sort=-id')).json.map(
      (/** @type {any} */ { title }) => title,
    );
  const edit = async (/** @type {string} */ title, /** @type {string} */ to) => {
    await item(title).getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Title', { exact: true }).fill(to);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  await page.goto(origin);
  await item('Post 12').waitFor();
  check('the first page has ten posts', await page.getByRole('listitem').count(), 10);
  await page.getByRole('button', { name: 'Load more' }).click();
  await item('Post 01').waitFor();
  check(
    'the second page adds the others and is the last',
    [await page.getByRole('listitem').count(), await page.getByRole('button', { name: 'Load more' }).count()],
    [12, 0],
  );

  // The response is delayed until the page has shown the optimistic change.
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => (release = () => resolve(undefined)));
  await page.route('**/posts/*', async (route) =>
    route.request().method() === 'PATCH' ? held.then(() => route.continue()) : route.continue(),
  );
  await edit('Post 12', 'Post 12 changed');
  await item('Post 12 changed').waitFor();
  check('a change is shown before it is stored', (await storedTitles())[0], 'Post 12');
  release();
  await item('Post 12 changed').getByRole('button', { name: 'Edit' }).waitFor();
  await page.unroute('**/posts/*');
  check('the change is stored', (await storedTitles())[0], 'Post 12 changed');

  await api.call('PATCH', '/posts/11', { body: { title: 'Post 11 by others' } });
  await edit('Post 11', 'Post 11 lost');
  await page.getByRole('alert').waitFor();
  check(
    'a conflict is explained',
    await page.getByRole('alert').textContent(),
    'Someone else changed this post. The list now shows the current version.',
  );
  await item('Post 11 by others').waitFor();
  check('the change of the other client is kept', (await storedTitles())[1], 'Post 11 by others');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await edit('Post 10', 'x'.repeat(300));
  await page.getByRole('alert').getByText('title').waitFor();
  await item('Post 10').waitFor();
  check('a rejected change is undone', (await storedTitles())[2], 'Post 10');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await item('Post 09').getByRole('button', { name: 'Delete' }).click();
  await item('Post 09').waitFor({ state: 'detached' });
  await item('Post 02').waitFor();
  await page.waitForLoadState('networkidle');
  check('a deleted post is gone', (await storedTitles()).includes('Post 09'), false);
  return checks;
}
