// @ts-check
/**
 * Every page and dialog of the console that the journeys check and that is photographed. Add a line for each
 * new page.
 */
import { waitFor } from '../wait.mjs';

/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} Screen
 * @property {string} name
 * @property {string} path below the URL of a database, or from the root if it starts with `//`
 * @property {(page: Page) => Promise<void>} [open] opens what is shown, such as a dialog or a menu
 */

/** @param {string | RegExp} name @returns {(page: Page) => Promise<void>} */
const click = (name) => (page) => page.getByRole('button', { name }).first().click();

/** @param {string} item @returns {(page: Page) => Promise<void>} */
const clickMore = (item) => async (page) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

/** @param {Page} page @param {string} text */
async function writeQuery(page, text) {
  await page.getByRole('textbox', { name: 'Query editor' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** @param {string} text @returns {(page: Page) => Promise<void>} */
const runQuery = (text) => async (page) => {
  await writeQuery(page, text);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('table', { name: 'Result' }).waitFor();
};

/** @param {Page} page */
async function sendInvalid(page) {
  await writeQuery(page, 'SELECT titel FROM posts');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('alert').getByText('query.unknown_column').waitFor();
}

/** @param {Page} page */
async function drawChart(page) {
  await runQuery('SELECT title, id FROM posts ORDER BY id')(page);
  await page.getByText('Chart', { exact: true }).click();
  await page.getByRole('img', { name: /^Chart/ }).waitFor();
}

/** @param {Page} page */
async function saveQuery(page) {
  await writeQuery(page, 'SELECT 1');
  await page
    .getByRole('button', { name: 'Save…' })
    .or(page.getByRole('button', { name: 'Save as…' }))
    .first()
    .click();
}

/**
 * Asks the console for a preview of what a statement would change, and waits for the preview.
 * @param {Page} page
 */
async function writeBySql(page) {
  await writeQuery(page, 'UPDATE posts SET published = 1 WHERE id = 1');
  await page.keyboard.press('Control+Enter');
  await page
    .getByRole('dialog')
    .getByText(/This changes|This won’t run/)
    .waitFor();
}

/** @param {Page} page */
async function stageChanges(page) {
  // Leaving the page asks whether changes may be discarded.
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByLabel('Select row 1', { exact: true }).check();
  await page.getByRole('group', { name: 'Selected rows' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('region', { name: 'Changes' }).waitFor();
}

/** Tests the connection on the page, and waits for the result. @param {Page} page */
async function testConnection(page) {
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await page
    .getByRole('status', { name: 'Connection test' })
    .getByText(/Signed in|Connected/)
    .first()
    .waitFor();
}

/** @param {Page} page */
async function makeConnection(page) {
  await page.getByLabel('Name').fill('nightly report');
  await page.getByRole('button', { name: 'Create connection string' }).click();
  await testConnection(page);
}

/** @param {Page} page */
async function makeKey(page) {
  await page.getByRole('dialog').getByLabel('Name').fill('shop window');
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  await page.getByRole('dialog').getByLabel('API key', { exact: true }).waitFor();
}

/** @param {Page} page */
async function leaveChanges(page) {
  await stageChanges(page);
  await page.getByRole('link', { name: 'Rowhouse, all projects' }).click();
}

/** @param {Page} page */
async function openRevert(page) {
  await openFirstMigration(page);
  await page.getByRole('button', { name: 'Revert' }).click();
}

/** @param {Page} page */
async function openFirstMigration(page) {
  await page.getByRole('main').locator('a[href*="/migrations/mig_"]').first().click();
  await page.waitForURL(/\/migrations\/mig_/);
}

/** @type {readonly Screen[]} */
export const PAGE_SCREENS = [
  { name: 'overview', path: '' },
  { name: 'data', path: '/data/posts' },
  { name: 'data-record', path: '/data/posts?row=1' },
  { name: 'data-selected', path: '/data/posts', open: (page) => page.getByLabel('Select row 1').check() },
  { name: 'data-staged', path: '/data/posts', open: stageChanges },
  {
    name: 'data-filter',
    path: '/data/posts?filters=%5B%5B%22title%22%2C%22icontains%22%2C%22o%22%5D%5D&sort=-id',
    open: click('Filter'),
  },
  { name: 'data-empty', path: '/data/comments' },
  { name: 'query', path: '/query' },
  { name: 'query-answer', path: '/query', open: runQuery('how many posts are there') },
  {
    name: 'query-rows',
    path: '/query',
    open: runQuery('SELECT id, title, created_at FROM posts ORDER BY id'),
  },
  { name: 'query-chart', path: '/query', open: drawChart },
  { name: 'query-fault', path: '/query', open: sendInvalid },
  { name: 'backups', path: '/backups' },
  { name: 'synonyms', path: '/synonyms' },
  { name: 'schema', path: '/schema' },
  { name: 'schema-table', path: '/schema?table=posts' },
  { name: 'schema-edit', path: '/schema?table=posts&edit=table' },
  { name: 'schema-new', path: '/schema?edit=new' },
  { name: 'schema-diagram', path: '/schema?view=diagram' },
  { name: 'schema-sql', path: '/schema?view=sql' },
  { name: 'schema-describe', path: '/schema?view=describe' },
  { name: 'schema-deploy', path: '/schema?view=deploy' },
  { name: 'schema-history', path: '/schema?view=history' },
  { name: 'migrations', path: '/migrations' },
  { name: 'migration', path: '/migrations', open: openFirstMigration },
  { name: 'api', path: '/api' },
  { name: 'api-table', path: '/api/posts' },
  { name: 'connect', path: '/connect' },
  { name: 'connect-direct', path: '/connect?tab=direct' },
  { name: 'connect-direct-made', path: '/connect?tab=direct', open: makeConnection },
  { name: 'connect-mcp', path: '/connect?tab=mcp' },
  { name: 'connect-mcp-tested', path: '/connect?tab=mcp', open: testConnection },
  { name: 'connect-shell', path: '/connect?tab=shell' },
  { name: 'connect-docs', path: '/connect?tab=docs' },
  { name: 'keys', path: '/keys' },
  { name: 'code-python', path: '/code' },
  { name: 'code-typescript', path: '/code?tab=typescript' },
  { name: 'code-changes', path: '/code?changes=true' },
  { name: 'code-shell', path: '/code?tab=shell' },
  { name: 'logs', path: '/logs' },
  { name: 'logs-filtered', path: '/logs?status=4xx&range=24h' },
  { name: 'logs-nothing', path: '/logs?status=5xx' },
  { name: 'usage', path: '/usage' },
  { name: 'usage-by-key', path: '/usage?span=30d&by=key' },
  { name: 'team', path: '/team' },
  { name: 'team-audit', path: '/team?tab=audit' },
  { name: 'settings', path: '/settings' },
  { name: 'settings-api', path: '/settings?tab=api' },
  { name: 'settings-tables', path: '/settings?tab=tables' },
  { name: 'settings-find', path: '/settings?find=limit' },
  { name: 'nowhere', path: '/cellar' },
  { name: 'projects', path: '//projects' },
  { name: 'account', path: '//account' },
  { name: 'invitation-ended', path: '//invitations/rhi_none' },
  { name: 'clone-ended', path: '//clone/rhs_none' },
];

/** @type {readonly Screen[]} */
export const DIALOG_SCREENS = [
  { name: 'dialog-new-key', path: '/keys?create=true' },
  {
    name: 'dialog-new-key-some',
    path: '/keys?create=true',
    open: (page) => page.getByText('Selected tables', { exact: true }).click(),
  },
  { name: 'dialog-key-made', path: '/keys?create=true', open: makeKey },
  { name: 'dialog-rotate-key', path: '/keys', open: click(/^Rotate /) },
  { name: 'dialog-revoke-key', path: '/keys', open: click(/^Revoke /) },
  { name: 'dialog-test-connection', path: '/connect?tab=direct', open: click('Test my laptop') },
  { name: 'dialog-rotate-connection', path: '/connect?tab=direct', open: click(/^Rotate /) },
  { name: 'dialog-revoke-connection', path: '/connect?tab=direct', open: click(/^Revoke /) },
  {
    name: 'dialog-request',
    path: '/logs',
    open: async (page) => page.getByRole('table', { name: 'Requests' }).getByRole('button').first().click(),
  },
  { name: 'dialog-invite', path: '/team?invite=true' },
  { name: 'dialog-remove-member', path: '/team', open: click(/^Remove /) },
  { name: 'dialog-rename-project', path: '/settings', open: click('Rename project') },
  { name: 'dialog-move-project', path: '/settings', open: click('Move project') },
  { name: 'dialog-delete-project', path: '/settings', open: click('Delete project') },
  { name: 'dialog-delete-environment', path: '/settings', open: click('Delete production') },
  { name: 'dialog-rename-organization', path: '//account', open: click('Rename Ann and co') },
  { name: 'dialog-delete-organization', path: '//account', open: click('Delete Ann and co') },
  { name: 'dialog-delete-account', path: '//account', open: click('Delete account') },
  { name: 'dialog-restore', path: '/backups', open: click('Restore') },
  { name: 'dialog-delete-backup', path: '/backups', open: click('Delete') },
  { name: 'dialog-save-query', path: '/query', open: saveQuery },
  { name: 'dialog-write', path: '/query', open: writeBySql },
  { name: 'dialog-new-project', path: '//projects?create=true' },
  {
    name: 'dialog-new-project-sql',
    path: '//projects?create=true',
    open: (page) => page.getByText('Your SQL', { exact: true }).click(),
  },
  { name: 'dialog-columns', path: '/data/posts', open: click('Columns') },
  { name: 'dialog-import', path: '/data/posts', open: click('Import') },
  { name: 'dialog-export', path: '/data/posts', open: click('Export') },
  { name: 'dialog-grid-keys', path: '/data/posts', open: click('Keyboard shortcuts') },
  { name: 'dialog-new-row', path: '/data/posts', open: click('Add row') },
  { name: 'dialog-leave', path: '/data/posts', open: leaveChanges },
  { name: 'dialog-revert', path: '/migrations', open: openRevert },
  { name: 'dialog-discard', path: '/schema', open: click('Discard draft') },
  { name: 'dialog-starter', path: '/schema', open: clickMore('Add a starter') },
  { name: 'dialog-dump', path: '/schema', open: clickMore('Import a dump') },
  { name: 'dialog-share', path: '/schema', open: click('Share') },
  { name: 'dialog-palette', path: '', open: (page) => page.keyboard.press('Control+k') },
  { name: 'menu-account', path: '', open: click('Account menu') },
  { name: 'menu-project', path: '', open: click(/^Project: /) },
];

/** These pages have no signed-in user. */
/** @type {readonly Screen[]} */
export const SIGNED_OUT_SCREENS = [
  { name: 'sign-in', path: '//login' },
  { name: 'sign-up', path: '//signup' },
  {
    name: 'sign-up-describe',
    path: '//signup',
    open: (page) => page.getByText('Describe it', { exact: true }).click(),
  },
  { name: 'forgot', path: '//forgot' },
  { name: 'reset', path: '//reset/rhm_none' },
  { name: 'verify', path: '//verify/rhm_none' },
];

/**
 * Opens a page and waits until it is stable, with its heading and without open requests.
 * @param {Page} page
 * @param {string} control
 * @param {string} consolePage `/projects/prj_x/development`
 * @param {Screen} screen
 */
export async function openScreen(page, control, consolePage, screen) {
  await page.goto(
    screen.path.startsWith('//')
      ? `${control}${screen.path.slice(1)}`
      : `${control}${consolePage}${screen.path}`,
  );
  await waitUntilIdle(page, screen.name);
  if (screen.open !== undefined) await screen.open(page);
  if (screen.name.startsWith('dialog-')) await page.getByRole('dialog').waitFor();
  if (screen.name.startsWith('menu-')) await page.getByRole('menu').waitFor();
  await waitUntilIdle(page, screen.name);
}

/** @param {Page} page @param {string} name */
export async function waitUntilIdle(page, name) {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await waitFor(`${name} holds still`, async () => (await page.locator('[aria-busy="true"]').count()) === 0);
}
