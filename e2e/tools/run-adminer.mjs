// @ts-check
/** Signs in to Adminer as a person does in a browser, and opens the table of posts. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import { send } from '../support/http.mjs';
import { waitFor } from '../support/wait.mjs';

/**
 * @param {import('./provide-tools.mjs').Tools} tools
 * @param {NodeJS.ProcessEnv} env
 * @param {string} title of the post that the page has to show
 * @returns {Promise<{ works: boolean, found: string }>}
 */
export async function runAdminer(tools, env, title) {
  const root = tools.roots['php'];
  if (root === undefined) return { works: false, found: tools.missing['php'] ?? 'PHP is missing' };
  const port = await findFreePort();
  const server = spawn(
    'php',
    ['-S', `127.0.0.1:${port}`, join(root, 'usr', 'share', 'adminer', 'adminer.php')],
    { env, stdio: 'ignore' },
  );
  const base = `http://127.0.0.1:${port}`;
  try {
    await waitFor(
      'Adminer answers',
      async () => (await send(base, 'GET', '/').catch(() => null))?.status === 200,
      { timeoutMs: 20_000 },
    );
    const { DB_HOST, DB_PORT, DB_USER = '', DB_PASSWORD = '', DB_NAME = '' } = env;
    const signIn = new URLSearchParams({
      'auth[driver]': 'server',
      'auth[server]': `${DB_HOST}:${DB_PORT}`,
      'auth[username]': DB_USER,
      'auth[password]': DB_PASSWORD,
      'auth[db]': DB_NAME,
    });
    const response = await send(base, 'POST', '/', {
      body: signIn.toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    // If a cookie is set several times, the last value counts, as in a browser.
    const cookies = new Map(
      (response.headers['set-cookie'] ?? []).map(
        (line) => /** @type {[string, string]} */ ([line.split('=')[0], line.split(';')[0]]),
      ),
    );
    const cookie = [...cookies.values()].join('; ');
    const query = new URLSearchParams({
      server: `${DB_HOST}:${DB_PORT}`,
      username: DB_USER,
      db: DB_NAME,
      select: 'posts',
    });
    const visible = await send(base, 'GET', `/?${query}`, { headers: { Cookie: cookie } });
    const works = visible.status === 200 && visible.text.includes(title);
    return {
      works,
      found: works
        ? 'ran'
        : `status ${visible.status}: ${/class='error'>([^<]+)/.exec(visible.text)?.[1] ?? 'the post is not on the page'}`,
    };
  } finally {
    server.kill();
  }
}
