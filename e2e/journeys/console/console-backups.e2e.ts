import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createKey, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { readDownload } from '../../support/console/open-console.mjs';
import { stageConsole } from '../../support/console/stage-console.mjs';
import { waitFor } from '../../support/wait.mjs';

/** Creates a backup, downloads it, and restores it into a new database. */
describe('backups in the console', () => {
  const stage = stageConsole({ name: 'backup' }, async ({ api }) => {
    await api.post('/tags', [{ name: 'one' }, { name: 'two' }]);
  });
  const { product, noteAccess } = stage;

  it('the console creates, describes and downloads a backup as SQL', async () => {
    const { page } = stage;
    await stage.browser.goTo('/backups');
    await page.getByText('No backups yet').waitFor();
    await noteAccess('no backups');
    await page.getByRole('button', { name: 'Back up development' }).first().click();
    const line = page.getByRole('table', { name: 'Backups' }).getByRole('row').nth(1);
    await line.getByText('ready').waitFor();
    await line.getByText('2 rows').waitFor();
    await noteAccess('backups');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      line.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(gunzipSync(await readDownload(download)).toString()).toContain('CREATE TABLE');
  });

  it('the console restores a backup into a new database with the name that the user types', async () => {
    const { page } = stage;
    await page.getByRole('button', { name: 'Restore' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New database name').fill('development');
    await dialog.getByText('There’s already a database called development').waitFor();
    await noteAccess('restore');
    await dialog.getByLabel('New database name').fill('rescue');
    await dialog.getByRole('button', { name: 'Restore into rescue' }).click();
    await dialog.getByRole('status', { name: 'Restore' }).getByText('ready').waitFor({ timeout: 60_000 });
    await noteAccess('restored');
    await dialog.getByRole('link', { name: 'Open data' }).click();
    await page
      .getByRole('navigation', { name: 'Environment' })
      .getByRole('link', { name: 'rescue' })
      .waitFor();
    const found = await stage.person.control.call('GET', `/api/projects/${stage.person.projectId}`);
    const rescue = found.json.databases.find(
      (database: { environment: string }) => database.environment === 'rescue',
    );
    const { secret } = await createKey(stage.person, { name: 'rescue' }, rescue.id);
    expect((await openApi(product.gateways[0], secret).get('/tags?_select=name')).json).toEqual([
      { name: 'one' },
      { name: 'two' },
    ]);
  });

  it('the console shows the notes of a restore in the dialog and on the database page', async () => {
    const { page, person: user } = stage;
    const dump =
      'CREATE TABLE films (id int PRIMARY KEY, stars tinyint(1));\nINSERT INTO films VALUES (1, 5);\n';
    const headers = { 'Content-Type': 'application/gzip' };
    const { json: file } = await user.control.call(
      'POST',
      `/api/projects/${user.projectId}/schema/import`,
      gzipSync(dump),
      headers,
    );
    await waitFor(
      'the dump is read',
      async () =>
        (await user.control.call('GET', `/api/projects/${user.projectId}/files/${file.id}`)).json.state ===
        'ready',
    );
    await stage.browser.goTo('/backups');
    await page
      .getByRole('row')
      .filter({ hasText: 'Uploaded' })
      .getByRole('button', { name: 'Restore' })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New database name').fill('films');
    await dialog.getByRole('button', { name: 'Restore into films' }).click();
    await dialog
      .getByRole('note', { name: 'Notes' })
      .getByText('films.stars is TINYINT(1), but has numbers')
      .waitFor({ timeout: 60_000 });
    await noteAccess('notes of a restore');
    await dialog.getByRole('link', { name: 'Open data' }).click();
    await page
      .getByRole('navigation', { name: 'Environment' })
      .getByRole('link', { name: 'films' })
      .waitFor();
    await page.getByRole('link', { name: 'Backups' }).first().click();
    await page.getByRole('note', { name: 'Notes' }).getByText('films.stars').waitFor();
    await noteAccess('notes of a database');
    await user.control.call('DELETE', `/api/projects/${user.projectId}/files/${file.id}`);
  });

  it('the console schedules automatic backups and turns them off again', async () => {
    const { page } = stage;
    await stage.browser.goTo('/backups');
    const stored = async () =>
      (await stage.person.control.call('GET', `/api/databases/${stage.person.development.id}`)).json.settings
        .backup_every_hours;
    await page.getByRole('combobox', { name: 'Automatic backups' }).selectOption('Every day');
    await page.getByRole('status').getByText('Backs up every day').waitFor();
    expect(await stored()).toBe(24);
    await noteAccess('schedule');
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitFor('nothing is made by itself', async () => (await stored()) === null);
  });

  it('the console deletes a backup after confirmation and shows it only in its project', async () => {
    const { page } = stage;
    await stage.browser.goTo('/backups');
    const [file] = (await stage.person.control.call('GET', `/api/projects/${stage.person.projectId}/files`))
      .json.items;
    const outsider = await signUp(product.control, { name: 'other' });
    expect(
      (
        await outsider.control.call(
          'GET',
          `/api/projects/${stage.person.projectId}/files/${file.id}/download`,
        )
      ).status,
    ).toBe(404);
    await page.getByRole('button', { name: 'Delete' }).click();
    await noteAccess('delete');
    await page.getByRole('button', { name: 'Delete backup' }).click();
    await page.getByText('No backups yet').waitFor();
  });

  stage.itFitsTelephone('/backups', (page) => page.getByRole('heading', { level: 1 }).waitFor());
  stage.itWasClean();
});
