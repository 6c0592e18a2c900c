// @ts-check
/** Creates a project with activity, so that the pages in checks and screenshots are not empty. */
import { createConnection, createKey, deploy, openControl, signUp, uniqueEmail } from '../control.mjs';
import { openApi } from '../http.mjs';
import { waitFor } from '../wait.mjs';

/**
 * Creates rows, keys, a connection string, a second deploy, a backup, a saved query and a synonym. It sends
 * requests that succeed and fail, and adds a member, an open invitation and a second organization.
 * @param {{ control: string, gateways: readonly string[] }} product
 */
export async function seedDemoHouse(product) {
  const owner = await signUp(product.control, { name: 'Ann', project: 'Corner shop' });
  const api = openApi(product.gateways[0] ?? '', owner.key);
  const ann = await api.post('/users', { username: 'ann', email: 'ann@example.test' });
  for (const title of ['Opening hours', 'New in the window', 'Closed on Monday'])
    await api.post('/posts', { title, content: 'x', user_id: ann.json.id });
  await api.get('/posts?limit=2&sort=created_at');
  await api.get('/posts/999999');
  await api.post('/posts', { title: 'nobody wrote this' });
  await createKey(owner, { name: 'mobile app', scopes: ['read'] });
  await createKey(owner, { name: 'newsletter', tables: { posts: ['read'] } });
  await createConnection(owner, { name: 'my laptop', role: 'read-only' });
  await deploy(owner, 'ALTER TABLE posts ADD COLUMN subtitle varchar(100)');
  await owner.control.call('POST', `/api/databases/${owner.development.id}/export`, {});
  await owner.control.call('POST', `/api/databases/${owner.development.id}/saved-queries`, {
    name: 'Newest posts',
    query: 'SELECT id, title FROM posts ORDER BY id DESC LIMIT 10',
    kind: 'sql',
  });
  await owner.control.call('POST', `/api/projects/${owner.projectId}/synonyms`, {
    phrase: 'articles',
    table: 'posts',
  });
  const { organization } = owner.answer;
  const helper = openControl(product.control);
  const helperEmail = uniqueEmail('ben');
  await helper.call('POST', '/api/auth/signup', {
    email: helperEmail,
    password: 'a password to keep',
    name: 'Ben',
    starter: 'empty',
  });
  const invited = await owner.control.call('POST', `/api/organizations/${organization.id}/invitations`, {
    email: helperEmail,
    role: 'developer',
  });
  await helper.call('POST', '/api/invitations/accept', { token: invited.json.token });
  await owner.control.call('POST', `/api/organizations/${organization.id}/invitations`, {
    email: 'cat@example.test',
    role: 'viewer',
  });
  await owner.control.call('POST', '/api/organizations', { name: 'Night market' });
  await waitFor(
    'the requests are in the log',
    async () =>
      (await owner.control.call('GET', `/api/databases/${owner.development.id}/requests`)).json.items
        .length >= 5,
    { timeoutMs: 30_000 },
  );
  return { owner, environmentPath: `/projects/${owner.projectId}/development` };
}

/**
 * Signs a person in by copying the cookies of their session into the browser.
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} control
 * @param {import('../control.mjs').Control} user
 */
export async function signInBrowser(context, control, user) {
  const cookies = user.state.cookie.split('; ').map((pair) => ({
    name: pair.slice(0, pair.indexOf('=')),
    value: pair.slice(pair.indexOf('=') + 1),
    url: control,
  }));
  await context.addCookies(cookies);
}
