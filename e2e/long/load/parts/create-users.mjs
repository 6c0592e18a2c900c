// @ts-check
import { expectStatus } from '../../../support/control.mjs';
import { waitFor } from '../../../support/wait.mjs';

/**
 * Waits until the tables of a new database are served, and creates 40 users.
 * @param {ReturnType<typeof import('../../../support/http.mjs').openApi>} api
 */
export async function createUsers(api) {
  await waitFor('the tables are served', async () => (await api.get('/users')).status === 200);
  const users = Array.from({ length: 40 }, (_, index) => ({
    username: `user${index}`,
    email: `u${index}@example.org`,
  }));
  expectStatus(await api.post('/users', users), [201], 'users');
}
