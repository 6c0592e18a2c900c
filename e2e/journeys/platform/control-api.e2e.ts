import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rootDir } from '@rowhouse/local/paths';
import { describe, expect, it } from 'vitest';
import { createKey, deploy, openControl, signIn, signUp, uniqueEmail } from '../../support/control.mjs';
import { openApi, send } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';

const run = promisify(execFile);

describe('the control API', () => {
  const product = readProduct();

  it('a sign-up returns the key and URL for a first data API request', async () => {
    const user = await signUp(product.control, { project: 'First things' });
    expect(user.answer).toMatchObject({
      account: { id: expect.any(String), email: user.email },
      organization: { id: expect.any(String), name: 'ann and co' },
      project: { id: expect.any(String), name: 'First things', databases: expect.any(Array) },
      api_key: expect.stringMatching(/^rh_dev_/),
      csrf_token: expect.any(String),
    });
    for (const database of [user.development, user.production])
      expect(database).toMatchObject({
        id: expect.any(String),
        docs_slug: expect.any(String),
        base_url: expect.any(String),
      });
    expect(JSON.stringify(user.answer)).not.toContain(user.password);
  });

  it('an invalid sign-up is rejected with its fields, and a used email address with 409', async () => {
    for (const [body, field] of [
      [{ email: 'x', password: 'long enough 1' }, 'email'],
      [{ email: uniqueEmail('x'), password: 'short' }, 'password'],
      [{ email: uniqueEmail('x'), password: 'long enough 1', nonsense: 1 }, 'nonsense'],
    ] as const) {
      const response = await send(product.control, 'POST', '/api/auth/signup', { body });
      expect(response.status, response.text).toBe(422);
      expect(JSON.stringify(response.json.detail)).toContain(field);
    }
    const user = await signUp(product.control);
    const secondResponse = await send(product.control, 'POST', '/api/auth/signup', {
      body: { email: user.email, password: 'another password' },
    });
    expect(secondResponse.status).toBe(409);
  });

  it('a session works until its user signs out', async () => {
    const user = await signUp(product.control);
    const second = openControl(product.control);
    const wrong = await second.call('POST', '/api/auth/login', {
      email: user.email,
      password: 'wrong password',
    });
    expect({ status: wrong.status, code: wrong.json.code }).toEqual({
      status: 401,
      code: 'auth.bad_credentials',
    });
    const unknown = await second.call('POST', '/api/auth/login', {
      email: uniqueEmail('nobody'),
      password: 'wrong password',
    });
    expect({ ...unknown.json, request_id: '' }).toEqual({ ...wrong.json, request_id: '' });
    const login = await second.call('POST', '/api/auth/login', {
      email: user.email,
      password: user.password,
    });
    expect(login.status, login.text).toBe(200);
    expect(String(login.headers['set-cookie'])).toMatch(/HttpOnly/i);
    expect(String(login.headers['set-cookie'])).toMatch(/SameSite=(Lax|Strict)/i);
    expect((await second.call('GET', '/api/me')).json.account.email).toBe(user.email);

    const { cookie } = second.state;
    const logout = await second.call('POST', '/api/auth/logout');
    expect([200, 204]).toContain(logout.status);
    const replayed = await send(product.control, 'GET', '/api/me', { headers: { Cookie: cookie } });
    expect({ status: replayed.status, code: replayed.json.code }).toEqual({
      status: 401,
      code: 'auth.missing_session',
    });
    expect((await user.control.call('GET', '/api/me')).status).toBe(200);
  });

  it('a command on the server machine resets the password of an account', async () => {
    const user = await signUp(product.control);
    const reset = (email: string): Promise<{ stdout: string; stderr: string }> =>
      run(process.execPath, [join(rootDir, 'infra/local/reset-password.mjs'), email], {
        env: { PATH: process.env['PATH'], ROWHOUSE_DATA_DIR: product.dataDir },
      });
    const { stdout } = await reset(user.email.toUpperCase());
    const password = /: (\S+)$/m.exec(stdout)?.[1] ?? '';
    expect((await user.control.call('GET', '/api/me')).status).toBe(401);
    const secondResponse = openControl(product.control);
    expect(
      (await secondResponse.call('POST', '/api/auth/login', { email: user.email, password: user.password }))
        .status,
    ).toBe(401);
    expect(
      (await secondResponse.call('POST', '/api/auth/login', { email: user.email, password })).status,
    ).toBe(200);
    await expect(reset(uniqueEmail('nobody'))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no account/),
    });
  });

  it('the demo account and accounts that a server command names are operators', async () => {
    const user = await signUp(product.control);
    const change = (...args: string[]): Promise<unknown> =>
      run(process.execPath, [join(rootDir, 'infra/local/make-operator.mjs'), ...args], {
        env: { PATH: process.env['PATH'], ROWHOUSE_DATA_DIR: product.dataDir },
      });
    const sendRequest = async (): Promise<number> =>
      (await user.control.call('GET', '/api/admin/servers')).status;
    expect(
      (await (await signIn(product.control, product.demo)).call('GET', '/api/admin/servers')).status,
    ).toBe(200);
    expect(await sendRequest()).toBe(403);
    await change(user.email);
    expect(await sendRequest()).toBe(200);
    await change(user.email, '--undo');
    expect(await sendRequest()).toBe(403);
    await expect(change(uniqueEmail('nobody'))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no account/),
    });
  });

  it('a console request that changes data is rejected without the CSRF token', async () => {
    const user = await signUp(product.control);
    const path = `/api/databases/${user.development.id}/keys`;
    for (const headers of [{ 'X-CSRF-Token': '' }, { 'X-CSRF-Token': 'wrong' }]) {
      const response = await user.control.call('POST', path, { name: 'x' }, headers);
      expect({ status: response.status, code: response.json.code }, response.text).toEqual({
        status: 403,
        code: 'auth.csrf',
      });
    }
    const other = await signUp(product.control);
    expect(
      (await user.control.call('POST', path, { name: 'x' }, { 'X-CSRF-Token': other.control.state.csrf }))
        .status,
    ).toBe(403);
    expect((await user.control.call('POST', path, { name: 'x' })).status).toBe(201);
  });

  it('a personal access token authenticates requests until it is revoked', async () => {
    const user = await signUp(product.control);
    const created = await user.control.call('POST', '/api/tokens', { name: 'ci' });
    expect(created.status, created.text).toBe(201);
    const machine = openControl(product.control, { token: created.json.token });
    expect((await machine.call('GET', '/api/me')).json.account.email).toBe(user.email);
    const projects = await machine.call('GET', '/api/projects');
    expect(projects.json.items.map((project: { id: string }) => project.id)).toEqual([user.projectId]);
    await deploy(user, 'ALTER TABLE tags ADD COLUMN color char(7)', { control: machine });
    const key = await machine.call('POST', `/api/databases/${user.development.id}/keys`, {
      name: 'by token',
    });
    expect((await openApi(product.gateways[0], key.json.secret).get('/tags')).status).toBe(200);
    expect(
      (await openControl(product.control, { token: `${created.json.token}x` }).call('GET', '/api/me')).status,
    ).toBe(401);
    expect((await openApi(product.gateways[0], created.json.token).get('/tags')).status).toBe(401);
    expect((await openControl(product.control, { token: user.key }).call('GET', '/api/me')).status).toBe(401);
    const revoked = await user.control.call('DELETE', `/api/tokens/${created.json.id}`);
    expect([200, 204], revoked.text).toContain(revoked.status);
    expect((await machine.call('GET', '/api/me')).status).toBe(401);
  });

  it('the control API rejects all other requests without a sign-in with 401', async () => {
    const user = await signUp(product.control);
    for (const [method, path] of [
      ['GET', '/api/me'],
      ['GET', '/api/projects'],
      ['GET', `/api/projects/${user.projectId}`],
      ['POST', '/api/projects'],
      ['POST', '/api/tokens'],
      ['GET', `/api/databases/${user.development.id}/keys`],
      ['GET', `/api/databases/${user.development.id}/connections`],
      ['GET', '/api/admin/servers'],
    ] as const) {
      const response = await send(product.control, method, path, method === 'POST' ? { body: {} } : {});
      expect({ path, status: response.status }, response.text).toEqual({ path, status: 401 });
    }
  });

  it('the control API rejects operator requests of users who are not operators', async () => {
    const user = await signUp(product.control);
    expect([403, 404]).toContain((await user.control.call('GET', '/api/admin/servers')).status);
  });

  it('a user creates another project, and deletes it only by confirming its name', async () => {
    const user = await signUp(product.control);
    const created = await user.control.call('POST', '/api/projects', { name: 'Second', starter: 'shop' });
    expect([201, 202], created.text).toContain(created.status);
    expect((await user.control.call('GET', '/api/projects')).json.items).toHaveLength(2);
    const unconfirmed = await user.control.call('DELETE', `/api/projects/${user.projectId}`, {
      confirm: 'something else',
    });
    expect({ status: unconfirmed.status, code: unconfirmed.json.code }, unconfirmed.text).toEqual({
      status: 422,
      code: 'resource.confirmation',
    });
    expect((await openApi(product.gateways[0], user.key).get('/posts')).status).toBe(200);
  });

  it('the audit log records actions and their actors', async () => {
    const user = await signUp(product.control);
    const key = await createKey(user, { name: 'audited' });
    await user.control.call('DELETE', `/api/keys/${key.id}`);
    const audit = await user.control.call('GET', `/api/databases/${user.development.id}/audit`);
    expect(audit.status, audit.text).toBe(200);
    const actions = audit.json.items.map((item: { action: string }) => item.action).join(' ');
    expect(actions).toMatch(/key/);
    expect(
      audit.json.items.filter((item: { target: string }) => item.target === key.id).length,
    ).toBeGreaterThanOrEqual(2);
    expect(audit.text).not.toContain(key.secret);
  });

  it('the console is served with a content security policy that allows no other host', async () => {
    const page = await send(product.control, 'GET', '/');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.text).not.toMatch(/(src|href)=["'](https?:)?\/\//);
    const consolePage = await send(product.control, 'GET', '/projects/prj_x/development/keys');
    expect(consolePage.text).toContain('<p class="rh-first-title">API keys</p>');
    for (const { text, headers } of [page, consolePage]) {
      expect(text).not.toMatch(/<script(?![^>]* src="\/)/);
      expect(headers['content-security-policy']).toMatch(/^default-src 'self';connect-src /);
    }
  });

  it('the console files are sent without headers that only matter for pages', async () => {
    const page = await send(product.control, 'GET', '/');
    const file = await send(product.control, 'GET', /\/assets\/[\w-]+\.js/.exec(page.text)?.[0] ?? 'none');
    expect(file.status).toBe(200);
    expect(file.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(
      Object.keys(file.headers).filter(
        (name) => name in page.headers && /policy|frame|download|prefetch|xss|cluster/.test(name),
      ),
    ).toEqual(['cross-origin-resource-policy']);
  });
});
